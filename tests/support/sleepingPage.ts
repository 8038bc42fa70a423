import type { Page } from '@playwright/test'

/** Nothing in the page runs until `work` is done, and no event announces it: a request blocks its thread, without the processor. */
export async function sleepWhile(page: Page, work: () => Promise<unknown>): Promise<void> {
  await page.route('**/asleep', async (route) => {
    await work()
    await route.fulfill()
  })
  await page.evaluate(() => {
    const request = new XMLHttpRequest()
    request.open('GET', '/asleep', false)
    request.send()
  })
  await page.unroute('**/asleep')
}
