import { describe, expect, it } from 'vitest'
import {
  decodeDelta,
  decodeTicks,
  encodeDelta,
  encodeTicks,
  tickEncodingOf,
} from '../../contract/tickFrame.ts'
import { fc } from '../support/fastCheck.ts'

/** Up to the largest integers that a price or a size may have, and steps between such extremes. */
const units = (min: number) =>
  fc.oneof(fc.integer({ min, max: 10 ** 9 }), fc.integer({ min, max: Number.MAX_SAFE_INTEGER }))
const block = fc.record({
  ix: fc.nat(10_000),
  seq0: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER - 20 }),
  ticks: fc.array(
    fc.record({ back: fc.oneof(fc.nat(50), fc.nat(10 ** 12)), price: units(1), size: units(0) }),
    { minLength: 1, maxLength: 20 },
  ),
})
const frames = fc
  .tuple(fc.integer({ min: 1e12, max: 2e12 }), fc.array(block, { maxLength: 8 }))
  .map(([at, blocks]) => ({
    at,
    blocks: blocks.map(({ ix, seq0, ticks }) => ({
      ix,
      seq0,
      values: ticks.flatMap((t) => [at - t.back, t.price, t.size]),
    })),
  }))
const sent = (numbers: number[]): unknown => JSON.parse(JSON.stringify(numbers))

it.each([
  ['ticks', encodeTicks, decodeTicks],
  ['delta', encodeDelta, decodeDelta],
] as const)('%s: decodes every encoded frame', (_event, encode, decode) => {
  fc.assert(
    fc.property(frames, (frame) => {
      expect(decode(sent(encode(frame)))).toEqual(frame)
    }),
  )
})

it('differences have the same blocks, sizes and first prices as ticks, so that a block can be skipped in both', () => {
  fc.assert(
    fc.property(frames, (frame) => {
      const [ticks, deltas] = [encodeTicks(frame), encodeDelta(frame)]
      expect(deltas).toHaveLength(ticks.length)
      let i = 1
      for (const { values } of frame.blocks) {
        expect(deltas.slice(i, i + 6)).toEqual(ticks.slice(i, i + 6))
        i += 3 + values.length
      }
    }),
  )
})

const malformed: unknown[] = [
  undefined,
  null,
  {},
  [],
  ['1'],
  [1, 2],
  [1000, 0, 1, 2, 0, 5, 1],
  [1000, 0, 1, 0],
  [1000, 0, 1, -1, 0, 5, 1],
  [1000, 0, 1, 1, 1, 5, 1],
  [1000, 0, 1, 1, 0, 0, 1],
  [1000, 0, 1, 1, 0, 5, -1],
  [1000, 0, 1, 1, 0, 5.5, 1],
  [1000, 0, 1, 1, 0, null, 1],
]

describe('malformed frames', () => {
  it.each(malformed)('%j is neither event', (data) => {
    expect(decodeTicks(data)).toBeUndefined()
    expect(decodeDelta(data)).toBeUndefined()
  })

  it.each([
    ['is later than the frame', [1000, 0, 1, 2, -1, 5, 1, 2, 0, 1]],
    ['has no price', [1000, 0, 1, 2, -1, 5, 1, 0, -5, 1]],
    ['has a broken step', [1000, 0, 1, 2, -1, 5, 1, 0, 0.5, 1]],
    ['has a price that no integer holds', [1000, 0, 1, 2, -1, Number.MAX_SAFE_INTEGER, 1, 0, 1, 1]],
  ])('differences whose second tick %s are rejected', (_what, data) => {
    expect(decodeDelta(data)).toBeUndefined()
  })

  it('throw for no input', () => {
    fc.assert(fc.property(fc.jsonValue(), (data) => void [decodeTicks(data), decodeDelta(data)]))
  })
})

it.each([
  [{ ticks: 'delta', EIO: '4' }, 'delta'],
  [{ ticks: 'absolute' }, 'absolute'],
  [{ ticks: 'other' }, 'absolute'],
  [{ ticks: ['delta', 'delta'] }, 'absolute'],
  [{}, 'absolute'],
  [undefined, 'absolute'],
])('the query %j asks for %s', (query, encoding) => {
  expect(tickEncodingOf(query)).toBe(encoding)
})
