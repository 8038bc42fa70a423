import { randomUUID } from 'node:crypto'
import { expect as expectNow, type Browser, type Page } from '@playwright/test'
import texts from '../../office/locales/en.json' with { type: 'json' }
import { photo } from '../support/uploads.ts'
import { decide, deskKey, postToOffice } from './officeCalls.ts'
import { openAccount } from './member.ts'
import { expect } from './test.ts'

export const staffPassword = 'a password of this venue 7'

const name = 'Anna Kowalska'
const bank = { bank: 'First Bank', accountAddress: 'Street 1', nationality: 'PL', accountName: name }

/** Works in a browser of its own, which is closed at the end. */
export async function asMember<T>(
  browser: Browser,
  baseURL: string,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ baseURL })
  const result = await work(await context.newPage())
  await context.close()
  return result
}

type Asked = {
  amounts: readonly string[]
  /** Whether the withdrawal account was changed a moment ago. */
  isChanged?: boolean
}

/** A new verified member asks for withdrawals; returns the account. */
export async function askToWithdraw(page: Page, { amounts, isChanged = false }: Asked): Promise<string> {
  const { account, password: secret, transactionPassword } = await openAccount(page)
  const logIn = await page.request.post('/api/auth/login', { data: { account, password: secret } })
  const { token, user } = (await logIn.json()) as { token: string; user: { id: string } }
  const headers = { 'X-CSRF-Token': token }
  const post = async (path: string, data: object): Promise<void> => {
    const answer = await page.request.post(path, {
      data,
      headers: { ...headers, 'Idempotency-Key': randomUUID() },
    })
    expectNow([path, answer.status()]).toEqual([path, 201])
  }
  const upload = async (purpose: string): Promise<string> => {
    const file = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await photo() }
    const answer = await page.request.post('/api/uploads', { multipart: { purpose, file }, headers })
    return ((await answer.json()) as { uploadId: string }).uploadId
  }
  const photos = { frontUploadId: await upload('id_front'), backUploadId: await upload('id_back') }
  // Of its own, so that it has no danger.
  const digits = account.replaceAll(/\D/g, '')
  await post('/api/verification', { name, idNumber: `AB${digits}`, nationality: 'PL', ...photos })
  await decide(page, 'verifications', 'approve')
  await post('/api/withdrawal-account', { type: 'bank', ...bank, cardNumber: `6222 ${digits}` })
  if (isChanged) {
    const unbound = await page.request.post(`/desk/withdrawal-accounts/${user.id}/unbind`, {
      headers: { authorization: `Bearer ${deskKey}` },
    })
    expectNow(unbound.ok()).toBe(true)
    await post('/api/withdrawal-account', { type: 'bank', ...bank, cardNumber: '6222 0000 3333 4444' })
  }
  for (const amount of amounts) await post('/api/withdrawals', { amount, transactionPassword })
  return account
}

/** Invites one of finance; returns the code. */
export async function inviteFinance(page: Page, clerk: string): Promise<string> {
  const data = { name: clerk, role: 'finance' }
  const { enrolment } = await postToOffice<{ enrolment: { code: string } }>(page, '/staff', data)
  return enrolment.code
}

/** Sets the password with an invitation, and waits for the first queue of finance. */
export async function enrolFinance(page: Page, code: string): Promise<void> {
  await page.goto(`/office/#/enrol/${code}`)
  await page.getByLabel(texts.enrol.password, { exact: true }).fill(staffPassword)
  await page.getByLabel(texts.enrol.again, { exact: true }).fill(staffPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: texts.queue.deposits.title })).toBeVisible()
}

/** Logs out, and another one of finance in. */
export async function changeClerk(page: Page, clerk: string): Promise<void> {
  await page.getByRole('button', { name: texts.account.logOut }).click()
  await page.getByLabel(texts.login.name).fill(clerk)
  await page.getByLabel(texts.login.password, { exact: true }).fill(staffPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByText(texts.role.finance, { exact: true })).toBeVisible()
}

/** Opens a queue in which so many wait, and takes the next one. */
export async function takeNext(
  page: Page,
  queue: 'withdrawals' | 'proposals' | 'payments',
  waiting = 1,
): Promise<void> {
  await page.goto(`/office/#/${queue}`)
  await expect(page.getByRole('heading', { level: 1, name: texts.queue[queue].title })).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(waiting + 1)
  await page.keyboard.press('n')
}
