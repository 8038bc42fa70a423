import * as z from 'zod/mini'
import { china, phoneCountryOf, phoneRule } from './phones.ts'
import type { PhoneCountry } from './phones.ts'
import { accountPattern, captchaPattern } from './rules.ts'
import { route } from './route.ts'
import { id, instant, listOf, money, pageQuery, queryInstant, text } from './schema.ts'
import { venueConfig } from './venueConfig.ts'

export const user = z.object({
  id,
  account: z.string(),
  nickname: z.string(),
  phoneMasked: z.string(),
  contactEmail: z.nullable(z.string()),
  level: z.int().check(z.gte(1), z.lte(5)),
  creditScore: z.int(),
  verification: z.enum(['none', 'under_review', 'verified', 'rejected']),
  openingCode: z.string(),
  hasWithdrawalAccount: z.boolean(),
})
export type User = z.infer<typeof user>

export const assets = z.object({
  total: money,
  available: money,
  held: money,
  openStakes: money,
  fund: money,
  accountPnl: money,
  todayPnl: money,
  version: z.int(),
})
export type Assets = z.infer<typeof assets>

export const ledgerTypes = [
  'grant',
  'stake',
  'payout',
  'refund',
  'deposit',
  'withdrawal_hold',
  'withdrawal_paid',
  'withdrawal_returned',
  'fund_in',
  'fund_out',
  'fund_earning',
  'reset',
] as const
export type LedgerType = (typeof ledgerTypes)[number]

/** One line of the capital record: signed `amount`, and `available` after it. */
export const ledgerEntry = z.object({
  id,
  at: instant,
  type: z.enum(ledgerTypes),
  amount: money,
  balanceAfter: money,
  /** What caused it: an order, a transfer, or the member if nothing else did. */
  ref: z.object({ kind: z.string(), id: z.string() }),
})
export type LedgerEntry = z.infer<typeof ledgerEntry>

export const memberSession = z.object({
  id,
  device: z.string(),
  ip: z.string(),
  createdAt: instant,
  lastSeenAt: instant,
  current: z.boolean(),
})
export type MemberSession = z.infer<typeof memberSession>

const required = (max: number) =>
  z
    .string({ error: 'REQUIRED' })
    .check(z.minLength(1, { error: 'REQUIRED' }), z.maxLength(max, { error: 'TOO_LONG' }))

/** Step 1 of a registration that offers these countries; all errors of a form are reported at once. */
export const registerCheckOf = (rules: readonly PhoneCountry[]) =>
  z
    .strictObject({
      account: required(64).check(z.regex(accountPattern, { error: 'ACCOUNT_FORMAT' })),
      phone: required(32),
      openingCode: required(64),
      /** The country of the number; default: the first one. */
      country: z.optional(
        z
          .string()
          .check(z.refine((country) => rules.some((rule) => rule.country === country), { error: 'INVALID' })),
      ),
    })
    .check(
      z.refine(
        ({ phone, country }) => {
          const rule = phoneCountryOf(rules, country)
          return rule === undefined || phoneRule(phone, rule) === undefined
        },
        // Also validated if another field is invalid, but not if there is no number.
        { path: ['phone'], error: 'PHONE_FORMAT', when: ({ value }) => hasPhone(value) },
      ),
    )

const hasPhone = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'phone' in value &&
  typeof value.phone === 'string' &&
  value.phone !== ''

export const registerCheck = registerCheckOf([china])

/** Checks only the shape: password rules that need the account are validated once the account is known. */
export const register = z.strictObject({
  registerToken: required(200),
  password: required(256),
  confirmPassword: required(256),
  transactionPassword: required(64),
  confirmTransactionPassword: required(64),
})

export const login = z.strictObject({
  account: required(64),
  password: required(256),
  captchaId: z.optional(z.string().check(z.maxLength(64))),
  captcha: z.optional(z.string().check(z.regex(captchaPattern, { error: 'CAPTCHA_FORMAT' }))),
})

export const passwordRequest = z.strictObject({
  kind: z.enum(['login', 'transaction']),
  oldPassword: required(256),
  newPassword: required(256),
  confirmPassword: required(256),
})

