import * as z from 'zod/mini'
import { route, type Route } from '../route.ts'
import {
  challengeOf,
  newPasskeyAnswer,
  passkey,
  passkeyAnswer,
  passkeyCreationOptions,
  passkeyRequestOptions,
} from '../passkeys.ts'
import { passkeyNameMax, secondFactors } from '../secondFactors.ts'
import { id, listOf, plainInstant, required, visibleLine } from '../schema.ts'
import { workAnswer } from '../work.ts'
import { proposed } from './fourEyes.ts'
import { listQuery, withId } from './schema.ts'

/**
 * What a member of staff works on. `support` talks with members, `finance` decides about money, `compliance` about
 * persons and reads who did what, `content` publishes, `admin` runs the venue and its staff.
 */
export const staffRoles = ['support', 'finance', 'compliance', 'content', 'admin'] as const
export type StaffRole = (typeof staffRoles)[number]

/** `invited` until a password is set with an enrolment code. */
export const staffStatuses = ['invited', 'active', 'disabled'] as const
export type StaffStatus = (typeof staffStatuses)[number]

/**
 * Letters that are written together, and the digits: letters of several scripts look alike, and so do small capitals and signs
 * of phonetics.
 */
const scripts = [
  /^[0-9A-Za-z\u00c0-\u024f\u1e00-\u1eff]*$/u,
  /^[0-9ー\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]*$/u,
  ...['Cyrillic', 'Greek', 'Armenian', 'Georgian', 'Hebrew', 'Arabic', 'Devanagari', 'Thai'].map(
    (script) => new RegExp(`^[0-9\\p{Script=${script}}]*$`, 'u'),
  ),
]

/** Whether the letters of a text are of one script, as those of a name are. */
export function isOneScript(text: string): boolean {
  const letters = text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '')
  return scripts.some((script) => script.test(letters))
}

/** A name signs every row of the act log, so it is one line without spaces, all of it is seen, and it is never given again. */
export const staffName = z.string({ error: 'REQUIRED' }).check(
  z.minLength(1, { error: 'REQUIRED' }),
  z.regex(/^[\p{L}\p{N}][\p{L}\p{N}._-]{1,39}$/u, { error: 'INVALID' }),
  z.refine((name) => !/\p{Default_Ignorable_Code_Point}/u.test(name) && isOneScript(name), {
    error: 'INVALID',
  }),
)

export const staffView = z.object({
  id,
  name: z.string(),
  role: z.enum(staffRoles),
  status: z.enum(staffStatuses),
  createdAt: plainInstant,
  lastSeenAt: z.nullable(plainInstant),
  version: z.int(),
})
export type StaffView = z.infer<typeof staffView>

/** With how many members' records the person opened in the last hour without a claim, and how many one may. */
const listedStaff = z.object({
  ...staffView.shape,
  records: z.object({ opened: z.int(), max: z.int() }),
})
export type ListedStaff = z.infer<typeof listedStaff>

/** Sets a password, once: what a new member of staff gets. */
const enrolment = z.object({ code: z.string(), expiresAt: plainInstant })
export type Enrolment = z.infer<typeof enrolment>
/** `staff` is null for an account that is only proposed. */
const staffChange = z.object({
  staff: z.nullable(staffView),
  enrolment: z.nullable(enrolment),
  ...proposed,
})

/** Who works in the office, and what for. */
export const staffRoutes = {
  staff: {
    list: route({
      method: 'GET',
      path: '/staff',
      summary: 'List the staff, newest first',
      query: listQuery,
      status: 200,
      answer: listOf(listedStaff),
    }),
    create: route({
      method: 'POST',
      path: '/staff',
      summary: 'Create a staff account; the answer has the code that sets its password',
      body: z.strictObject({ name: staffName, role: z.enum(staffRoles) }),
      status: 201,
      answer: staffChange,
    }),
    role: route({
      method: 'POST',
      path: '/staff/:id/role',
      summary: "Change a member of staff's role; the sessions end",
      params: withId,
      body: z.strictObject({ role: z.enum(staffRoles) }),
      status: 200,
      answer: staffChange,
    }),
    disable: route({
      method: 'POST',
      path: '/staff/:id/disable',
      summary: 'Disable a staff account and end its sessions',
      params: withId,
      status: 200,
      answer: staffChange,
    }),
    enrol: route({
      method: 'POST',
      path: '/staff/:id/enrol',
      summary: 'Issue a new code; the old password and factors no longer count, and the sessions end',
      params: withId,
      status: 200,
      answer: staffChange,
    }),
    'reset-factors': route({
      method: 'POST',
      path: '/staff/:id/reset-factors',
      summary: "Reset another person's second factors; their sessions end, the password stays",
      params: withId,
      status: 200,
      answer: staffChange,
    }),
  },
} satisfies Record<string, Record<string, Route>>

