import type { Page } from '@playwright/test'
import sharp from 'sharp'
import en from '../../locales/en.json' with { type: 'json' }
import type { Member } from './member.ts'
import { expect } from './test.ts'

const { account, verify, withdraw } = en

/** A photo as from a phone: large, with a location in its metadata. */
const photo = () =>
  sharp({ create: { width: 3000, height: 2000, channels: 3, background: '#9ab' } })
    .withExif({ IFD0: { Make: 'Phone' }, IFD3: { GPSLatitude: '31/1 14/1 0/1' } })
    .jpeg()
    .toBuffer()

/** Fills in the form of a withdrawal account, confirms it and expects it to be bound. */
export async function bindAccount(
  page: Page,
  { transactionPassword }: Pick<Member, 'transactionPassword'>,
  name = 'Lin Wei',
): Promise<void> {
  await page.getByLabel(account.accountName).fill(name)
  await page.getByLabel(account.nationality).selectOption('CN')
  await page.getByLabel(account.bank, { exact: true }).fill('China Merchants Bank')
  await page.getByLabel(account.cardNumber).fill('6214 8501 2204 4821')
  await page.getByLabel(account.accountAddress).fill('Shenzhen Nanshan')
  await page.getByLabel(withdraw.password).fill(transactionPassword)
  await page.getByRole('button', { name: account.next }).click()
  await page.getByRole('button', { name: account.confirm }).click()
  await expect(page.getByText('6214 •••• 4821')).toBeVisible()
}

/** Fills in name, number and both photos, without submitting. */
export async function fillVerification(page: Page, name = '林伟'): Promise<void> {
  await page.getByLabel(verify.name).fill(name)
  await page.getByLabel(verify.idNumber).fill('44030119900312451x')
  const file = { name: 'id.jpg', mimeType: 'image/jpeg', buffer: await photo() }
  for (const side of [verify.front, verify.back]) {
    await page.getByLabel(verify.choose.replace('{{photo}}', side)).setInputFiles(file)
  }
  await expect(page.getByText(verify.uploaded)).toHaveCount(2)
}
