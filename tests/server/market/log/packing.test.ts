import { describe, expect, it } from 'vitest'
import {
  packBatch,
  unpackBatch,
  unpackWatermarks,
  type BatchBlock,
} from '../../../../server/market/log/batch.ts'
import {
  packHour,
  packMinute,
  unpackHour,
  unpackMinute,
} from '../../../../server/market/candles/bucketRows.ts'
import type { TickColumns } from '../../../../server/market/log/columns.ts'
import { packChunk, unpackChunk } from '../../../../server/market/log/chunk.ts'
import { addMultipliedTo, addTo, toBigInt, emptySum } from '../../../../server/market/candles/exactSum.ts'
import { ByteReader, ByteWriter } from '../../../../server/market/log/packing.ts'
import { sha } from '../../../support/marketFixtures.ts'
import type { Provenance } from '../../../../server/market/log/provenance.ts'
import { fc } from '../../../support/fastCheck.ts'
import { seededRandom } from '../../../support/random.ts'

const nonNegative = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
const anyInteger = fc.maxSafeInteger().map((n) => (n === 0 ? 0 : n))
const at = 1_800_000_000_000
const values = fc
  .array(
    fc.tuple(
      fc.integer({ min: 0, max: 5000 }),
      fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      nonNegative,
    ),
    {
      minLength: 1,
      maxLength: 50,
    },
  )
  .map((ticks) =>
    ticks.sort((a, b) => b[0] - a[0]).flatMap(([back, price, size]) => [at - back, price, size]),
  )

/** Columns of a flat list of (at, price, size). */
function columnsOf(seq0: number, ticks: readonly number[], source?: Provenance): TickColumns {
  const column = (offset: number): Float64Array =>
    Float64Array.from({ length: ticks.length / 3 }, (_, i) => ticks[i * 3 + offset] ?? 0)
  return { seq0, at: column(0), price: column(1), size: column(2), provenance: source }
}

describe('ByteWriter and ByteReader', () => {
  it('round-trip integers', () => {
    fc.assert(
      fc.property(fc.array(nonNegative), fc.array(anyInteger), (nonNegatives, integers) => {
        const writer = new ByteWriter(1)
        nonNegatives.forEach((n) => writer.uint(n))
        integers.forEach((n) => writer.int(n))
        const reader = new ByteReader(writer.finish())
        expect(nonNegatives.map(() => reader.uint())).toEqual(nonNegatives)
        expect(integers.map(() => reader.int())).toEqual(integers)
        expect(reader.done).toBe(true)
      }),
    )
  })

  it('reject bytes that end early, numbers that are too large and a negative zero', () => {
    expect(() => new ByteReader(Uint8Array.of(0x80)).uint()).toThrow(RangeError)
    expect(() => new ByteReader(new Uint8Array(12).fill(0xff)).uint()).toThrow(RangeError)
    expect(() => new ByteReader(Uint8Array.of(0x40)).int()).toThrow(RangeError)
    expect(() => new ByteReader(Uint8Array.of(1)).hex(2)).toThrow(RangeError)
  })
})

describe('packBatch', () => {
  const block: fc.Arbitrary<BatchBlock> = fc.record({
    ix: fc.integer({ min: 1, max: 9999 }),
    seq0: fc.integer({ min: 1, max: 1e12 }),
    values,
    hash: fc.string().map(sha),
  })

  it('round-trips a flush', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 8 }), (blocks) => {
        expect(unpackBatch(at, packBatch(at, blocks))).toEqual(blocks)
      }),
    )
  })
})

/** Ids as exchanges have them, null for a tick of a computed source, beside as many instants. */
const provenance = (count: number) =>
  fc
    .array(
      fc.tuple(
        fc.oneof(
          nonNegative.map(String),
          fc.integer({ min: 1_000_000, max: 1_000_100 }).map(String),
          fc.string({ minLength: 1, maxLength: 64 }),
          fc.constant(null),
        ),
        fc.integer({ min: 0, max: 1e14 }),
      ),
      { minLength: count, maxLength: count },
    )
    .map((all) => ({ ids: all.map(([id]) => id), at: all.map(([id, t]) => (id === null ? 0 : t)) }))

