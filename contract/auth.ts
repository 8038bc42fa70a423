import * as z from 'zod/mini'
import { user } from './member.ts'
import { passkeyAnswer } from './passkeys.ts'
import { china, phoneCountryOf, phoneRule, type PhoneCountry } from './phones.ts'
import { accountPattern, captchaPattern } from './rules.ts'
import { route } from './route.ts'
import { id, instant, required, visibleLine } from './schema.ts'
import { workAnswer } from './work.ts'

export const memberSession = z.object({
  id,
  device: z.string(),
  ip: z.string(),
  createdAt: instant,
  lastSeenAt: instant,
  current: z.boolean(),
})
export type MemberSession = z.infer<typeof memberSession>

/** Step 1 of a registration that offers these countries; all errors of a form are reported at once. */
export const registerCheckOf = (rules: readonly PhoneCountry[]) =>
  z
    .strictObject({
      account: required(64).check(z.regex(accountPattern, { error: 'ACCOUNT_FORMAT' })),
      phone: required(32),
      openingCode: required(64),
      country: countryOf(rules),
      work: z.optional(workAnswer),
    })
    .check(phoneMatches(rules))

/** The country of a number; default: the first one. */
const countryOf = (rules: readonly PhoneCountry[]) =>
  z.optional(
    z
      .string()
      .check(z.refine((country) => rules.some((rule) => rule.country === country), { error: 'INVALID' })),
  )

const phoneMatches = (rules: readonly PhoneCountry[]) =>
  z.refine<{ phone: string; country?: string | undefined }>(
    ({ phone, country }) => {
      const rule = phoneCountryOf(rules, country)
      return rule === undefined || phoneRule(phone, rule) === undefined
    },
    // Also validated if another field is invalid, but not if there is no number.
    { path: ['phone'], error: 'PHONE_FORMAT', when: ({ value }) => hasPhone(value) },
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
  work: z.optional(workAnswer),
})

const passwordKind = z.enum(['login', 'transaction'])

/** What a member gave who asks for a new password: the old one, a passkey, or a code of the authenticator app. */
export const passwordProofs = ['password', 'passkey', 'code'] as const
export type PasswordProof = (typeof passwordProofs)[number]

/** The old password, or for a new login password a passkey or a code of the authenticator app instead of it. */
export const passwordRequest = z
  .strictObject({
    kind: passwordKind,
    oldPassword: z.optional(required(256)),
    passkey: z.optional(passkeyAnswer),
    code: z.optional(visibleLine(32)),
    newPassword: required(256),
    confirmPassword: required(256),
  })
  .check(
    z.refine<PasswordConfirmation>(
      ({ kind, oldPassword, passkey, code }) =>
        kind === 'login'
          ? [oldPassword, passkey, code].filter((confirmation) => confirmation !== undefined).length === 1
          : oldPassword !== undefined && passkey === undefined && code === undefined,
      {
        path: ['oldPassword'],
        error: 'REQUIRED',
        // Also checked if another field is invalid: all errors of a form are reported at once.
        when: ({ value }) => typeof value === 'object' && value !== null,
      },
    ),
  )
type PasswordConfirmation = { kind?: unknown; oldPassword?: unknown; passkey?: unknown; code?: unknown }

/** A request for a forgotten password, at a venue that offers these countries. */
export const passwordRecoveryOf = (rules: readonly PhoneCountry[]) =>
  z
    .strictObject({
      kind: passwordKind,
      account: required(64).check(z.regex(accountPattern, { error: 'ACCOUNT_FORMAT' })),
      phone: required(32),
      country: countryOf(rules),
      work: z.optional(workAnswer),
    })
    .check(phoneMatches(rules))

export const passwordRecovery = passwordRecoveryOf([china])

/** The new password, with the code of the link that customer service handed over. */
export const completeRecovery = z.strictObject({
  code: required(64),
  /** That of the first call, if two persons approved. */
  firstCode: z.optional(required(32)),
  newPassword: required(256),
  confirmPassword: required(256),
})

export const loginAnswer = z.object({ token: z.string(), expiresAt: instant, user })
export type LoginAnswer = z.infer<typeof loginAnswer>

export const authRoutes = {
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
    summary: 'Log in; with an authenticator app, step 1',
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
    unlessFrozen: true,
    body: passwordRequest,
    status: 202,
    answer: z.object({ id, status: z.enum(['under_review', 'successful']) }),
  }),
  recoverPassword: route({
    method: 'POST',
    path: '/auth/recoveries',
    summary:
      'Ask for a new password after forgetting it; the answer is the same whether or not the account exists',
    body: passwordRecovery,
    status: 202,
    answer: z.object({ status: z.literal('received') }),
  }),
  completeRecovery: route({
    method: 'POST',
    path: '/auth/recoveries/complete',
    summary: 'Set the new password, once, with the code of the link',
    body: completeRecovery,
    status: 200,
    answer: z.object({ kind: passwordKind }),
  }),
}