export const staffSession = z.object({
  staff: staffView,
  /** Every call but GET sends it as `X-CSRF-Token`. */
  csrfToken: z.string(),
  /** Until a second factor is set up, no call is possible but those of the session. Only in live mode. */
  needsSecondFactor: z.boolean(),
  expiresAt: plainInstant,
  /** The session ends after this time without a call. */
  idleMs: z.int(),
  /** The calls that the role may make, as `noun.verb`. */
  calls: z.array(z.string()),
  mode: z.enum(['practice', 'live']),
  currency: z.string(),
  zone: z.string(),
})
export type StaffSession = z.infer<typeof staffSession>

/** Of the authenticator app, or a recovery code. */
const factorCode = visibleLine(32)
const confirmed = z.strictObject({ password: required(256) })
const enrolmentCode = z.string({ error: 'REQUIRED' }).check(z.maxLength(100))

/** The caller's own second factors. Changes need the password and end the other sessions. */
const staffFactorRoutes = {
  beginPasskeyLogIn: route({
    method: 'POST',
    path: '/session/passkey/challenge',
    summary: 'A challenge for logging in with a passkey',
    status: 200,
    answer: challengeOf(passkeyRequestOptions),
  }),
  passkeyLogIn: route({
    method: 'POST',
    path: '/session/passkey',
    summary: 'Log in by a passkey alone',
    body: passkeyAnswer,
    status: 200,
    answer: staffSession,
  }),
  factors: route({
    method: 'GET',
    path: '/session/factors',
    summary: 'Your second factors',
    status: 200,
    answer: secondFactors,
  }),
  beginTotp: route({
    method: 'POST',
    path: '/session/totp/setup',
    summary: 'Add an authenticator app, or another one, step 1: its secret',
    body: confirmed,
    status: 200,
    answer: z.object({ setupId: z.string(), expiresAt: plainInstant, secret: z.string(), uri: z.string() }),
  }),
  addTotp: route({
    method: 'POST',
    path: '/session/totp',
    summary: 'Add an authenticator app, step 2: a code of it; the answer has the recovery codes, this once',
    body: z.strictObject({ setupId: required(2048), code: factorCode }),
    status: 201,
    answer: z.object({ recoveryCodes: z.array(z.string()) }),
  }),
  removeTotp: route({
    method: 'POST',
    path: '/session/totp/remove',
    summary: 'Remove the authenticator app and its recovery codes',
    body: confirmed,
    status: 204,
    answer: null,
  }),
  beginPasskey: route({
    method: 'POST',
    path: '/session/passkeys/registration',
    summary: 'Add a passkey, step 1: what the browser creates it from',
    body: confirmed,
    status: 200,
    answer: challengeOf(passkeyCreationOptions),
  }),
  addPasskey: route({
    method: 'POST',
    path: '/session/passkeys',
    summary: 'Add a passkey, step 2: its public key',
    body: z.strictObject({ ...newPasskeyAnswer.shape, name: visibleLine(passkeyNameMax) }),
    status: 201,
    answer: passkey,
  }),
  removePasskey: route({
    method: 'POST',
    path: '/session/passkeys/:id/remove',
    summary: 'Remove a passkey',
    params: withId,
    body: confirmed,
    status: 204,
    answer: null,
  }),
} satisfies Record<string, Route>

/** Login of the staff. Below `/desk` like the others, but no command of the command line and open to every role. */
export const staffSessionRoutes = {
  show: route({
    method: 'GET',
    path: '/session',
    summary: 'Who is logged in; it does not extend the session',
    status: 200,
    answer: staffSession,
  }),
  logIn: route({
    method: 'POST',
    path: '/session',
    summary: 'Log in',
    body: z.strictObject({
      name: required(64),
      password: required(256),
      code: z.optional(factorCode),
      /** After `WORK_REQUIRED`. */
      work: z.optional(workAnswer),
    }),
    status: 200,
    answer: staffSession,
  }),
  logOut: route({
    method: 'DELETE',
    path: '/session',
    summary: 'Log out',
    status: 204,
    answer: null,
  }),
  password: route({
    method: 'POST',
    path: '/session/password',
    summary: 'Change your password; your other sessions end',
    body: z.strictObject({ oldPassword: required(256), newPassword: required(256) }),
    status: 204,
    answer: null,
  }),
  checkEnrolment: route({
    method: 'POST',
    path: '/enrolment/check',
    summary: 'Whom an enrolment code is for',
    body: z.strictObject({ code: enrolmentCode }),
    status: 200,
    answer: z.object({ name: z.string(), role: z.enum(staffRoles), expiresAt: plainInstant }),
  }),
  enrol: route({
    method: 'POST',
    path: '/enrolment',
    summary: 'Set a password with an enrolment code, which works once, and log in',
    body: z.strictObject({ code: enrolmentCode, password: required(256) }),
    status: 201,
    answer: staffSession,
  }),
  ...staffFactorRoutes,
} satisfies Record<string, Route>
