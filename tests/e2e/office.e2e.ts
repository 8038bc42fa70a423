import { randomUUID } from 'node:crypto'
import { expect as expectNow, type Page } from '@playwright/test'
import reasons from '../../office/canned/en.json' with { type: 'json' }
import texts from '../../office/locales/en.json' with { type: 'json' }
import de from '../../locales/de.json' with { type: 'json' }
import { axeViolations } from '../pageSweep/axe.ts'
import { photo } from '../support/uploads.ts'
import { postToOffice } from './officeCalls.ts'
import { fillLate } from './fillLate.ts'
import { openAccount } from './member.ts'
import { ownVenue } from './ownVenue.ts'
import { expect, test } from './test.ts'

// They change what all members of a venue share, and share a venue of their own.
test.describe.configure({ mode: 'default' })
ownVenue(5)
test.use({ viewport: { width: 1280, height: 800 } })

const password = 'a password of this venue 7'

const { deposits } = texts.queue
const requests = 5
const pressesMax = 4

/** Deposits of a new member that wait for a decision, each of another amount, with proof; returns the account. */
async function placeDeposits(page: Page): Promise<string> {
  const { account, password: secret } = await openAccount(page)
  const logIn = await page.request.post('/api/auth/login', { data: { account, password: secret } })
  const { token } = (await logIn.json()) as { token: string }
  // As the app does when it starts: its language is that of the reasons.
  expectNow((await page.request.get('/api/me')).ok()).toBe(true)
  for (let at = 1; at <= requests; at++) {
    const upload = await page.request.post('/api/uploads', {
      multipart: {
        purpose: 'deposit_proof',
        file: { name: 'receipt.jpg', mimeType: 'image/jpeg', buffer: await photo(64 + at) },
      },
      headers: { 'X-CSRF-Token': token },
    })
    const { uploadId: proofUploadId } = (await upload.json()) as { uploadId: string }
    const answer = await page.request.post('/api/deposits', {
      data: { methodId: 'practice-review', amount: `${100 + at}.00`, proofUploadId },
      headers: { 'X-CSRF-Token': token, 'Idempotency-Key': randomUUID() },
    })
    expectNow(answer.status()).toBe(201)
  }
  return account
}

/** Counts every key press of the page from here on. */
async function countPresses(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    Object.assign(globalThis, { presses: 0 })
    addEventListener('keydown', () => (globalThis as unknown as { presses: number }).presses++, true)
  })
  return () => page.evaluate(() => (globalThis as unknown as { presses: number }).presses)
}

/** At 320 px nothing is wider than the screen; what a table or dialog cannot fit scrolls by itself. */
async function expectNarrow(page: Page, paths: readonly string[]): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 })
  for (const path of paths) {
    await page.goto(`/office/#${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const width = () => page.evaluate(() => document.documentElement.scrollWidth)
    expectNow([path, await width()]).toEqual([path, 320])
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

test('an admin sets up an account, invites a clerk, and puts the site into maintenance by keyboard', async ({
  page,
}) => {
  const { enrolment } = await postToOffice<{ enrolment: { code: string } }>(page, '/staff', {
    name: 'boss',
    role: 'admin',
  })
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))

  await test.step('the link of the invitation sets the password and logs in', async () => {
    await page.goto(`/office/#/enrol/${enrolment.code}`)
    await page.getByLabel(texts.enrol.password, { exact: true }).fill(password)
    await page.getByLabel(texts.enrol.again, { exact: true }).fill(password)
    expectNow(await axeViolations(page, 'enrolment')).toEqual([])
    await page.keyboard.press('Enter')
    await expect(page.getByText(texts.role.admin, { exact: true })).toBeVisible()
  })

  await test.step('a clerk is invited', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('f')
    await expect(page.getByRole('row', { name: 'boss' })).toBeVisible()
    expectNow(await axeViolations(page, 'staff')).toEqual([])
    await page.keyboard.press('+')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByLabel(texts.login.name)).toBeFocused()
    await page.keyboard.type('mei.lin')
    await dialog.getByLabel(texts.staff.role).selectOption('support')
    await dialog.getByLabel(texts.login.name).focus()
    expectNow(await axeViolations(page, 'dialog')).toEqual([])
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('row', { name: 'mei.lin' })).toBeVisible()
    await expect(page.getByText(/\/office\/#\/enrol\/./)).toBeVisible()
  })

  await test.step('the site closes and opens', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await expect(page.getByText(texts.site.up)).toBeVisible()
    await page.keyboard.press('b')
    await expect(page.getByRole('dialog').getByRole('button', { name: texts.action.cancel })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(
      page.getByRole('definition').getByText(texts.site.maintenance, { exact: true }),
    ).toBeVisible()
    expectNow(await axeViolations(page, 'maintenance')).toEqual([])
    await page.keyboard.press('o')
    await expect(page.getByRole('dialog').getByRole('button', { name: texts.site.open })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText(texts.site.up)).toBeVisible()
  })

  await test.step('the switch of the single-key shortcuts has its name beside it, and a size', async () => {
    await page.keyboard.press('?')
    const help = page.getByRole('dialog')
    await expect(help.getByText(texts.keys.single)).toBeVisible()
    const box = await help.getByRole('switch', { name: texts.keys.single }).boundingBox()
    expectNow(box?.width).toBeGreaterThanOrEqual(44)
    await page.keyboard.press('Escape')
    await expect(help).toBeHidden()
  })

  await test.step('a command is found by its name, and the act log says who did what', async () => {
    await page.keyboard.press('/')
    await expect(page.getByRole('combobox')).toBeFocused()
    await page.keyboard.type(texts.nav.audit)
    await expect(page.getByRole('option', { name: texts.nav.audit }).first()).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('row', { name: /boss.*mei\.lin|boss/ }).first()).toBeVisible()
    expectNow(await axeViolations(page, 'audit')).toEqual([])
  })

  await test.step('all of it came from the office and its calls, and a member loads nothing of it', async () => {
    expectNow(requested.filter((path) => !/^\/(office|desk)\/|^\/(icon|oldBrowser\.js$)/.test(path))).toEqual(
      [],
    )
    const ofMember: string[] = []
    const memberPage = await page.context().newPage()
    memberPage.on('request', (request) => ofMember.push(new URL(request.url()).pathname))
    await memberPage.goto('/')
    await expect(memberPage.getByRole('heading').first()).toBeVisible()
    expectNow(ofMember.filter((path) => path.startsWith('/office'))).toEqual([])
  })

  await test.step('every screen fits a phone', () =>
    expectNarrow(page, ['/venue', '/limits', '/codes', '/staff', '/audit', '/proposals', '/account']))

  await test.step('after the log-out nothing is shown', async () => {
    await page.getByRole('button', { name: texts.account.logOut }).click()
    await expect(page.getByRole('heading', { name: texts.login.title })).toBeVisible()
    await expect(page.getByText('mei.lin')).toHaveCount(0)
  })
})

