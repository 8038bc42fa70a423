import type { Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import en from '../../locales/en.json' with { type: 'json' }
import { addAuthenticator } from './authenticator.ts'
import { logOut, openHome, type Member } from './member.ts'
import { expect, test } from './test.ts'

const { login, security, settings } = en
const port = Number(process.env['E2E_PORT'] ?? 18_480)
// Browsers have no passkeys at 127.0.0.1.
const origin = `http://localhost:${port}`
test.use({ baseURL: origin })

test('a member adds a passkey and logs in with it, then sets up an app and logs in with its code', async ({
  page,
}) => {
  test.slow()
  await addAuthenticator(page)
  const member = await openHome(page)
  const sheet = page.getByRole('dialog')

  await test.step('adds a passkey, confirmed by the password', async () => {
    await page.goto('/#/pages/security/security')
    await page.getByRole('button', { name: security.addPasskey }).click()
    await sheet.getByLabel(security.passkeyName).fill('My phone')
    await sheet.getByLabel(settings.loginPassword, { exact: true }).fill('wrong password')
    await sheet.getByRole('button', { name: security.addPasskey }).click()
    await expect(sheet.getByText(en.error.OLD_PASSWORD_WRONG)).toBeVisible()
    await sheet.getByLabel(settings.loginPassword, { exact: true }).fill(member.password)
    await sheet.getByRole('button', { name: security.addPasskey }).click()
    await expect(page.getByRole('button', { name: /My phone/ })).toContainText(security.neverUsed)
  })

  await test.step('logs in with it alone', async () => {
    await logOut(page)
    await page.goto('/#/pages/login/login')
    await page.getByRole('button', { name: login.passkey }).click()
    await expect(page.getByText('10,000.00').first()).toBeVisible()
  })

  const secret = await test.step('sets up an authenticator app, confirmed by the passkey', () =>
    setUpApp(page))

  await test.step('logs in with the password and a code', async () => {
    await logOut(page)
    await passwordStep(page, member)
    await page.getByLabel(login.code, { exact: true }).fill('000000')
    await page.getByRole('button', { name: login.submit, exact: true }).click()
    await expect(page.getByText(en.error.SECOND_FACTOR_WRONG)).toBeVisible()
    // The code that added the app is used: the next one is valid already.
    const code = new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 })
    await page.getByLabel(login.code, { exact: true }).fill(code)
    await page.getByRole('button', { name: login.submit, exact: true }).click()
    await expect(page.getByText('10,000.00').first()).toBeVisible()
  })
})

async function passwordStep(page: Page, member: Member): Promise<void> {
  await page.goto('/#/pages/login/login')
  await page.getByLabel(login.account, { exact: true }).fill(member.account)
  await page.getByLabel(login.password, { exact: true }).fill(member.password)
  await page.getByRole('button', { name: login.submit, exact: true }).click()
  await expect(page.getByRole('heading', { name: login.codeTitle })).toBeVisible()
}

/** @returns the secret that the page shows */
async function setUpApp(page: Page): Promise<string> {
  const sheet = page.getByRole('dialog')
  await page.goto('/#/pages/security/security')
  await page.getByRole('button', { name: security.setUpApp }).click()
  await sheet.getByRole('button', { name: security.usePasskey }).click()
  await expect(sheet.getByRole('img', { name: security.qr })).toBeVisible()
  const secret = (await sheet.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()).replaceAll(' ', '')
  await sheet.getByLabel(security.code).fill(new TOTP({ secret }).generate())
  await sheet.getByRole('button', { name: security.turnOn }).click()
  await expect(sheet.getByRole('listitem')).toHaveCount(10)
  await sheet.getByRole('button', { name: security.codesSaved }).click()
  await expect(page.getByText(security.codesLeft_other.replace('{{count}}', '10'))).toBeVisible()
  return secret
}
