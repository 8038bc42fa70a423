import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { parseRecording } from '../../../../contract/recording.ts'
import table from '../../../../server/products.json' with { type: 'json' }

const root = join(import.meta.dirname, '../../../..')
const windowMs = 2000

/** The share of windows of two seconds, from the first tick to the last, that have a tick. */
function shareWithTick({ feed, priceDecimals, sizeDecimals }: (typeof table)[number]): number {
  const csv = gunzipSync(readFileSync(join(root, 'streams/recordings', feed.recording))).toString()
  const { at } = parseRecording(csv, priceDecimals, sizeDecimals)
  const first = at[0] ?? 0
  const windows = new Set(Array.from(at, (instant) => Math.floor((instant - first) / windowMs)))
  return windows.size / (1 + Math.floor(((at.at(-1) ?? 0) - first) / windowMs))
}

const recommended = table.filter((product) => product.recommended)

it.each(recommended)('$id is recommended, and most of the time has a price in two seconds', (product) => {
  expect(shareWithTick(product)).toBeGreaterThan(0.5)
})

it('recommends some, which stand before all others', () => {
  expect(recommended.length).toBeGreaterThanOrEqual(3)
  expect(table.slice(0, recommended.length)).toEqual(recommended)
})
