import en from '../../locales/en.json' with { type: 'json' }
import { inLanguage } from './member.ts'
import { expect, test } from './test.ts'

test('a visitor without an account reads the status of each product @short', async ({ page }) => {
  await inLanguage(page, 'en')
  await page.goto('/')
  await page.getByRole('link', { name: en.title.status, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: en.title.status })).toBeVisible()
  const product = page.getByRole('region', { name: /EUR\/USD/ })
  await expect(product).toContainText(en.status.since)
  const heads = page.getByRole('region', { name: en.status.heads })
  await expect(heads).toContainText(/EUR\/USD.*#\d+ · [0-9a-f]{6}…[0-9a-f]{4}/)
  await expect(page.getByRole('region', { name: en.proof.log })).toContainText(en.status.noWitnesses)
})
