import * as z from 'zod/mini'

/** The values of `error.code`. Texts are in the language packs, keyed by code. */
export const errorCodes = [
  'VALIDATION',
  'IDEMPOTENCY_KEY_REQUIRED',
  'UNAUTHENTICATED',
  'BAD_CREDENTIALS',
  'SECOND_FACTOR_REQUIRED',
  'CSRF',
  'OTHER_MEMBER',
  'FORBIDDEN',
  'SECOND_PERSON',
  'PRACTICE_ONLY',
  'NOT_FOUND',
  'ACCOUNT_TAKEN',
  'PHONE_TAKEN',
  'IDEMPOTENCY_IN_FLIGHT',
  'RATE_CHANGED',
  'OPEN_ORDERS',
  'BALANCE_LEFT',
  'REQUESTS_PENDING',
  'STATEMENT_TOO_LONG',
  'NOT_SETTLED',
  'ALREADY_PENDING',
  'ALREADY_VERIFIED',
  'ALREADY_BOUND',
  'TOTP_ALREADY_ADDED',
  'NOT_CANCELLABLE',
  'CLAIMED',
  'CLAIMS_LIMIT',
  'CONFLICT',
  'OPEN_FIRST',
  'REFERENCE_USED',
  'INTENT_EXPIRED',
  'CHALLENGE_EXPIRED',
  'PRUNED',
  'FILE_TOO_LARGE',
  'BODY_TOO_LARGE',
  'FILE_TYPE',
  'UPLOAD_QUOTA',
  'MEDIA_TYPE',
  'OPENING_CODE_INVALID',
  'REGISTER_TOKEN_EXPIRED',
  'RECOVERY_CODE_INVALID',
  'CAPTCHA_REQUIRED',
  'CAPTCHA_WRONG',
  'WORK_REQUIRED',
  'OLD_PASSWORD_WRONG',
  'SECOND_FACTOR_WRONG',
  'PASSKEY_INVALID',
  'PASSKEY_LIMIT',
  'PASSKEYS_UNAVAILABLE',
  'PASSWORD_MISMATCH',
  'IDEMPOTENCY_MISMATCH',
  'INSUFFICIENT_BALANCE',
  'AWAITS_SECOND_PERSON',
  'INSUFFICIENT_SHARES',
  'ALERT_LIMIT',
  'ALERT_REACHED',
  'PRODUCT_CLOSED',
  'PRODUCT_MAINTENANCE',
  'FEED_STALE',
  'DURATION_UNKNOWN',
  'CROSSES_CLOSE',
  'NOT_BOUND',
  'NOT_VERIFIED',
  'TRANSACTION_PASSWORD_WRONG',
  'DEPOSIT_LIMIT',
  'TOO_MANY_OPEN',
  'TOO_MANY_TODAY',
  'FUND_TIMES_USED',
  'FAST_CAP',
  'LOCKED',
  'TRANSACTION_PASSWORD_LOCKED',
  'WITHDRAWALS_REST',
  'SELF_LIMIT',
  'ACCOUNT_FROZEN',
  'FREEZE_PROPOSED',
  'EXCLUDED',
  'RATE_LIMITED',
  'RECORDS_LIMIT',
  'STORAGE_FULL',
  'LOG_DAMAGED',
  'INTERNAL',
  'UNAVAILABLE',
] as const
export type ErrorCode = (typeof errorCodes)[number]

/** The values of `error.fields`: one code per invalid field. */
export const fieldCodes = [
  'REQUIRED',
  'EMPTY',
  'TYPE',
  'INVALID',
  'UNKNOWN_FIELD',
  'TOO_LONG',
  'ACCOUNT_FORMAT',
  'PHONE_FORMAT',
  'PASSWORD_WEAK',
  'PASSWORD_BREACHED',
  'PASSWORD_SAME',
  'PASSWORD_MISMATCH',
  'TRANSACTION_PASSWORD_FORMAT',
  'TRANSACTION_PASSWORD_MISMATCH',
  'CAPTCHA_FORMAT',
  'AMOUNT_FORMAT',
  'AMOUNT_MIN',
  'AMOUNT_MAX',
  'VALID_UNTIL',
  'NAME_FORMAT',
  'ID_FORMAT',
  'CARD_FORMAT',
  'EMAIL_FORMAT',
  'PHOTO_REQUIRED',
  'NO_ORDERS',
] as const
export type FieldCode = (typeof fieldCodes)[number]

export const errorBody = z.object({
  error: z.object({
    code: z.string(),
    params: z.optional(z.record(z.string(), z.unknown())),
    fields: z.optional(z.record(z.string(), z.string())),
    requestId: z.string(),
  }),
})
export type ErrorBody = z.infer<typeof errorBody>

const knownFieldCodes: ReadonlySet<string> = new Set(fieldCodes)
export const isFieldCode = (text: string): text is FieldCode => knownFieldCodes.has(text)

type Issue = {
  code?: string | undefined
  message: string
  path: readonly PropertyKey[]
  keys?: readonly string[]
  /** Of what a value is too much: `string`, `number`, `array`. */
  origin?: string
}

/**
 * One code per field from a schema's issues: the code that the schema names, else one by the kind of issue.
 * An issue of the whole body (not an object) belongs to no field.
 * @param input the parsed value: needed to distinguish a missing field from one of the wrong type.
 */
export function fieldErrors(issues: readonly Issue[], input: unknown): Record<string, FieldCode> {
  const errors: Record<string, FieldCode> = {}
  for (const issue of issues) {
    const path = issue.path.map(String).join('.')
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys ?? []) errors[path === '' ? key : `${path}.${key}`] ??= 'UNKNOWN_FIELD'
    } else if (path !== '') {
      errors[path] ??= fieldCodeOf(issue, valueAt(input, issue.path))
    }
  }
  return errors
}

function fieldCodeOf(issue: Issue, received: unknown): FieldCode {
  if (issue.code === 'invalid_type' || issue.code === 'invalid_value') {
    if (received === undefined) return isFieldCode(issue.message) ? issue.message : 'REQUIRED'
    if (issue.code === 'invalid_type') return 'TYPE'
  }
  if (isFieldCode(issue.message)) return issue.message
  const isTooLong = issue.code === 'too_big' && issue.origin !== 'number' && issue.origin !== 'int'
  return isTooLong ? 'TOO_LONG' : 'INVALID'
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}
