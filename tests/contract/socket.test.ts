import { expect, it } from 'vitest'
import { decodeTicks, encodeTicks } from '../../contract/socket.ts'
import { fc } from '../support/fastCheck.ts'

const block = fc.record({
  ix: fc.nat(200),
  seq0: fc.integer({ min: 1, max: 10 ** 9 }),
  ticks: fc.array(
    fc.record({ back: fc.nat(50), price: fc.integer({ min: 1, max: 10 ** 9 }), size: fc.nat(10 ** 9) }),
    {
      minLength: 1,
      maxLength: 20,
    },
  ),
})

it('decodes every encoded frame', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1e12, max: 2e12 }), fc.array(block, { maxLength: 8 }), (at, blocks) => {
      const frame = {
        at,
        blocks: blocks.map(({ ix, seq0, ticks }) => ({
          ix,
          seq0,
          values: ticks.flatMap((t) => [at - t.back, t.price, t.size]),
        })),
      }
      expect(decodeTicks(JSON.parse(JSON.stringify(encodeTicks(frame))))).toEqual(frame)
    }),
  )
})

it.each([
  [undefined],
  [null],
  [{}],
  [[]],
  [['1']],
  [[1, 2]],
  [[1000, 0, 1, 2, 0, 5, 1]],
  [[1000, 0, 1, 0]],
  [[1000, 0, 1, -1, 0, 5, 1]],
  [[1000, 0, 1, 1, 1, 5, 1]],
  [[1000, 0, 1, 1, 0, 0, 1]],
  [[1000, 0, 1, 1, 0, 5, -1]],
  [[1000, 0, 1, 1, 0, 5.5, 1]],
  [[1000, 0, 1, 1, 0, null, 1]],
])('rejects %j', (data) => {
  expect(decodeTicks(data)).toBeUndefined()
})

it('throws for no input', () => {
  fc.assert(fc.property(fc.jsonValue(), (data) => void decodeTicks(data)))
})
