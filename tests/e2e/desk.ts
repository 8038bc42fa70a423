import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'

/** The key of the tests' own venue. */
export const deskKey = 'a-desk-key-for-the-browser-tests-alone'

/** Customer service at its desk: one call that writes something new. */
export async function desk(page: Page, path: string, data: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${deskKey}` }
  const answer = await page.request.post(`/desk${path}`, { data, headers })
  expect(answer.status()).toBe(201)
}
