import type { Page } from '@playwright/test'
import { expect } from './test.ts'

/** Waits until the page of an order has checked its proof, and opens the checks. None has failed; in English. */
export async function openChecks(page: Page): Promise<void> {
  await expect(page.getByText(/^(Checked|\d+ of \d+ checked) on this device/)).toBeVisible()
  await page.getByRole('button', { name: /checks? passed/ }).click()
}
