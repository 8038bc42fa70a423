import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect } from './expect.ts'

export type Member = { account: string; phone: string; password: string; transactionPassword: string }

/** The data of a new member that no other test uses. */
export function newMember(): Member {
  const digits = String(randomInt(10 ** 8)).padStart(8, '0')
  return {
    account: `e2e_${digits}`,
    phone: `138${digits}`,
    password: 'correct horse 42',
    transactionPassword: '135791',
  }
}

/** Opens an account over REST, for tests that are not about registration. */
export async function openAccount(page: Page, member = newMember()): Promise<Member> {
  const { account, phone, password, transactionPassword } = member
  const check = await page.request.post('/api/auth/register/check', {
    data: { account, phone, openingCode: 'UPTICK' },
  })
  expect(check.status()).toBe(200)
  const { registerToken } = (await check.json()) as { registerToken: string }
  const register = await page.request.post('/api/auth/register', {
    data: {
      registerToken,
      password,
      confirmPassword: password,
      transactionPassword,
      confirmTransactionPassword: transactionPassword,
    },
  })
  expect(register.status()).toBe(201)
  return member
}

/** Sets the app's language before its first script runs, unless the member has chosen one. */
export async function inLanguage(page: Page, language: string): Promise<void> {
  await page.addInitScript((code) => {
    if (localStorage.getItem('language') === null) localStorage.setItem('language', code)
  }, language)
}

/** Creates a member, logs in through the form and waits for the home page. */
export async function logIn(page: Page, origin = ''): Promise<Member> {
  await inLanguage(page, 'en')
  const member = await openAccount(page)
  await page.goto(`${origin}/#/pages/login/login`)
  await page.getByLabel('Username', { exact: true }).fill(member.account)
  await page.getByLabel('Password', { exact: true }).fill(member.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('10,000.00').first()).toBeVisible()
  return member
}

export const product = (id: string): string => `/#/pages/Detail/Detail?id=${id}`
