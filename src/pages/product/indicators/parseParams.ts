import { toHalfWidth } from '../../../../contract/halfWidth.ts'
import { areOrdered, isDeviations, isParam, type IndicatorKind } from '../../../chart/indicators/kinds.ts'

export type ParamError = 'bars' | 'deviations' | 'order'

export type ParsedParams =
  | { ok: true; params: number[] }
  /** The first parameter that is wrong, and how. */
  | { ok: false; at: number; error: ParamError }

/** Reads the parameters of an indicator as typed. */
export function parseParams(kind: IndicatorKind, texts: readonly string[]): ParsedParams {
  const params = texts.map(numberOf)
  const at = params.findIndex((value, i) => !isParam(kind, i, value))
  if (at >= 0) return { ok: false, at, error: isDeviations(kind, at) ? 'deviations' : 'bars' }
  if (!areOrdered(kind, params)) return { ok: false, at: 0, error: 'order' }
  return { ok: true, params }
}

/** A plain decimal, after a dot or a comma; NaN for any other text. */
function numberOf(text: string): number {
  const plain = toHalfWidth(text).trim().replace(',', '.')
  return /^\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : NaN
}
