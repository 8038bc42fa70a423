import { act } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach } from 'vitest'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const cleanups: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean()
})

/** Renders into the document and takes it away after the test. */
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

/** The one element a selector means; fails loudly when it is missing. */
export function one<Tag extends keyof HTMLElementTagNameMap>(selector: Tag): HTMLElementTagNameMap[Tag]
export function one(selector: string): HTMLElement
export function one(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector)
  if (found === null) throw new Error(`nothing matches ${selector}`)
  return found
}

/** A click, and whatever React does about it. */
export async function click(node: HTMLElement) {
  await act(async () => node.click())
}

/** A key pressed on a node. */
export async function press(node: Element, key: string) {
  await act(async () => {
    node.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    node.dispatchEvent(new KeyboardEvent('keyup', { key, bubbles: true, cancelable: true }))
  })
}
