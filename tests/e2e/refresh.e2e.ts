import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { openHome } from './member.ts'

test.use({ hasTouch: true })

/** Swipes with one finger. */
async function swipe(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const at = (share: number) => {
    const [x, y] = [0, 1].map((i) => (from[i] ?? 0) + ((to[i] ?? 0) - (from[i] ?? 0)) * share)
    return [{ x: x ?? 0, y: y ?? 0 }]
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) })
  for (let step = 1; step <= 6; step++) {
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step / 6) })
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}

const waitForGet = (page: Page, path: string) =>
  page.waitForRequest((request) => new URL(request.url()).pathname === path && request.method() === 'GET')

test('a pull from the top refreshes streams and fetched data', async ({ page }) => {
  await openHome(page)
  const answers = [waitForGet(page, '/api/me/assets'), waitForGet(page, '/api/news')]
  await swipe(page, [195, 300], [195, 560])
  await Promise.all(answers)
  await expect(page.locator('output[data-refreshing]')).toHaveCount(0)
})
