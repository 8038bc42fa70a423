/*
 * Screens ask the venue again and again by themselves. Only the page can tell that nobody is at it: without that, a queue that
 * is left open would keep its session alive all night.
 */

/** For so long what is asked may be because of a key or a click: a chunk loads first, or an answer leads to another call. */
const answeredMs = 5000
const inputs = ['keydown', 'pointerdown', 'click', 'input', 'wheel', 'touchmove'] as const

let lastAt = Date.now()

/** Notes every key, click and turn of the wheel. */
export function watchAttention(): () => void {
  const note = (): void => {
    lastAt = Date.now()
  }
  note()
  for (const type of inputs) addEventListener(type, note, { capture: true, passive: true })
  return () => {
    for (const type of inputs) removeEventListener(type, note, { capture: true })
  }
}

/** Marks a call that no person caused: the venue answers it, and the session is no younger for it. */
export const attentionHeaders = (): Record<string, string> =>
  Date.now() - lastAt > answeredMs ? { 'X-Unattended': '1' } : {}
