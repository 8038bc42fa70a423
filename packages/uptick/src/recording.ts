import { epochMs, priceUnits, sizeUnits } from '../../../contract/units.ts'
import {
  decimalsOfRecording,
  parseRecording as parseOfVenue,
  type Recording,
} from '../../../contract/recording.ts'
import { formatUnits } from '../../../contract/price.ts'
import { formatRow, recordingHeader } from '../../../streams/replay/format.ts'
import { sidesAt } from '../../../streams/replay/sides.ts'

/** The first line of every recording. */
export const recordingFormat = recordingHeader

/**
 * Reads a recording's CSV: header `ts_ms,price,size,bid,ask[,…]`, a field is empty if the source has no value. A row without
 * a price is a quote: its price is the mid, rounded half up, and it has no size.
 * @param sizeDecimals default: 0 for quotes, the most decimals of any size for trades
 * @throws RangeError if the header differs, no row is a tick, an instant is not between 1990 and 2100 in ms, or a size
 * exceeds 2^53 units
 */
export const parseRecording = (csv: string, priceDecimals: number, sizeDecimals?: number): Recording =>
  parseOfVenue(csv, priceDecimals, sizeDecimals, { keepsQuotes: true })

/** A recording as CSV text, which `parseRecording` reads back. Between trades a quote becomes its mid. */
export function formatRecording(recording: Recording): string {
  const { at, price, size, kind, priceDecimals } = recording
  const lines = [recordingHeader]
  for (let n = 0; n < at.length; n++) {
    const sides = sidesAt(recording, n)
    const tick = {
      at: epochMs(at[n] ?? 0),
      price: priceUnits(price[n] ?? 0),
      size: sizeUnits(size[n] ?? 0),
      ...sides,
    }
    const { bid, ask } = sides
    if (kind === 'quotes' && bid !== undefined && ask !== undefined)
      lines.push(`${tick.at},,,${formatUnits(bid, priceDecimals)},${formatUnits(ask, priceDecimals)}`)
    else lines.push(formatRow(tick, recording))
  }
  return `${lines.join('\n')}\n`
}

/** The most decimals of any price, bid or ask in a recording's CSV, at most 8. @throws RangeError if the header differs */
export const priceDecimalsOf = (csv: string): number => decimalsOfRecording(csv).priceDecimals
