import { expect as expectNow, type Browser, type Page } from '@playwright/test'
import texts from '../../office/locales/en.json' with { type: 'json' }
import { axeViolations } from '../pageSweep/axe.ts'
import { photo } from '../support/uploads.ts'
import { openAccount } from './member.ts'
import { postToOffice } from './officeCalls.ts'
import { ownVenue } from './ownVenue.ts'
import { expect, test } from './test.ts'

test.describe.configure({ mode: 'default' })
ownVenue(15)
test.use({ viewport: { width: 1280, height: 800 } })

const password = 'a password of this venue 7'

/** A new member who has sent a verification and two messages; returns the account. */
async function askForMuch(browser: Browser, baseURL: string | undefined, name: string): Promise<string> {
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  const page = await context.newPage()
  const { account, password: secret } = await openAccount(page)
  const logIn = await page.request.post('/api/auth/login', { data: { account, password: secret } })
  const headers = { 'X-CSRF-Token': ((await logIn.json()) as { token: string }).token }
  // As the app does when it starts: its language is that of replies.
  expectNow((await page.request.get('/api/me')).ok()).toBe(true)
  const upload = async (purpose: string): Promise<string> => {
    const file = { name: 'document.jpg', mimeType: 'image/jpeg', buffer: await photo(640) }
    const sent = await page.request.post('/api/uploads', { multipart: { purpose, file }, headers })
    return ((await sent.json()) as { uploadId: string }).uploadId
  }
  const [frontUploadId, backUploadId] = [await upload('id_front'), await upload('id_back')]
  const person = {
    name,
    idNumber: `AB${account.replaceAll(/\D/g, '').slice(-7)}`,
    nationality: 'PL',
    frontUploadId,
    backUploadId,
  }
  expectNow((await page.request.post('/api/verification', { data: person, headers })).status()).toBe(201)
  for (const body of ['Hello', 'Where is my letter?'])
    await page.request.post('/api/service/messages', { data: { body }, headers })
  await context.close()
  return account
}

