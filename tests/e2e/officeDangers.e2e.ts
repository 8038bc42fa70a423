import { randomUUID } from 'node:crypto'
import { expect as expectNow, type Browser, type Page } from '@playwright/test'
import texts from '../../office/locales/en.json' with { type: 'json' }
import { axeViolations } from '../pageSweep/axe.ts'
import { photo } from '../support/uploads.ts'
import { decide, deskKey, postToOffice } from './officeCalls.ts'
import { openAccount } from './member.ts'
import { ownVenue } from './ownVenue.ts'
import { expect, test } from './test.ts'

ownVenue(14)
test.use({ viewport: { width: 1280, height: 800 } })

const password = 'a password of this venue 7'
const name = 'Anna Kowalska'
const bank = { bank: 'First Bank', accountAddress: 'Street 1', nationality: 'PL', accountName: name }
const changed = texts.change.withdrawal_account
const region = (page: Page) => page.getByRole('region', { name: texts.request.label })

/** A verified member whose withdrawal account was changed a moment ago, and who withdraws. */
async function withdrawAfterChange(page: Page, amount: string): Promise<string> {
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
  await post('/api/verification', { name, idNumber: 'AB1234567', nationality: 'PL', ...photos })
  await decide(page, 'verifications', 'approve')
  await post('/api/withdrawal-account', { type: 'bank', ...bank, cardNumber: '6222 0000 1111 2222' })
  const unbound = await page.request.post(`/desk/withdrawal-accounts/${user.id}/unbind`, {
    headers: { authorization: `Bearer ${deskKey}` },
  })
  expectNow(unbound.ok()).toBe(true)
  await post('/api/withdrawal-account', { type: 'bank', ...bank, cardNumber: '6222 0000 3333 4444' })
  await post('/api/withdrawals', { amount, transactionPassword })
  return account
}

async function enrol(page: Page, code: string): Promise<void> {
  await page.goto(`/office/#/enrol/${code}`)
  await page.getByLabel(texts.enrol.password, { exact: true }).fill(password)
  await page.getByLabel(texts.enrol.again, { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: texts.queue.deposits.title })).toBeVisible()
}

async function takeNext(page: Page, queue: 'withdrawals' | 'proposals' | 'payments'): Promise<void> {
  await page.goto(`/office/#/${queue}`)
  await expect(page.getByRole('heading', { level: 1, name: texts.queue[queue].title })).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.keyboard.press('n')
}

async function asMember<T>(browser: Browser, baseURL: string, work: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ baseURL })
  const result = await work(await context.newPage())
  await context.close()
  return result
}

/** By keyboard: Enter alone does nothing, the amount and Enter do. */
async function acceptTyping(page: Page, amount: string, account: string): Promise<void> {
  await expect(region(page)).toContainText(changed)
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('listitem').first()).toContainText(changed)
  await expect(dialog).toContainText(account)
  await expect(dialog.getByLabel(texts.danger.type)).toBeFocused()
  expectNow(await axeViolations(page, 'danger')).toEqual([])
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText(texts.danger.other)
  await page.keyboard.type(amount)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
}

test('a withdrawal after a change of its account is approved by nobody who only presses Enter, nor by the second person', async ({
  page,
  browser,
  baseURL,
}) => {
  const amount = '6000.00'
  const account = await asMember(browser, baseURL ?? '', (own) => withdrawAfterChange(own, amount))
  const invite = async (clerk: string): Promise<string> => {
    const answer = await postToOffice<{ enrolment: { code: string } }>(page, '/staff', {
      name: clerk,
      role: 'finance',
    })
    return answer.enrolment.code
  }
  const [first, second] = [await invite('fay.fin'), await invite('jun.wei')]

  await test.step('the first person sees the change, and types the amount', async () => {
    await enrol(page, first)
    await asMember(browser, baseURL ?? '', (own) => enrol(own, second))
    await takeNext(page, 'withdrawals')
    await expect(region(page)).toContainText(texts.facts.title)
    await expect(region(page)).toContainText('6222 0000 3333 4444')
    expectNow(await axeViolations(page, 'withdrawal')).toEqual([])
    await acceptTyping(page, amount, account)
    await expect(page.getByText(texts.proposal.made)).toBeVisible()
    await page.getByRole('button', { name: texts.account.logOut }).click()
  })

  await test.step('the second person sees the same, and types it too', async () => {
    await page.getByLabel(texts.login.name).fill('jun.wei')
    await page.getByLabel(texts.login.password, { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await expect(page.getByText(texts.role.finance, { exact: true })).toBeVisible()
    await takeNext(page, 'proposals')
    await expect(region(page)).toContainText('6222 0000 3333 4444')
    await expect(region(page)).toContainText('fay.fin')
    expectNow(await axeViolations(page, 'proposal')).toEqual([])
    await acceptTyping(page, amount, account)
    await expect(page.getByText(texts.request.confirmed)).toBeVisible()
    await takeNext(page, 'payments')
    await expect(region(page)).toContainText(texts.status.approved)
  })
})