describe('packBatch of live products', () => {
  it('round-trips watermarks, ids and instants after the computed products, whose bytes do not change', () => {
    const live = values.chain((ticks) => fc.tuple(fc.constant(ticks), provenance(ticks.length / 3)))
    fc.assert(
      fc.property(values, live, fc.integer({ min: -5000, max: 1e9 }), (ofComputed, [ticks, source], lag) => {
        const computed = { ix: 1, seq0: 7, values: ofComputed, hash: sha('computed') }
        const withTicks = { ix: 2, seq0: 8, values: ticks, hash: sha('live'), provenance: source }
        const watermarks = [
          { ix: 2, watermark: at },
          { ix: 3, watermark: at - lag },
        ]
        const packed = packBatch(at, [withTicks, computed], watermarks)
        expect(unpackBatch(at, packed)).toEqual([computed, withTicks])
        expect([...unpackWatermarks(at, packed)]).toEqual([
          [2, at],
          [3, at - lag],
        ])
        const alone = packBatch(at, [computed])
        expect(packed.subarray(0, alone.length)).toEqual(alone)
      }),
    )
  })

  it('cannot have another watermark without other ticks', () => {
    const block = {
      ix: 2,
      seq0: 1,
      values: [at - 50, 100, 1],
      hash: sha(''),
      provenance: { ids: ['1'], at: [at] },
    }
    const packed = packBatch(at, [block], [{ ix: 2, watermark: at - 40 }])
    // After the mark of live products and the number of this one.
    packed[2] = 41
    expect([...unpackWatermarks(at, packed)]).toEqual([[2, at - 41]])
    expect(unpackBatch(at, packed)[0]?.values).toEqual([at - 51, 100, 1])
  })
})

describe('packChunk of live ticks', () => {
  it('round-trips ids and instants', async () => {
    const live = values.chain((ticks) => fc.tuple(fc.constant(ticks), provenance(ticks.length / 3)))
    await fc.assert(
      fc.asyncProperty(live, async ([ticks, source]) => {
        const columns = columnsOf(77, ticks, source)
        expect(await unpackChunk(77, await packChunk(columns))).toEqual(columns)
      }),
    )
  })

  it('needs at most 0.4 bytes a tick for where the ticks come from', async () => {
    // Like trades: several in one message with one instant of the exchange, messages some 40 to 300 ms later.
    const { next: random } = seededRandom(7)
    const [ticks, ids, sourceAt]: [number[], string[], number[]] = [[], [], []]
    let [id, instant] = [1_537_000_000, at]
    while (ids.length < 4096) {
      instant += 20 + Math.floor(random() * 700)
      const arrivedAt = instant + 100 + Math.floor(random() * 40)
      for (let n = 1 + Math.floor(random() ** 2 * 12); n > 0; n--) {
        ticks.push(arrivedAt, 268_300 + Math.floor(random() * 50), Math.floor(random() * 9000))
        ids.push(String((id += 1)))
        sourceAt.push(instant)
      }
    }
    const bare = await packChunk(columnsOf(1, ticks))
    const full = await packChunk(columnsOf(1, ticks, { ids, at: sourceAt }))
    expect((full.length - bare.length) / ids.length).toBeLessThan(0.4)
  })
})

describe('packChunk', () => {
  it('round-trips ticks', async () => {
    await fc.assert(
      fc.asyncProperty(values, async (ticks) => {
        const columns = columnsOf(77, ticks)
        expect(await unpackChunk(77, await packChunk(columns))).toEqual(columns)
      }),
    )
  })

  it('rejects bytes in which any one bit has changed', async () => {
    const ticks = Array.from({ length: 400 }, (_, i) => [
      at + i * 40,
      6_180_000 + ((i * 7919) % 300),
      i % 97,
    ]).flat()
    const packed = await packChunk(columnsOf(1, ticks))
    let rejected = 0
    for (let i = 0; i < 1000; i++) {
      const copy = Buffer.from(packed)
      const byte = (i * 31) % copy.length
      copy[byte] = copy[byte]! ^ (1 << (i % 8))
      await unpackChunk(1, copy).catch(() => rejected++)
    }
    expect(rejected).toBe(1000)
  })
})

describe('packMinute and packHour', () => {
  const sum = fc.record({ high: nonNegative, low: nonNegative })
  const bucket = fc
    .tuple(
      fc.array(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), { minLength: 4, maxLength: 4 }),
      sum,
      sum,
      anyInteger,
    )
    .map(([prices, volume, turnover, lastSeq]) => {
      const [low = 0, open = 0, close = 0, high = 0] = [...prices].sort((a, b) => a - b)
      return { openAt: 3_600_000 * 7 + 60_000 * 3, open, high, low, close, volume, turnover, lastSeq }
    })

  it('round-trip minute buckets', () => {
    fc.assert(
      fc.property(fc.array(bucket), (buckets) => {
        const row = buckets.map((each, i) => ({ ix: i + 1, bucket: each }))
        expect(unpackMinute(buckets[0]?.openAt ?? 0, packMinute(row))).toEqual(row)
        expect(unpackHour(3_600_000 * 7, packHour(3_600_000 * 7, buckets))).toEqual(buckets)
      }),
    )
  })
})

describe('ExactSum', () => {
  it('equals the sum in big integers', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(nonNegative, fc.nat({ max: 2 ** 44 }))), (pairs) => {
        const addends = emptySum()
        const products = emptySum()
        for (const [a, b] of pairs) {
          addTo(addends, a)
          addMultipliedTo(products, a, b)
        }
        expect(toBigInt(addends)).toBe(pairs.reduce((sum, [a]) => sum + BigInt(a), 0n))
        expect(toBigInt(products)).toBe(pairs.reduce((sum, [a, b]) => sum + BigInt(a) * BigInt(b), 0n))
      }),
    )
  })
})
