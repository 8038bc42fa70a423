import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import en from '../../locales/en.json' with { type: 'json' }
import { textOf } from './download.ts'
import { logIn } from './member.ts'
import { expect, test } from './test.ts'

const { records, statement } = en

test('the capital record names what moved, and a month of it is saved as CSV and as PDF', async ({
  page,
}) => {
  await logIn(page)
  const csv = await test.step('a new member has the statement of the running month', async () => {
    await page.goto('/#/pages/money-record/money-record')
    await expect(page.getByRole('listitem').getByText(records.types.grant)).toBeVisible()
    await page.getByRole('button', { name: statement.title }).click()
    await expect(page.getByRole('dialog').getByLabel(statement.month)).toBeVisible()
    return textOf(await saved(page, statement.csv))
  })
  expect(csv.charCodeAt(0)).toBe(0xfeff)
  expect(csv).toContain(`"${records.types.grant}","","","","10000.00","10000.00","0.00","0.00"`)
  expect(csv).toContain('"Closing balance"')

  await test.step('the PDF is a PDF, with a name that tells its month', async () => {
    const file = await saved(page, statement.pdf)
    expect(file.suggestedFilename()).toMatch(/^statement-\d{4}-\d{2}\.pdf$/)
    const bytes = await readFile(await file.path())
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  })
})

async function saved(page: Page, name: string) {
  const saving = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name }).click()
  return saving
}
