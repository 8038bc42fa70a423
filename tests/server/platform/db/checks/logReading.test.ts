import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withDatabase } from '../../../../support/withVenue.ts'
import {
  packBatch,
  unpackRow,
  type BatchBlock,
  type LiveWatermark,
} from '../../../../../server/market/log/batch.ts'

const database = await withDatabase()

const flushAt = 1_700_000_000_000
const tick = fc.record({
  ago: fc.integer({ min: 0, max: 100_000 }),
  price: fc.integer({ min: 0, max: 2 ** 45 }),
  size: fc.integer({ min: 0, max: 2 ** 50 }),
  id: fc.oneof(
    fc.constant(null),
    fc.nat({ max: 2 ** 50 }).map(String),
    fc.string({ maxLength: 12 }),
    fc.uuid(),
  ),
})
const product = fc.record({
  live: fc.boolean(),
  late: fc.integer({ min: -5000, max: 40_000 }),
  seq0: fc.integer({ min: 1, max: 2 ** 40 }),
  hash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  ticks: fc.array(tick, { maxLength: 8 }),
})

it('reads every flush as the venue does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(product, { maxLength: 8 }), async (products) => {
      const blocks: BatchBlock[] = []
      const live: LiveWatermark[] = []
      for (const [i, { live: isLive, late, seq0, hash, ticks }] of products.entries()) {
        const ix = i + 1
        const watermark = isLive ? flushAt - late : flushAt
        if (isLive) live.push({ ix, watermark })
        if (ticks.length === 0) continue
        const values = ticks.flatMap(({ ago, price, size }) => [watermark - ago, price, size])
        const provenance = isLive
          ? {
              ids: ticks.map(({ id }) => id),
              at: ticks.map(({ id, ago }) => (id === null ? 0 : watermark - ago - 7)),
            }
          : undefined
        blocks.push({ ix, seq0, values, hash: Buffer.from(hash).toString('hex'), provenance })
      }
      const data = packBatch(flushAt, blocks, live)
      const expected = unpackRow(flushAt, data)
      const { rows } = await database.pool.query<{
        ix: number
        watermark: number
        live: boolean
        seq0: number
        ats: number[]
        prices: number[]
        hash: Buffer | null
      }>('SELECT * FROM flush_blocks($1, $2)', [flushAt, data])
      const withTicks = rows.filter(({ hash }) => hash !== null)
      expect(
        withTicks.map(({ ix, seq0, ats, prices, hash }) => [
          ix,
          seq0,
          ats.map(Number),
          prices.map(Number),
          hash?.toString('hex'),
        ]),
      ).toEqual(
        expected.blocks.map(({ ix, seq0, values, hash }) => [
          ix,
          seq0,
          values.filter((_, n) => n % 3 === 0),
          values.filter((_, n) => n % 3 === 1),
          hash,
        ]),
      )
      expect(new Map(rows.filter((row) => row.live).map(({ ix, watermark }) => [ix, watermark]))).toEqual(
        expected.watermarks,
      )
    }),
    { numRuns: 150 },
  )
})