export const profilePatch = z.strictObject({
  nickname: z.optional(text(24).check(z.minLength(1, { error: 'REQUIRED' }))),
  contactEmail: z.optional(z.nullable(text(254))),
})

const ledgerFilters = {
  type: z.optional(z.enum(ledgerTypes)),
  from: queryInstant,
  to: queryInstant,
}
export const ledgerQuery = z.strictObject({ ...pageQuery, ...ledgerFilters })
/** The list's filters, without pagination. */
export const ledgerCsvQuery = z.strictObject(ledgerFilters)
export type LedgerFilters = z.infer<typeof ledgerCsvQuery>

const loginAnswer = z.object({ token: z.string(), expiresAt: instant, user })
export type LoginAnswer = z.infer<typeof loginAnswer>

export const sessionRoutes = {
  time: route({
    method: 'GET',
    path: '/time',
    summary: "The venue's clock",
    status: 200,
    answer: z.object({ now: instant }),
  }),
  config: route({
    method: 'GET',
    path: '/config',
    summary: "The venue's configuration",
    status: 200,
    answer: venueConfig,
  }),
  registerCheck: route({
    method: 'POST',
    path: '/auth/register/check',
    summary: 'Registration, step 1',
    body: registerCheck,
    status: 200,
    answer: z.object({ registerToken: z.string(), expiresAt: instant }),
  }),
  register: route({
    method: 'POST',
    path: '/auth/register',
    summary: 'Registration, step 2',
    body: register,
    status: 201,
    answer: z.object({ memberId: id }),
  }),
  captcha: route({
    method: 'GET',
    path: '/captcha',
    summary: 'Four digits as a picture, used once',
    status: 200,
    answer: z.object({ captchaId: z.string(), svg: z.string() }),
  }),
  login: route({
    method: 'POST',
    path: '/auth/login',
    summary: 'Log in',
    body: login,
    status: 200,
    answer: loginAnswer,
  }),
  logout: route({
    method: 'POST',
    path: '/auth/logout',
    summary: 'Log out',
    member: true,
    status: 204,
    answer: null,
  }),
  sessions: route({
    method: 'GET',
    path: '/auth/sessions',
    summary: 'Devices that are logged in',
    member: true,
    status: 200,
    answer: z.array(memberSession),
  }),
  endSession: route({
    method: 'DELETE',
    path: '/auth/sessions/:id',
    summary: 'Log a device out',
    member: true,
    params: z.object({ id }),
    status: 204,
    answer: null,
  }),
  requestPassword: route({
    method: 'POST',
    path: '/auth/password-requests',
    summary: 'Request a new password',
    member: true,
    body: passwordRequest,
    status: 202,
    answer: z.object({ id, status: z.enum(['under_review', 'successful']) }),
  }),
  me: route({ method: 'GET', path: '/me', summary: 'The member', member: true, status: 200, answer: user }),
  patchMe: route({
    method: 'PATCH',
    path: '/me',
    summary: 'Nickname and contact address',
    member: true,
    body: profilePatch,
    status: 200,
    answer: user,
  }),
  assets: route({
    method: 'GET',
    path: '/me/assets',
    summary: "The member's assets",
    member: true,
    status: 200,
    answer: assets,
  }),
  ledger: route({
    method: 'GET',
    path: '/me/ledger',
    summary: 'The capital record',
    member: true,
    query: ledgerQuery,
    status: 200,
    answer: listOf(ledgerEntry),
  }),
  ledgerCsv: route({
    method: 'GET',
    path: '/me/ledger.csv',
    summary:
      'The capital record as a CSV file: a year at most, the last one if `from` and `to` are left out; one at a time, else 429',
    member: true,
    costly: true,
    query: ledgerCsvQuery,
    status: 200,
    answer: z.string(),
  }),
  practiceReset: route({
    method: 'POST',
    path: '/practice/reset',
    summary: 'Practice money back to its opening amount',
    member: true,
    keyed: true,
    status: 200,
    answer: assets,
  }),
}
