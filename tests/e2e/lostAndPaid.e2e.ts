import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { TOTP } from 'otpauth'
import type { StaffRole } from '../../contract/office/staff.ts'
import en from '../../locales/en.json' with { type: 'json' }
import officeEn from '../../office/locales/en.json' with { type: 'json' }
import officeZhCN from '../../office/locales/zh-CN.json' with { type: 'json' }
import { paths } from '../../src/paths.ts'
import { bindAccount, fillVerification } from './accountForms.ts'
import { addAuthenticator } from './authenticator.ts'
import { postToOffice } from './officeCalls.ts'
import { textOf } from './download.ts'
import { inLanguage, logOut, openAccount } from './member.ts'
import { ownVenue } from './ownVenue.ts'
import { expect, test } from './test.ts'

// Two persons decide here, so its staff must not share a venue with other flows.
ownVenue(6)
// Browsers have no passkeys at 127.0.0.1.
const origin = `http://localhost:${Number(process.env['E2E_PORT'] ?? 18_480) + 6}`
test.use({ baseURL: origin })

const {
  login,
  ownData,
  password,
  recover,
  records,
  security,
  settings,
  statement,
  title,
  verify,
  wallet,
  withdraw,
} = en
const ofStaff = 'a password of this venue 7'
const ofMember = 'battery staple 9'
/** More than one person may approve alone. */
const amount = '2,000.00'
const name = '林伟'
const reference = 'CMB-20261126-7731'

/** A person of the staff, in a browser and a language of their own. */
type Clerk = { name: string; page: Page; texts: typeof officeZhCN }
const wide = { viewport: { width: 1280, height: 800 } }

