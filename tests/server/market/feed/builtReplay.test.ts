import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  narrowed,
  packReplay,
  unpackReplay,
  type PreparedReplay,
} from '../../../../server/market/feed/builtReplay.ts'
import { prepareReplay } from '../../../../server/market/feed/preparedReplay.ts'
import { projectRoot } from '../../../../server/platform/paths.ts'

/** As a start reads a file. */
function inSharedMemory(file: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(new SharedArrayBuffer(file.length))
  bytes.set(file)
  return bytes
}

it.each([
  ['IF2101_2021-01-04.csv.gz', { pauseMs: 600_000, closedPauseMs: 0, periodMs: 86_400_000 }],
  ['BTCUSD_dukascopy_2023-02-20.csv.gz', { pauseMs: 600_000, closedPauseMs: 60_000 }],
])('the replay of %s that a build packs is that of its text', async (file, settings) => {
  const path = { dir: join(projectRoot, 'streams/recordings'), file }
  const replay = await prepareReplay(path, settings, { price: 2, size: undefined })
  expect(replay.scheduled.offset.length).toBeGreaterThan(10_000)
  expect(unpackReplay(inSharedMemory(packReplay(replay)))).toEqual(replay)
})

const small = (...prices: number[]): PreparedReplay => ({
  scheduled: {
    offset: narrowed(Float64Array.of(...prices.keys())),
    passes: [narrowed(Float64Array.of(...prices)), narrowed(Float64Array.of(...prices.toReversed()))],
    size: narrowed(Float64Array.of(...prices.keys())),
    pauses: [{ closesAt: 1, opensAt: 2 }],
    period: 1000,
    sizeDecimals: 3,
  },
  fingerprint: 'replay',
  day: '2022-01-15',
  skipped: { count: 1, rows: 4, reasons: {}, first: null },
})

it('numbers of more than 32 bits keep all their digits', () => {
  const replay = small(9_000_000_001, 1, 45_000_000_000_000)
  const read = unpackReplay(inSharedMemory(packReplay(replay)))
  expect(read).toEqual(replay)
  expect([...read.scheduled.passes[0]]).toEqual([9_000_000_001, 1, 45_000_000_000_000])
})

it('a column has 32 bits a number if all of its numbers fit', () => {
  expect(narrowed(Float64Array.of(0, 2 ** 32 - 1))).toBeInstanceOf(Uint32Array)
  expect(narrowed(Float64Array.of(0, 2 ** 32))).toBeInstanceOf(Float64Array)
})

it('a file that was cut off anywhere is an error that a start knows', () => {
  const whole = packReplay(small(1, 2))
  for (let bytes = 0; bytes < whole.length - 8; bytes += 1) {
    let error: unknown
    try {
      unpackReplay(inSharedMemory(whole.slice(0, bytes)))
    } catch (thrown) {
      error = thrown
    }
    expect([bytes, error instanceof RangeError || error instanceof SyntaxError]).toEqual([bytes, true])
  }
})
