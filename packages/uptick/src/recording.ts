import { epochMs, priceUnits, sizeUnits } from '../../../contract/brand.ts'
import { decimalsOfRecording } from '../../../contract/recording.ts'
import type { Recording } from '../../../contract/recording.ts'
import { formatRow, recordingHeader } from '../../../streams/recording/format.ts'

/** The first line of every recording. */
export const recordingFormat = recordingHeader

/** A recording as CSV text, which `parseRecording` reads back; quotes become prices, since their mid is one. */
export function formatRecording(recording: Recording): string {
  const { at, price, size } = recording
  const lines = [recordingHeader]
  for (let n = 0; n < at.length; n++) {
    const tick = {
      at: epochMs(at[n] ?? 0),
      price: priceUnits(price[n] ?? 0),
      size: sizeUnits(size[n] ?? 0),
    }
    lines.push(formatRow(tick, recording))
  }
  return `${lines.join('\n')}\n`
}

/** The most decimals of any price, bid or ask in a recording's CSV, at most 8. @throws RangeError if the header differs */
export const priceDecimalsOf = (csv: string): number => decimalsOfRecording(csv).priceDecimals
