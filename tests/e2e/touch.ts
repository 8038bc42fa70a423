import type { Page } from '@playwright/test'

/** Seconds between two events of a swipe, by the clock of the events: a busy machine sends them later. */
const stepS = 0.02

/** Swipes with one finger. */
export async function swipe(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const at = (share: number) => {
    const [x, y] = [0, 1].map((i) => (from[i] ?? 0) + ((to[i] ?? 0) - (from[i] ?? 0)) * share)
    return [{ x: x ?? 0, y: y ?? 0 }]
  }
  const startedAt = Date.now() / 1000
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', step: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : at(step / 6),
      timestamp: startedAt + step * stepS,
    })
  await send('touchStart', 0)
  for (let step = 1; step <= 6; step++) await send('touchMove', step)
  await send('touchEnd', 7)
  await session.detach()
}
