import type { Page } from '@playwright/test'
import { openHome } from './member.ts'
import { expect, test } from './test.ts'
import { swipe } from './touch.ts'

test.use({ hasTouch: true })

const waitForGet = (page: Page, path: string) =>
  page.waitForRequest((request) => new URL(request.url()).pathname === path && request.method() === 'GET')

test('a pull from the top refreshes streams and fetched data', async ({ page }) => {
  await openHome(page)
  const answers = [waitForGet(page, '/api/me/assets'), waitForGet(page, '/api/news')]
  await swipe(page, [195, 300], [195, 560])
  await Promise.all(answers)
  await expect(page.locator('output[data-refreshing]')).toHaveCount(0)
})