test('a clerk decides requests by keyboard, each with at most 4 presses @short', async ({
  page,
  browser,
  baseURL,
}) => {
  const memberContext = await browser.newContext({ baseURL: baseURL ?? '' })
  const account = await placeDeposits(await memberContext.newPage())
  await memberContext.close()
  const { enrolment } = await postToOffice<{ enrolment: { code: string } }>(page, '/staff', {
    name: 'jun.wei',
    role: 'finance',
  })
  // Invited before a second person is active, from when on two decide about the staff.
  const editor = await postToOffice<{ enrolment: { code: string } }>(page, '/staff', {
    name: 'an.editor',
    role: 'content',
  })

  await test.step('the link of the invitation sets the password and logs in', async () => {
    await page.goto(`/office/#/enrol/${enrolment.code}`)
    await page.getByLabel(texts.enrol.password, { exact: true }).fill(password)
    await page.getByLabel(texts.enrol.again, { exact: true }).fill(password)
    expectNow(await axeViolations(page, 'enrolment')).toEqual([])
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: deposits.title })).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(requests + 1)
    expectNow(await axeViolations(page, 'queue')).toEqual([])
  })

  await test.step('deposits are decided, every third is rejected', async () => {
    const presses = await countPresses(page)
    const dialog = page.getByRole('dialog')
    await page.keyboard.press('n')
    let before = 0
    for (let at = 1; at <= requests; at++) {
      // Its own facts come first: below them stand the member's other requests.
      const facts = page.getByRole('region', { name: texts.request.label }).locator('dl').first()
      await expect(facts).toContainText(`${100 + at}.00`)
      const isRejected = at % 3 === 0
      // Nobody decides before the proof is on the screen.
      const act = page.getByRole('button', { name: isRejected ? texts.request.reject : texts.request.credit })
      await expect(act).not.toHaveAttribute('aria-disabled')
      await page.keyboard.press(isRejected ? 'r' : 'a')
      if (isRejected) {
        await expect(dialog.getByRole('group', { name: texts.reject.reasons })).toBeFocused()
        await expect(dialog).toContainText(reasons.reasons.deposits.amountDiffers)
        await page.keyboard.press('2')
        await expect(dialog.getByRole('checkbox').nth(1)).toBeChecked()
      } else {
        await expect(dialog.getByRole('button', { name: texts.request.credit })).toBeFocused()
      }
      if (at === 1 || at === 3) expectNow(await axeViolations(page, `decision ${at}`)).toEqual([])
      await page.keyboard.press('Enter')
      await expect(dialog).toBeHidden()
      // The next request opens by itself: only the first one needs a press for that.
      const after = await presses()
      expectNow(after - before).toBeLessThanOrEqual(pressesMax)
      before = after
    }
    await expect(page.getByText(texts.queue.empty)).toBeVisible()
  })

  await test.step('the member is found, and the record says what was decided and by whom', async () => {
    await page.keyboard.press('/')
    await expect(page.getByRole('combobox')).toBeFocused()
    await page.keyboard.type(account)
    await expect(page.getByRole('option', { name: account }).first()).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: account })).toBeVisible()
    expectNow(await axeViolations(page, 'record')).toEqual([])
    await page.getByRole('tab', { name: texts.member.requests }).click()
    await expect(page.getByRole('row').filter({ hasText: 'jun.wei' })).toHaveCount(requests)
    await page.getByRole('grid', { name: deposits.title }).getByRole('row').nth(1).click()
    await expect(page.getByRole('region', { name: texts.request.label })).toBeVisible()
    expectNow(await axeViolations(page, 'request in the record')).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { level: 1, name: account })).toBeVisible()
  })

  await test.step('the timeline has it too, and a note stays for the colleagues', async () => {
    await page.keyboard.press('8')
    const timeline = page.getByRole('grid', { name: texts.member.timeline })
    await expect(timeline.getByRole('row').filter({ hasText: 'jun.wei' })).toHaveCount(requests)
    expectNow(await axeViolations(page, 'timeline')).toEqual([])
    await page.keyboard.press('9')
    await page.keyboard.press('r')
    await expect(page.getByLabel(texts.note.label)).toBeFocused()
    await page.keyboard.type('Sends a receipt each time.')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('list', { name: texts.member.notes })).toContainText(
      'Sends a receipt each time.',
    )
    expectNow(await axeViolations(page, 'notes')).toEqual([])
  })

  await test.step('queues and the record fit a phone', async () => {
    const record = new URL(page.url()).hash.slice(1)
    await expectNarrow(page, ['/deposits', '/withdrawals', '/payments', '/verifications', record])
  })

  await test.step('another one writes news, changes a standing page as members see it, and publishes the version before again', async () => {
    await page.getByRole('button', { name: texts.account.logOut }).click()
    await expect(page.getByRole('heading', { name: texts.login.title })).toBeVisible()
    await page.goto(`/office/#/enrol/${editor.enrolment.code}`)
    await page.getByLabel(texts.enrol.password, { exact: true }).fill(password)
    await page.getByLabel(texts.enrol.again, { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    // The button, and once more in the dialog, which says what becomes public.
    const publish = async () => {
      const button = { name: texts.article.publish, exact: true }
      await page.getByRole('button', button).click()
      await page.getByRole('dialog').getByRole('button', button).click()
      await expect(page.getByRole('dialog')).toBeHidden()
    }
    await page.getByRole('button', { name: texts.article.new }).click()
    await page.getByLabel(texts.article.title, { exact: true }).fill('Office hours')
    await page.getByLabel(texts.article.body).fill('We answer **every day**.')
    await publish()
    // It stays open as what it is now: publishing again changes it, and adds no second one.
    await expect(page.getByRole('grid', { name: texts.article.versions }).getByRole('row')).toHaveCount(2)
    await page.getByLabel(texts.article.body).fill('We answer on **weekdays**.')
    await publish()
    await expect(page.getByRole('grid', { name: texts.article.versions }).getByRole('row')).toHaveCount(3)
    await expect(page.getByRole('row', { name: 'Office hours' })).toHaveCount(1)
    expectNow(await axeViolations(page, 'news editor')).toEqual([])

    await page.getByLabel(texts.article.kind).selectOption(texts.article.kinds.pages)
    await page.getByRole('row', { name: /^Risk/ }).click()
    await page.getByLabel(texts.article.language).selectOption('de')
    const preview = page.getByRole('region', { name: texts.article.preview })
    const body = page.getByLabel(texts.article.body)
    await expect(body).toHaveValue(/\w/)
    await body.fill('Neue **Warnung**.')
    await expect(preview.locator('strong')).toHaveText('Warnung')
    await expect(preview).toContainText(de.content.updated.replace('{{date}}', ''))
    expectNow(await axeViolations(page, 'page editor')).toEqual([])
    await publish()
    const versions = page.getByRole('grid', { name: texts.article.versions })
    await expect(versions.getByRole('row')).toHaveCount(3)
    const shown = async () =>
      (await (await page.request.get('/api/pages/risk?lang=de')).json()) as { body: string }
    expectNow((await shown()).body).toBe('Neue **Warnung**.')

    await versions.getByRole('row', { name: texts.article.fromBuild }).click()
    await page.keyboard.press('p')
    await expect(
      page.getByRole('dialog').getByRole('button', { name: texts.article.republish }),
    ).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(versions.getByRole('row')).toHaveCount(4)
    expectNow((await shown()).body).not.toBe('Neue **Warnung**.')
  })
})

test('what a password manager sets last is sent by the office too', async ({ page }) => {
  const { enrolment } = await postToOffice<{ enrolment: { code: string } }>(page, '/staff', {
    name: 'late.values',
    role: 'support',
  })
  await page.goto(`/office/#/enrol/${enrolment.code}`)
  const field = (label: string) => page.getByLabel(label, { exact: true })
  await field(texts.enrol.password).focus()
  await fillLate(field(texts.enrol.again), password)
  await fillLate(field(texts.enrol.password), password)
  await page.getByRole('button', { name: texts.enrol.submit }).click()
  await expect(page.getByRole('link', { name: `late.values ${texts.role.support}` })).toBeVisible()
})
