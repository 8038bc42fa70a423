import * as z from 'zod/mini'
import { id, instant, required, visibleLine } from './schema.ts'

/** Bytes in base64url, as WebAuthn's JSON has them. */
const bytes = (max: number) => z.string().check(z.regex(/^[\w-]*$/), z.maxLength(max))
const transports = z.array(z.string().check(z.maxLength(32))).check(z.maxLength(16))
const descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.optional(z.array(z.string())),
})
const credential = {
  id: bytes(1024),
  rawId: bytes(1024),
  type: z.literal('public-key'),
}

/** What a browser needs to create a passkey: `PublicKeyCredentialCreationOptionsJSON`. */
export const passkeyCreationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.boolean(),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})

/** What a browser needs to use a passkey: `PublicKeyCredentialRequestOptionsJSON`. */
export const passkeyRequestOptions = z.object({
  rpId: z.string(),
  challenge: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
  /** Without it any passkey of the site may answer. */
  allowCredentials: z.optional(z.array(descriptor)),
})

/** A challenge is answered once, until it expires. */
export const challengeOf = <T extends z.ZodMiniType>(options: T) =>
  z.object({ challengeId: z.string(), expiresAt: instant, options })

const challengeId = z.string({ error: 'REQUIRED' }).check(z.maxLength(2048))

/** A browser's answer to creation options: `RegistrationResponseJSON`, of which other fields are ignored. */
export const newPasskeyAnswer = z.strictObject({
  challengeId,
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(4096),
      attestationObject: bytes(16_384),
      transports: z.optional(transports),
    }),
  }),
})
export type NewPasskeyAnswer = z.infer<typeof newPasskeyAnswer>

/** A browser's answer to request options: `AuthenticationResponseJSON`, of which other fields are ignored. */
export const passkeyAnswer = z.strictObject({
  challengeId,
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(4096),
      authenticatorData: bytes(4096),
      signature: bytes(4096),
      userHandle: z.optional(bytes(256)),
    }),
  }),
})
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>

/** What a member confirms with a passkey: a challenge for one is no answer to another. */
export const passkeyPurposes = [
  'security',
  'withdrawal',
  'withdrawalAccount',
  'fundWithdrawal',
  'closeAccount',
] as const
export type PasskeyPurpose = (typeof passkeyPurposes)[number]

export const passkey = z.object({
  id,
  name: z.string(),
  createdAt: instant,
  lastUsedAt: z.nullable(instant),
})
export type Passkey = z.infer<typeof passkey>

/**
 * Money that leaves, where it goes, and the account's end are confirmed by the transaction password, or by a passkey
 * instead.
 */
export const transactionConfirmation = {
  transactionPassword: z.optional(visibleLine(64, 'EMPTY')),
  passkey: z.optional(passkeyAnswer),
}
type TransactionConfirmation = { transactionPassword?: unknown; passkey?: unknown }
const confirmationCount = ({ transactionPassword, passkey }: TransactionConfirmation): number =>
  Number(transactionPassword !== undefined) + Number(passkey !== undefined)
const confirmationCheck = (isValid: (given: TransactionConfirmation) => boolean) =>
  z.refine<TransactionConfirmation>(isValid, {
    path: ['transactionPassword'],
    error: 'EMPTY',
    // Also checked if another field is invalid: all errors of a form are reported at once.
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
export const hasTransactionConfirmation = confirmationCheck((given) => confirmationCount(given) === 1)
/** For what practice mode allows without. */
export const hasAtMostOneTransactionConfirmation = confirmationCheck((given) => confirmationCount(given) <= 1)

/** A security change is confirmed by the login password, or by a passkey instead. */
export const confirmation = {
  password: z.optional(required(256)),
  passkey: z.optional(passkeyAnswer),
}
const isConfirmed = z.refine<{ password?: unknown; passkey?: unknown }>(
  ({ password, passkey }) => (password === undefined) !== (passkey === undefined),
  { path: ['password'], error: 'REQUIRED' },
)
export const confirmed = z.strictObject(confirmation).check(isConfirmed)
export type Confirmed = z.infer<typeof confirmed>
export type ConfirmationInput = z.input<typeof confirmed>
