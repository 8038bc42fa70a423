import { toHalfWidth } from '../../../../contract/halfWidth.ts'
import { parseTruncated } from '../../../../contract/price.ts'
import { lineNameMax, type LineSetting } from '../../../state/chartSettings.ts'

export type LineTexts = { price: string; name: string }
export type LineErrors = { price?: true; name?: true }

/** Reads a horizontal line as typed: a price above zero, after a dot or a comma no more decimals than the product has. */
export function parseLine({ price, name }: LineTexts, priceDecimals: number): LineSetting | LineErrors {
  const plain = toHalfWidth(price).trim().replace(',', '.')
  const decimals = /^\d+(?:\.(\d+))?$/.exec(plain)?.[1]?.length ?? 0
  const units = decimals > priceDecimals ? undefined : parseTruncated(plain, priceDecimals)
  const trimmed = name.trim()
  const isPrice = units !== undefined && units > 0
  const isName = Array.from(trimmed).length <= lineNameMax
  if (isPrice && isName) return { units, name: trimmed }
  return { ...(isPrice ? {} : { price: true }), ...(isName ? {} : { name: true }) }
}

export const isLine = (parsed: LineSetting | LineErrors): parsed is LineSetting => 'units' in parsed
