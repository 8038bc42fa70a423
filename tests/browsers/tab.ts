import { setTimeout as wait } from 'node:timers/promises'

/** One window of a browser, driven by what a person does: addresses, clicks and keys. */
export type Tab = {
  /** Name and version. */
  name: string
  goto: (url: string) => Promise<void>
  /** Runs an expression in the page, awaits it, and returns what is left of it as JSON. */
  evaluate: <T>(expression: string) => Promise<T>
  /** Clicks at CSS pixels of the viewport. */
  click: (x: number, y: number) => Promise<void>
  /** Types into the focused field. */
  type: (text: string) => Promise<void>
  /** Sets the viewport, CSS pixels. */
  resize: (size: Size) => Promise<void>
  /** A PNG of the viewport. */
  picture: () => Promise<Buffer>
  close: () => Promise<void>
}
export type Size = { width: number; height: number }

/** The key presses of a text, as WebDriver takes them. */
export const keyActions = (text: string): object[] =>
  Array.from(text, (value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ]).flat()

/** What a click or a text is looked for by. */
export type Target = {
  /** A CSS selector; links and buttons if left out. */
  in?: string
  /** The accessible name or text, whole; `starts` compares its beginning only. */
  text: string
  starts?: boolean
}

/** How long the page may take until something shows. */
const patienceMs = 60_000

/** Calls a function in the page. It must use nothing but its arguments: only its source travels. */
export const call = <A extends readonly unknown[], T>(
  tab: Tab,
  code: (...args: A) => T,
  ...args: A
): Promise<Awaited<T>> =>
  // esbuild names functions with this helper.
  tab.evaluate(`(globalThis.__name ??= (f) => f, (${code.toString()})(...${JSON.stringify(args)}))`)

/**
 * Calls a function in the page until it returns something other than null, and returns that.
 * @param expected what is missing if that takes longer than a minute, for the error
 */
export async function until<A extends readonly unknown[], T>(
  tab: Tab,
  expected: string,
  code: (...args: A) => T | null,
  ...args: A
): Promise<T> {
  for (const end = performance.now() + patienceMs; performance.now() < end; await wait(50)) {
    const value = (await call(tab, code, ...args)) as T | null
    if (value !== null) return value
  }
  throw new Error(`${tab.name}: no ${expected} within ${patienceMs / 1000} s`)
}

/** Waits until the page shows something where a click reaches it, and it stays there; returns the middle of it. */
export async function find(tab: Tab, target: Target): Promise<{ x: number; y: number }> {
  const point = await call(tab, pointOf, target, patienceMs)
  if (point === null) throw new Error(`${tab.name}: no “${target.text}” within ${patienceMs / 1000} s`)
  return point
}

export async function click(tab: Tab, target: Target): Promise<void> {
  const { x, y } = await find(tab, target)
  await tab.click(x, y)
}

/** Fills a field by its label: clicks into it and types over what it contains. */
export async function fill(tab: Tab, label: string, text: string): Promise<void> {
  await click(tab, { in: 'input', text: label })
  await call(tab, () => (document.activeElement as HTMLInputElement).select())
  await tab.type(text)
}

/** Runs in the page. */
function pointOf(
  { in: selector = 'a, button', text, starts = false }: Target,
  patience: number,
): Promise<{ x: number; y: number } | null> {
  const nameOf = (element: Element): string => {
    const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? []
    const named = ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
    const labels = (element as HTMLInputElement).labels
    const label = labels?.[0]?.textContent ?? ''
    return (element.getAttribute('aria-label') || named || label || (element.textContent ?? ''))
      .replaceAll(/\s+/g, ' ')
      .trim()
  }
  const isNamed = (element: Element): boolean =>
    starts ? nameOf(element).startsWith(text) : nameOf(element) === text
  const hit = (): { x: number; y: number } | null => {
    for (const element of document.querySelectorAll(selector)) {
      if (!isNamed(element) || element.closest('[data-prerendered]') !== null) continue
      if (element.matches(':disabled, [aria-disabled="true"]')) continue
      element.scrollIntoView({ block: 'center' })
      const box = element.getBoundingClientRect()
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
      const top = document.elementFromPoint(x, y)
      const label = (element as HTMLInputElement).labels?.[0]
      if (top !== null && [element, label].some((own) => own?.contains(top) || top.contains(own ?? null)))
        return { x, y }
    }
    return null
  }
  const until = performance.now() + patience
  let last: { x: number; y: number } | null = null
  return new Promise((resolve) => {
    // After a frame: what a sheet slides in has the same place until the next one is drawn, however long that takes.
    const lookLater = (): void => void setTimeout(() => requestAnimationFrame(look), 50)
    const look = (): void => {
      const point = hit()
      // A page that is still loading moves what is in it.
      const isStill = point !== null && point.x === last?.x && point.y === last.y
      last = point
      if (isStill || performance.now() > until) resolve(point)
      else lookLater()
    }
    look()
  })
}
