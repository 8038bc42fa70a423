import * as React from 'react'
import { act, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect } from 'vitest'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

/*
 * React records a stack for each of the first 10,000 elements of a second, for its own tools. No test reads one, and they
 * took a fifth of the time of the screens' tests: React counts as if it had its 10,000.
 */
Object.defineProperty(
  React['__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE' as keyof typeof React],
  'recentlyCreatedOwnerStacks',
  { configurable: true, get: () => Infinity, set: (_count: number) => {} },
)

const cleanups: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean()
})

/** Renders into the document and removes it after the test. */
export async function mount(content: ReactNode) {
  const container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  const render = (next: ReactNode) => act(async () => root.render(next))
  cleanups.push(async () => {
    await act(async () => root.unmount())
    container.remove()
  })
  await render(content)
  return { container, render }
}

/** The first element that matches a selector; throws if there is none. */
export function one<Tag extends keyof HTMLElementTagNameMap>(selector: Tag): HTMLElementTagNameMap[Tag]
export function one(selector: string): HTMLElement
export function one(selector: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(selector)
  if (element === null) throw new Error(`nothing matches ${selector}`)
  return element
}

/** Clicks and waits for React's updates. */
export async function click(node: HTMLElement) {
  await act(async () => node.click())
}

/** Presses a key on a node. */
export async function press(node: Element, key: string) {
  await act(async () => {
    node.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    node.dispatchEvent(new KeyboardEvent('keyup', { key, bubbles: true, cancelable: true }))
  })
}

/**
 * Polls what the screen shows. Each poll is an `act` of its own: React renders only when one ends, so an update that
 * arrives while a single `act` polls would never show.
 */
export const pollScreen = <T,>(read: () => T) => expect.poll(() => act(async () => read()))