test('a member who forgot the password comes back, withdraws, is paid by two persons, reads it in the statement, and leaves', async ({
  page,
  browser,
}) => {
  test.slow()
  const [caller, guard, clerk, supervisor] = await test.step('four persons set up their accounts', () =>
    staffOf(browser, page))
  const member = await openAccount(page)
  await addAuthenticator(page)
  await inLanguage(page, 'en')

  await test.step('a forgotten password is asked for on the log-in page', async () => {
    await page.goto(`/#${paths.login}`)
    await page.getByRole('link', { name: login.forgot }).click()
    await expect(page.getByRole('heading', { name: title.recover })).toBeVisible()
    await page.getByLabel(en.register.account).fill(member.account)
    await page.getByLabel(en.register.phone).fill(member.phone)
    await page.getByRole('button', { name: recover.submit }).click()
    await expect(page.getByText(recover.sentTitle)).toBeVisible()
  })

  const [firstCode, link] =
    await test.step('one person proposes the link and reads out a code, another one confirms and hands it over', async () => {
      await openNewest(caller, 'password-requests', member.account)
      // Nobody has verified the name: the username is typed.
      await decideTyping(caller, caller.texts.request.propose, member.account, async (dialog) => {
        await expect(dialog.getByRole('checkbox')).toBeFocused()
        await caller.page.keyboard.press('Space')
        await dialog.getByRole('textbox').last().focus()
      })
      await expect(caller.page.getByText(caller.texts.proposal.made)).toBeVisible()
      const read = caller.page.getByRole('status').filter({ hasText: caller.texts.password.firstCode })
      const code = await read.getByText(/^\d{4} \d{4}$/).innerText()
      await openNewest(guard, 'proposals', guard.texts.act['password-requests'].approve)
      await decideTyping(guard, guard.texts.request.confirm, member.account)
      await expect(guard.page.getByText(`${guard.texts.request.confirmed} ${member.account}`)).toBeVisible()
      const note = guard.page.getByRole('status').filter({ hasText: guard.texts.password.link })
      return [code, (await note.getByText(/#\//).innerText()).trim()]
    })

  // An open page costs as much as a member who looks at it.
  await caller.page.context().close()

  await test.step('the member sets a new password, logs in with it and adds a passkey', async () => {
    await page.goto(`/${link.slice(link.indexOf('#'))}`)
    await page.getByLabel(recover.firstCode).fill(firstCode)
    await page.getByLabel(password.new, { exact: true }).fill(ofMember)
    await page.getByLabel(password.confirm).fill(ofMember)
    await page.getByRole('button', { name: password.submitDirect }).click()
    await expect(page.getByText(password.done)).toBeVisible()
    await page.getByLabel(login.account, { exact: true }).fill(member.account)
    await page.getByLabel(login.password, { exact: true }).fill(ofMember)
    await page.getByRole('button', { name: login.submit, exact: true }).click()
    await expect(page.getByText('10,000.00').first()).toBeVisible()
    await page.goto(`/#${paths.security}`)
    await page.getByRole('button', { name: security.addPasskey }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel(security.passkeyName).fill('My phone')
    await sheet.getByLabel(settings.loginPassword, { exact: true }).fill(ofMember)
    await sheet.getByRole('button', { name: security.addPasskey }).click()
    await expect(page.getByRole('button', { name: /My phone/ })).toBeVisible()
  })

  await test.step('and logs in with the passkey alone', async () => {
    await logOut(page)
    await page.goto(`/#${paths.login}`)
    await page.getByRole('button', { name: login.passkey }).click()
    await expect(page.getByText('10,000.00').first()).toBeVisible()
  })

  await test.step('the name is verified and a withdrawal asked for', async () => {
    await page.goto(`/#${paths.verify}`)
    await fillVerification(page, name)
    await page.getByRole('button', { name: verify.submit }).click()
    await expect(page.getByRole('heading', { name: verify.underReview })).toBeVisible()
    await openNewest(guard, 'verifications', member.account)
    // The back of the document is below the edge: nobody verifies before it was in view.
    await expect(guard.page.getByText(guard.texts.request.scroll)).toBeVisible()
    await guard.page.keyboard.press('PageDown')
    await decide(guard, 'a', guard.texts.request.verify)
    await guard.page.context().close()
    await page.goto(`/#${paths.withdraw}`)
    await page.getByRole('link', { name: en.account.bind }).click()
    await bindAccount(page, member, name)
    await page.goto(`/#${paths.withdraw}`)
    await page.getByLabel(wallet.amount, { exact: true }).fill('2000')
    await page.getByLabel(withdraw.password).fill(member.transactionPassword)
    await page.getByRole('button', { name: title.withdraw, exact: true }).click()
    const ask = withdraw.confirm.replace('{{amount}}', amount)
    await page.getByRole('dialog').getByRole('button', { name: ask }).click()
    await expect(page.getByRole('link', { name: amount })).toContainText(wallet.status.under_review)
  })

  await test.step('a clerk proposes it, a supervisor confirms, and the clerk enters the bank’s reference', async () => {
    await openNewest(clerk, 'withdrawals', member.account)
    await expect(clerk.page.getByText(clerk.texts.withdrawal.same)).toBeVisible()
    // A sum above what one person may approve: the dialog asks for the amount.
    await decideTyping(clerk, clerk.texts.request.propose, '2000')
    await expect(clerk.page.getByText(clerk.texts.proposal.made)).toBeVisible()
    await openNewest(clerk, 'proposals', clerk.texts.act.withdrawals.approve)
    await expect(clerk.page.getByText(clerk.texts.proposal.own)).toBeVisible()
    await openNewest(supervisor, 'proposals', supervisor.texts.act.withdrawals.approve)
    await expect(supervisor.page.getByRole('region').getByText(amount).first()).toBeVisible()
    await decideTyping(supervisor, supervisor.texts.request.confirm, '2000')
    await openNewest(clerk, 'payments', member.account)
    await open(clerk, 'p', clerk.texts.request.paid)
    await clerk.page.getByRole('dialog').getByLabel(clerk.texts.withdrawal.reference).fill(reference)
    // The password was changed a moment ago.
    await clerk.page.getByRole('dialog').getByLabel(clerk.texts.danger.type).fill('2000')
    await clerk.page.keyboard.press('Enter')
    await expect(clerk.page.getByText(clerk.texts.request.wasPaid)).toBeVisible()
  })

  await test.step('the member reads it in the request, the capital record and the statement', async () => {
    const row = page.getByRole('link', { name: amount })
    await expect(row).toContainText(wallet.status.successful)
    await row.click()
    await expect(page.getByText(withdraw.step.paid, { exact: true })).toBeVisible()
    await expect(page.getByText(reference)).toBeVisible()
    await page.goto('/#/pages/money-record/money-record')
    await expect(page.getByRole('link', { name: records.types.withdrawal_paid })).toContainText(amount)
    await page.getByRole('button', { name: statement.title }).click()
    const saving = page.waitForEvent('download')
    await page.getByRole('dialog').getByRole('button', { name: statement.csv }).click()
    const csv = await textOf(await saving)
    expect(csv).toMatch(new RegExp(`"${records.types.withdrawal_paid}".*"-2000.00"`))
  })

  await test.step('downloads the data and closes the account', async () => {
    await page.goto(`/#${paths.ownData}`)
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: ownData.download }).click()
    const files = unzipSync(new Uint8Array(await readFile(await (await saving).path())))
    expect(JSON.parse(strFromU8(files['profile.json']!))).toMatchObject({ account: member.account })
    expect(strFromU8(files['withdrawals.csv']!)).toContain('"2000.00"')
    await page.getByRole('button', { name: ownData.close }).click()
    await page.getByLabel(withdraw.password).fill(member.transactionPassword)
    await page.getByRole('button', { name: ownData.confirm }).click()
    await expect(page.getByText(ownData.closed)).toBeVisible()
    await page.goto(`/#${paths.login}`)
    await page.getByRole('button', { name: login.passkey }).click()
    await expect(page.getByRole('alert')).toBeVisible()
  })

  await test.step('the record of the member stays, with who did what', async () => {
    await supervisor.page.keyboard.press('/')
    await supervisor.page.keyboard.type(member.account)
    await supervisor.page.getByRole('option', { name: member.account }).first().click()
    await supervisor.page.getByRole('tab', { name: supervisor.texts.member.requests }).click()
    await expect(supervisor.page.getByRole('row').filter({ hasText: clerk.name })).toHaveCount(1)
  })
  for (const { page: own } of [clerk, supervisor]) await own.context().close()
})

/** Invited before the second one is active, from when on two persons decide about the staff. */
async function staffOf(browser: Browser, page: Page): Promise<[Clerk, Clerk, Clerk, Clerk]> {
  const invite = async (
    name: string,
    role: StaffRole,
    texts: typeof officeZhCN = officeEn,
  ): Promise<[Clerk, string]> => {
    const { enrolment } = await postToOffice<{ enrolment: { code: string } }>(page, '/staff', {
      name,
      role,
    })
    const locale = texts === officeEn ? 'en-GB' : 'zh-CN'
    const context = await browser.newContext({ ...wide, baseURL: origin, locale })
    return [{ name, texts, page: await context.newPage() }, enrolment.code]
  }
  const [caller, callerCode] = await invite('jun.wei', 'support', officeZhCN)
  const [guard, guardCode] = await invite('ada.cole', 'compliance')
  const [clerk, clerkCode] = await invite('mei.lin', 'finance', officeZhCN)
  const [supervisor, supervisorCode] = await invite('sam.reed', 'finance')
  await enrol(caller, callerCode)
  await enrol(guard, guardCode)
  await enrol(clerk, clerkCode)
  await logInWithApp(clerk)
  await enrol(supervisor, supervisorCode)
  await logInWithPasskey(supervisor)
  return [caller, guard, clerk, supervisor]
}

async function enrol({ page, texts }: Clerk, code: string): Promise<void> {
  await page.goto(`/office/#/enrol/${code}`)
  await page.getByLabel(texts.enrol.password, { exact: true }).fill(ofStaff)
  await page.getByLabel(texts.enrol.again, { exact: true }).fill(ofStaff)
  await page.getByRole('button', { name: texts.enrol.submit }).click()
  await expect(page.getByRole('button', { name: texts.account.logOut })).toBeVisible()
}

/** Sets up an app, logs out, and logs in with password and code. */
async function logInWithApp({ name, page, texts }: Clerk): Promise<void> {
  await page.goto('/office/#/account')
  await page.getByLabel(texts.factor.confirm).fill(ofStaff)
  await page.getByRole('button', { name: texts.factor.setUpApp }).click()
  const shown = await page.getByText(/^[A-Z2-7 ]{32,}$/).innerText()
  const app = new TOTP({ secret: shown.replaceAll(' ', '') })
  await page.getByLabel(texts.factor.code).fill(app.generate())
  await page.getByRole('button', { name: texts.factor.check }).click()
  await page.getByRole('button', { name: texts.factor.stored }).click()
  await page.getByRole('button', { name: texts.account.logOut }).click()
  await page.getByLabel(texts.login.name).fill(name)
  await page.getByLabel(texts.login.password, { exact: true }).fill(ofStaff)
  await page.getByRole('button', { name: texts.login.submit, exact: true }).click()
  // The code that added the app is used: the next one is valid already.
  await page.getByLabel(texts.login.code).fill(app.generate({ timestamp: Date.now() + 30_000 }))
  await page.getByRole('button', { name: texts.login.submit, exact: true }).click()
  await expect(page.getByRole('button', { name: texts.account.logOut })).toBeVisible()
}

/** Adds a passkey, logs out, and logs in with it alone. */
async function logInWithPasskey({ page, texts }: Clerk): Promise<void> {
  await addAuthenticator(page)
  await page.goto('/office/#/account')
  await page.getByLabel(texts.factor.confirm).fill(ofStaff)
  await page.getByLabel(texts.factor.passkeyName).fill('Key')
  await page.getByRole('button', { name: texts.factor.addPasskey }).click()
  await expect(page.getByText(texts.factor.done)).toBeVisible()
  await page.getByRole('button', { name: texts.account.logOut }).click()
  await page.getByRole('button', { name: texts.login.passkey }).click()
  await expect(page.getByRole('button', { name: texts.account.logOut })).toBeVisible()
}

/** Opens the newest row of a queue that has this text. */
async function openNewest(
  { page, texts }: Clerk,
  queue: keyof typeof texts.queue,
  text: string,
): Promise<void> {
  await page.goto(`/office/#/${queue}`)
  await page.getByRole('row').filter({ hasText: text }).last().click()
  await expect(page.getByRole('region', { name: texts.request.label })).toBeVisible()
}

/** Opens a dialog by its key, which works once the request and its pictures have been shown. */
async function open({ page }: Clerk, key: string, button: string): Promise<void> {
  await expect(page.getByRole('button', { name: new RegExp(`^${button}`) })).toBeEnabled()
  await page.keyboard.press(key)
}

/** What is dangerous is accepted only once its amount, or the username, is typed; `first` is asked before. */
async function decideTyping(
  clerk: Clerk,
  button: string,
  typed: string,
  first?: (dialog: Locator) => Promise<void>,
): Promise<void> {
  const dialog = clerk.page.getByRole('dialog')
  await open(clerk, 'a', button)
  await first?.(dialog)
  // A note for the second person may stand above it.
  await expect(dialog.getByRole('textbox').last()).toBeFocused()
  await clerk.page.keyboard.type(typed)
  await clerk.page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
}

/** By keyboard: the key of the decision, and Enter. */
async function decide(clerk: Clerk, key: string, button: string): Promise<void> {
  const dialog = clerk.page.getByRole('dialog')
  await open(clerk, key, button)
  await expect(dialog.getByRole('button', { name: button })).toBeFocused()
  await clerk.page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
}
