import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packBatch, unpackBatch } from '../../../server/market/batch.ts'
import type { BatchBlock } from '../../../server/market/batch.ts'
import { packHour, packMinute, unpackHour, unpackMinute } from '../../../server/market/bucketRows.ts'
import { packChunk, unpackChunk } from '../../../server/market/chunk.ts'
import { addMultipliedTo, addTo, toBigInt, emptySum } from '../../../server/market/exactSum.ts'
import { ByteReader, ByteWriter } from '../../../server/market/packing.ts'
import { columnsOf } from '../../../server/market/rehash.ts'
import { sha } from '../../support/marketFixtures.ts'

const natural = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
const whole = fc.maxSafeInteger().map((n) => (n === 0 ? 0 : n))
const at = 1_800_000_000_000
const values = fc
  .array(
    fc.tuple(
      fc.integer({ min: 0, max: 5000 }),
      fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      natural,
    ),
    {
      minLength: 1,
      maxLength: 50,
    },
  )
  .map((ticks) =>
    ticks.sort((a, b) => b[0] - a[0]).flatMap(([back, price, size]) => [at - back, price, size]),
  )

describe('packed numbers', () => {
  it('come back as they went in', () => {
    fc.assert(
      fc.property(fc.array(natural), fc.array(whole), (naturals, wholes) => {
        const writer = new ByteWriter(1)
        naturals.forEach((n) => writer.uint(n))
        wholes.forEach((n) => writer.int(n))
        const reader = new ByteReader(writer.finish())
        expect(naturals.map(() => reader.uint())).toEqual(naturals)
        expect(wholes.map(() => reader.int())).toEqual(wholes)
        expect(reader.done).toBe(true)
      }),
    )
  })

  it('that end early or grow too large are refused', () => {
    expect(() => new ByteReader(Uint8Array.of(0x80)).uint()).toThrow(RangeError)
    expect(() => new ByteReader(new Uint8Array(12).fill(0xff)).uint()).toThrow(RangeError)
    expect(() => new ByteReader(Uint8Array.of(0x40)).int()).toThrow(RangeError)
    expect(() => new ByteReader(Uint8Array.of(1)).hex(2)).toThrow(RangeError)
  })
})

describe('a flush', () => {
  const block: fc.Arbitrary<BatchBlock> = fc.record({
    ix: fc.integer({ min: 1, max: 9999 }),
    seq0: fc.integer({ min: 1, max: 1e12 }),
    values,
    hash: fc.string().map(sha),
  })

  it('comes back as it went in', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 8 }), (blocks) => {
        expect(unpackBatch(at, packBatch(at, blocks))).toEqual(blocks)
      }),
    )
  })
})

describe('a chunk', () => {
  it('comes back as it went in', async () => {
    await fc.assert(
      fc.asyncProperty(values, async (ticks) => {
        const columns = columnsOf(77, ticks)
        expect(await unpackChunk(77, await packChunk(columns))).toEqual(columns)
      }),
    )
  })

  it('with any one bit changed is refused', async () => {
    const ticks = Array.from({ length: 400 }, (_, i) => [
      at + i * 40,
      6_180_000 + ((i * 7919) % 300),
      i % 97,
    ]).flat()
    const packed = await packChunk(columnsOf(1, ticks))
    let named = 0
    for (let i = 0; i < 1000; i++) {
      const copy = Buffer.from(packed)
      const byte = (i * 31) % copy.length
      copy[byte] = copy[byte]! ^ (1 << (i % 8))
      await unpackChunk(1, copy).catch(() => named++)
    }
    expect(named).toBe(1000)
  })
})

describe('minute buckets', () => {
  const sum = fc.record({ high: natural, low: natural })
  const bucket = fc
    .tuple(
      fc.array(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), { minLength: 4, maxLength: 4 }),
      sum,
      sum,
      whole,
    )
    .map(([prices, volume, turnover, lastSeq]) => {
      const [low = 0, open = 0, close = 0, high = 0] = [...prices].sort((a, b) => a - b)
      return { openAt: 3_600_000 * 7 + 60_000 * 3, open, high, low, close, volume, turnover, lastSeq }
    })

  it('come back as they went in, by minute and by hour', () => {
    fc.assert(
      fc.property(fc.array(bucket), (buckets) => {
        const row = buckets.map((each, i) => ({ ix: i + 1, bucket: each }))
        expect(unpackMinute(buckets[0]?.openAt ?? 0, packMinute(row))).toEqual(row)
        expect(unpackHour(3_600_000 * 7, packHour(3_600_000 * 7, buckets))).toEqual(buckets)
      }),
    )
  })
})

describe('exact sums', () => {
  it('equal those of big integers', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(natural, fc.nat({ max: 2 ** 44 }))), (pairs) => {
        const sums = emptySum()
        const products = emptySum()
        for (const [a, b] of pairs) {
          addTo(sums, a)
          addMultipliedTo(products, a, b)
        }
        expect(toBigInt(sums)).toBe(pairs.reduce((sum, [a]) => sum + BigInt(a), 0n))
        expect(toBigInt(products)).toBe(pairs.reduce((sum, [a, b]) => sum + BigInt(a) * BigInt(b), 0n))
      }),
    )
  })
})
