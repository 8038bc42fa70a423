import { epochMs, priceUnits, sizeUnits } from '../../../contract/brand.ts'
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

const decimalsMax = 8

/** The most decimals of any price, bid or ask in a recording's CSV, at most 8. */
export function priceDecimalsOf(csv: string): number {
  let most = 0
  for (let from = csv.indexOf('\n') + 1; from > 0 && most < decimalsMax; from = csv.indexOf('\n', from) + 1) {
    const [, price = '', , bid = '', ask = ''] =
      csv
        .slice(from, from + 120)
        .split('\n', 1)[0]
        ?.split(',') ?? []
    for (const field of [price, bid, ask]) {
      const dot = field.trim().indexOf('.')
      if (dot >= 0) most = Math.max(most, field.trim().length - dot - 1)
    }
  }
  return Math.min(most, decimalsMax)
}