async function setUp(page: Page, code: string): Promise<void> {
  await page.goto(`/office/#/enrol/${code}`)
  await page.getByLabel(texts.enrol.password, { exact: true }).fill(password)
  await page.getByLabel(texts.enrol.again, { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

test('compliance and customer service work by keyboard: a verification, a record with notes, conversations', async ({
  page,
  browser,
  baseURL,
}) => {
  const account = await askForMuch(browser, baseURL, 'Anna Kowalska')
  await askForMuch(browser, baseURL, 'Tomas Novak')
  const invite = async (name: string, role: string): Promise<string> => {
    const body = await postToOffice<{ enrolment: { code: string } }>(page, '/staff', { name, role })
    return body.enrolment.code
  }
  // Before a second person is active, from when on two decide about the staff.
  const codes = { ann: await invite('ann', 'compliance'), sue: await invite('sue', 'support') }
  const dialog = page.getByRole('dialog')
  const request = page.getByRole('region', { name: texts.request.label, exact: true })

  await test.step('a verification is decided once both photos are shown', async () => {
    await setUp(page, codes.ann)
    await expect(page.getByRole('heading', { level: 1, name: texts.queue.verifications.title })).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: 'Poland' })).toHaveCount(2)
    expectNow(await axeViolations(page, 'verifications')).toEqual([])
    await page.keyboard.press('n')
    await expect(request).toContainText('Anna Kowalska')
    const verify = page.getByRole('button', { name: texts.request.verify })
    await expect(verify).not.toHaveAttribute('aria-disabled')
    expectNow(await axeViolations(page, 'verification')).toEqual([])
    await page.keyboard.press('a')
    await expect(dialog.getByRole('button', { name: texts.request.verify })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(request).toContainText('Tomas Novak')
  })

  await test.step('the member is found by a part of the name, and the record says who it is and what happened', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('kowal')
    await expect(page.getByRole('option', { name: `${account} · Anna Kowalska` })).toBeVisible()
    expectNow(await axeViolations(page, 'search')).toEqual([])
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Anna Kowalska' })).toBeVisible()
    await page.keyboard.press('i')
    await expect(page.getByText(/^AB\d+$/)).toBeVisible()
    await page.keyboard.press('8')
    await expect(page.getByRole('row').filter({ hasText: texts.event.verification })).toBeVisible()
    expectNow(await axeViolations(page, 'timeline')).toEqual([])
    await page.keyboard.press('9')
    await page.keyboard.press('r')
    await page.keyboard.type('Sends a letter of the bank.')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('list', { name: texts.member.notes })).toContainText('letter of the bank')
    expectNow(await axeViolations(page, 'notes')).toEqual([])
    // What takes away does not begin at its button.
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('f')
    await expect(dialog.getByRole('button', { name: texts.action.cancel })).toBeFocused()
    expectNow(await axeViolations(page, 'freeze')).toEqual([])
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
  })

  await test.step('Escape closes a request in the record, then leads back to the search, and to the list as it was left', async () => {
    const rowOf = page.getByRole('row').filter({ hasText: account })
    await page.keyboard.press('4')
    await page.getByRole('row').filter({ hasText: texts.status.verified }).click()
    await expect(request).toContainText('Anna Kowalska')
    await page.keyboard.press('Escape')
    await expect(request).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('combobox', { name: texts.search.field })).toHaveValue('kowal')
    await expect(page.getByRole('option', { name: `${account} · Anna Kowalska` })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.goto(`/office/#/members?account=${account}`)
    await rowOf.click()
    await expect(page.getByRole('heading', { level: 1, name: 'Anna Kowalska' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByLabel(texts.member.accountBegins)).toHaveValue(account)
    await expect(rowOf).toBeFocused()
    await page.reload()
    await page.goto(`/office/#/members`)
  })

  await test.step('one conversation is answered, the other one closed without a reply', async () => {
    await page.getByRole('button', { name: texts.account.logOut }).click()
    await setUp(page, codes.sue)
    await expect(
      page.getByRole('heading', { level: 1, name: texts.queue['password-requests'].title }),
    ).toBeVisible()
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await expect(page.getByRole('row').filter({ hasText: 'Where is my letter?' })).toHaveCount(2)
    expectNow(await axeViolations(page, 'conversations')).toEqual([])
    await page.keyboard.press('n')
    await expect(request.getByRole('log')).toContainText('Where is my letter?')
    await expect(request).toContainText(account)
    await expect(request).toContainText('Anna Kowalska')
    expectNow(await axeViolations(page, 'conversation')).toEqual([])
    await page.getByLabel(texts.queue.order, { exact: true }).selectOption('newest')
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('m')
    await expect(page.getByRole('heading', { level: 1, name: 'Anna Kowalska' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(request.getByRole('log')).toContainText('Where is my letter?')
    await expect(page.getByLabel(texts.queue.order, { exact: true })).toHaveValue('newest')
    await page.keyboard.press('Control+/')
    await page.keyboard.type('order number')
    expectNow(await axeViolations(page, 'ready-made replies')).toEqual([])
    await page.keyboard.press('Enter')
    await expect(page.getByLabel(texts.thread.reply, { exact: true })).not.toHaveValue('')
    await page.getByLabel(texts.thread.reply, { exact: true }).fill('')
    await page.keyboard.press('Escape')
    await page.keyboard.press('r')
    await expect(page.getByLabel(texts.thread.reply, { exact: true })).toBeFocused()
    await page.keyboard.type('It is on its way.')
    await page.keyboard.press('Control+Enter')
    await expect(request.getByRole('log')).toContainText('It is on its way.')
    await expect(request).toContainText(account)
    await page.keyboard.press('n')
    await expect(request).not.toContainText(account)
    await expect(request.getByRole('log')).toContainText('Where is my letter?')
    await expect(page.getByRole('button', { name: texts.thread.done })).toBeVisible()
    await page.keyboard.press('d')
    await expect(dialog).toContainText(texts.thread.doneEffect)
    expectNow(await axeViolations(page, 'closing')).toEqual([])
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(page.getByText(texts.queue.empty)).toBeVisible()
  })
})
