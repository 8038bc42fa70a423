import type { TFunction } from 'i18next'
import { assertNever } from '../../contract/units.ts'
import { errorCodes, fieldCodes, type ErrorCode, type FieldCode } from '../../contract/errors.ts'
import { moneyPattern } from '../../contract/money.ts'
import type { Failure } from '../../streams/index.ts'
import { noValue, type Format } from '../text/format.ts'

const codes: ReadonlySet<string> = new Set([...errorCodes, ...fieldCodes])
const isKnown = (code: string): code is ErrorCode | FieldCode => codes.has(code)

/** What went wrong and what to do about it, in the current language. */
export function failureText(t: TFunction, format: Format, failure: Failure): string {
  switch (failure.kind) {
    case 'timeout':
      return t('error.TIMEOUT')
    case 'offline':
      return t('error.OFFLINE')
    case 'broken':
      return t('error.BROKEN')
    case 'rejected':
      return codeText(t, format, failure.code, failure.params)
    default:
      return assertNever(failure)
  }
}

/** What could not be done, and why: two sentences, separated as the language separates them. */
export const failedText = (t: TFunction, format: Format, what: string, failure: Failure): string =>
  t('common.sentences', { first: what, second: failureText(t, format, failure) })

/** The text of a code of the whole answer or of a field. An unknown code is shown as it is. */
export function codeText(
  t: TFunction,
  format: Format,
  code: string,
  params: Record<string, unknown> = {},
): string {
  if (!isKnown(code)) return t('error.UNKNOWN', { code })
  if (code === 'FEED_STALE' && params['reason'] === 'witness') return t('error.FEED_STALE_WITNESS')
  return t(`error.${code}`, {
    wait: noValue,
    opensAt: noValue,
    resetAt: noValue,
    endsAt: noValue,
    min: noValue,
    max: noValue,
    withdrawable: noValue,
    ...formatParams(format, params),
  })
}

/** The text of the code of a field; `blank` if the field is required and empty. */
export const fieldText = (
  t: TFunction,
  format: Format,
  code: FieldCode | undefined,
  blank: string,
): string | undefined => code && (code === 'REQUIRED' ? blank : codeText(t, format, code))

/** The texts of the fields that the venue rejected, by field; empty if the failure is not about fields. */
export function fieldTexts(t: TFunction, format: Format, failure: Failure): Record<string, string> {
  const fields = failure.kind === 'rejected' ? Object.entries(failure.fields) : []
  return Object.fromEntries(fields.map(([name, code]) => [name, codeText(t, format, code)]))
}

/** Formats parameters: money grouped, waits in words, instants as dates. */
function formatParams(format: Format, params: Record<string, unknown>): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(params)) {
    if (name === 'retryAfterMs' && typeof value === 'number') texts['wait'] = format.wait(value)
    else if (name.endsWith('At') && typeof value === 'number') texts[name] = format.dateTimeShort(value)
    else if (name.endsWith('Bp') && typeof value === 'number') texts[name] = format.rate(value)
    else if (typeof value === 'string') texts[name] = moneyPattern.test(value) ? format.money(value) : value
    else if (typeof value === 'number') texts[name] = format.decimal(String(value))
  }
  return texts
}
