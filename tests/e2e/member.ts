import { randomInt } from 'node:crypto'
import type { BrowserContext, Page } from '@playwright/test'
import type { LoginAnswer } from '../../contract/auth.ts'
import { languageCookie } from '../../contract/constants.ts'
import en from '../../locales/en.json' with { type: 'json' }
import { expect } from './test.ts'

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

type StorageState = Parameters<BrowserContext['setStorageState']>[0] & object

/**
 * What a browser stores for a visitor who was there before: the chosen language, of which the cookie decides the page
 * that the venue sends, and the session with its cookies.
 */
export function storedBy(
  origin: string,
  language: string,
  session: object,
  { cookies = [], items = [] }: { cookies?: StorageState['cookies']; items?: StoredItem[] } = {},
): StorageState {
  const choice = {
    name: languageCookie,
    value: language,
    domain: new URL(origin).hostname,
    path: '/',
    expires: -1,
    httpOnly: false,
    secure: false,
    sameSite: 'Lax' as const,
  }
  const localStorage = [
    { name: 'language', value: language },
    { name: 'session', value: JSON.stringify({ v: 1, ...session }) },
    ...items,
  ]
  return { cookies: [...cookies, choice], origins: [{ origin, localStorage }] }
}
type StoredItem = { name: string; value: string }

/** Opens an account and logs in over REST: pages that the context opens from then on are the member's, in English. */
export async function logIn(page: Page, origin?: string): Promise<Member> {
  const member = await openAccount(page)
  const { account, password } = member
  const answer = await page.request.post('/api/auth/login', { data: { account, password } })
  expect(answer.status()).toBe(200)
  const { token, user } = (await answer.json()) as LoginAnswer
  const context = page.context()
  const cookies = await context.cookies()
  const venue = origin ?? new URL(answer.url()).origin
  await context.setStorageState(storedBy(venue, 'en', { token, userInfo: user }, { cookies }))
  return member
}

/** Logs in over REST, opens the home page and waits until it shows the balance. */
export async function openHome(page: Page, origin?: string): Promise<Member> {
  const member = await logIn(page, origin)
  await page.goto(`${origin ?? ''}/#/pages/index/index`)
  await expect(page.getByText('10,000.00').first()).toBeVisible()
  return member
}

/** Creates a member, logs in through the form and waits for the home page. */
export async function logInByForm(page: Page): Promise<Member> {
  await inLanguage(page, 'en')
  const member = await openAccount(page)
  await page.goto('/#/pages/login/login')
  await page.getByLabel('Username', { exact: true }).fill(member.account)
  await page.getByLabel('Password', { exact: true }).fill(member.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('10,000.00').first()).toBeVisible()
  return member
}

/** Logs out on the account page, in English. */
export async function logOut(page: Page): Promise<void> {
  const { login, me } = en
  await page.goto('/#/pages/user/user')
  await page.getByRole('button', { name: me.logOut }).click()
  await page.getByRole('dialog').getByRole('button', { name: me.logOut }).click()
  await expect(
    page.getByRole('link', { name: login.title }).or(page.getByLabel(login.account)).first(),
  ).toBeVisible()
}

export const product = (id: string): string => `/#/pages/Detail/Detail?id=${id}`
