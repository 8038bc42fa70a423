import * as z from 'zod/mini'
import { loginAnswer } from './auth.ts'
import {
  challengeOf,
  confirmed,
  newPasskeyAnswer,
  passkey,
  passkeyAnswer,
  passkeyCreationOptions,
  passkeyPurposes,
  passkeyRequestOptions,
} from './passkeys.ts'
import { route } from './route.ts'
import { id, instant, visibleLine } from './schema.ts'

/** The length of a passkey's name. */
export const passkeyNameMax = 40

/** A code of the authenticator app, or a recovery code. */
const code = visibleLine(32)

export const secondFactors = z.object({
  passkeys: z.array(passkey),
  /** The authenticator app; null without one. */
  totp: z.nullable(z.object({ addedAt: instant })),
  recoveryCodesLeft: z.int(),
})
export type SecondFactors = z.infer<typeof secondFactors>

/** The only answer that has the codes. */
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

/** Login by a passkey, and with a second factor after the password. */
const loginRoutes = {
  beginPasskeyLogin: route({
    method: 'POST',
    path: '/auth/login/passkey/challenge',
    summary: 'A challenge for logging in with a passkey',
    status: 200,
    answer: challengeOf(passkeyRequestOptions),
  }),
  logInWithPasskey: route({
    method: 'POST',
    path: '/auth/login/passkey',
    summary: 'Log in by a passkey alone',
    body: passkeyAnswer,
    status: 200,
    answer: loginAnswer,
  }),
  logInWithSecondFactor: route({
    method: 'POST',
    path: '/auth/login/second-factor',
    summary: 'Log in, second step: a code of the authenticator app, or a recovery code',
    body: z.strictObject({ loginId: z.string({ error: 'REQUIRED' }).check(z.maxLength(2048)), code }),
    status: 200,
    answer: loginAnswer,
  }),
}

const passkeyRoutes = {
  createPasskeyChallenge: route({
    method: 'POST',
    path: '/auth/passkeys/challenge',
    summary: 'A challenge to confirm something with a passkey',
    member: true,
    body: z.strictObject({ purpose: z.enum(passkeyPurposes) }),
    status: 200,
    answer: challengeOf(passkeyRequestOptions),
  }),
  beginPasskey: route({
    method: 'POST',
    path: '/auth/passkeys/registration',
    summary: 'Add a passkey, step 1: what the browser creates it from',
    member: true,
    unlessFrozen: true,
    body: confirmed,
    status: 200,
    answer: challengeOf(passkeyCreationOptions),
  }),
  addPasskey: route({
    method: 'POST',
    path: '/auth/passkeys',
    summary: 'Add a passkey, step 2: its public key',
    member: true,
    unlessFrozen: true,
    body: z.strictObject({ ...newPasskeyAnswer.shape, name: visibleLine(passkeyNameMax) }),
    status: 201,
    answer: passkey,
  }),
  renamePasskey: route({
    method: 'PATCH',
    path: '/auth/passkeys/:id',
    summary: 'Rename a passkey',
    member: true,
    params: z.object({ id }),
    body: z.strictObject({ name: visibleLine(passkeyNameMax) }),
    status: 200,
    answer: passkey,
  }),
  removePasskey: route({
    method: 'POST',
    path: '/auth/passkeys/:id/remove',
    summary: 'Remove a passkey',
    member: true,
    unlessFrozen: true,
    params: z.object({ id }),
    body: confirmed,
    status: 204,
    answer: null,
  }),
}

const codeRoutes = {
  beginTotp: route({
    method: 'POST',
    path: '/auth/totp/setup',
    summary: 'Add an authenticator app, step 1: its secret',
    member: true,
    unlessFrozen: true,
    body: confirmed,
    status: 200,
    answer: z.object({ setupId: z.string(), expiresAt: instant, secret: z.string(), uri: z.string() }),
  }),
  addTotp: route({
    method: 'POST',
    path: '/auth/totp',
    summary: 'Add an authenticator app, step 2: a code of it; returns recovery codes',
    member: true,
    unlessFrozen: true,
    body: z.strictObject({ setupId: z.string({ error: 'REQUIRED' }).check(z.maxLength(2048)), code }),
    status: 201,
    answer: recoveryCodes,
  }),
  removeTotp: route({
    method: 'POST',
    path: '/auth/totp/remove',
    summary: 'Remove the authenticator app and its recovery codes',
    member: true,
    unlessFrozen: true,
    body: confirmed,
    status: 204,
    answer: null,
  }),
  replaceRecoveryCodes: route({
    method: 'POST',
    path: '/auth/recovery-codes',
    summary: 'New recovery codes, which replace all others',
    member: true,
    unlessFrozen: true,
    body: confirmed,
    status: 201,
    answer: recoveryCodes,
  }),
}

export const secondFactorRoutes = {
  secondFactors: route({
    method: 'GET',
    path: '/auth/second-factors',
    summary: 'Passkeys, authenticator app and recovery codes of the member',
    member: true,
    status: 200,
    answer: secondFactors,
  }),
  ...loginRoutes,
  ...passkeyRoutes,
  ...codeRoutes,
}
