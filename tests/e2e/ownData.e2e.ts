import { readFile } from 'node:fs/promises'
import { strFromU8, unzipSync } from 'fflate'
import en from '../../locales/en.json' with { type: 'json' }
import { paths } from '../../src/paths.ts'
import { logIn } from './member.ts'
import { expect, test } from './test.ts'

const { ownData, title } = en

test('a member downloads everything', async ({ page }) => {
  const member = await logIn(page)
  await page.goto(`/#${paths.settings}`)
  await page.getByRole('link', { name: title.ownData }).click()
  await expect(page.getByRole('heading', { name: ownData.stays })).toBeVisible()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: ownData.download }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe('my-data.zip')
  const files = unzipSync(new Uint8Array(await readFile(await saved.path())))
  expect(JSON.parse(strFromU8(files['profile.json']!))).toMatchObject({ account: member.account })
  expect(strFromU8(files['ledger.csv']!)).toContain('"grant","10000.00"')
  await expect(page.getByText(en.file.saved.replace('{{name}}', 'my-data.zip'))).toBeVisible()
})

test('an account is closed for good with its practice money, here and on the other devices', async ({
  page,
  browser,
  baseURL,
}) => {
  const member = await logIn(page)
  const other = await browser.newContext({ storageState: await page.context().storageState() })
  await page.goto(`/#${paths.ownData}`)
  await page.getByRole('button', { name: ownData.close }).click()
  await page.getByRole('button', { name: ownData.confirm }).click()
  await expect(page.getByText(en.error.EMPTY)).toBeVisible()
  await page.getByLabel(en.withdraw.password).fill(member.transactionPassword)
  await page.getByRole('button', { name: ownData.confirm }).click()
  await expect(page.getByText(ownData.closed)).toBeVisible()
  expect((await other.request.get(`${baseURL}/api/me`)).status()).toBe(401)
  await other.close()

  await page.goto(`/#${paths.login}`)
  await page.getByLabel(en.login.account, { exact: true }).fill(member.account)
  await page.getByLabel(en.login.password, { exact: true }).fill(member.password)
  await page.getByRole('button', { name: en.login.submit }).click()
  await expect(page.getByText(en.error.BAD_CREDENTIALS)).toBeVisible()
})
