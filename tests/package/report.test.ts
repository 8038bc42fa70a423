import { describe, expect, it } from 'vitest'
import { priceUnits, sizeUnits, epochMs } from '../../contract/units.ts'
import { toRestTick } from '../../contract/products.ts'
import { formatPrice, formatSize } from '../../contract/price.ts'
import { productsOf, readReport } from '../../packages/uptick/src/cli/report.ts'
import { createReplayMarket } from '../../streams/replay/replayMarket.ts'
import { virtualClock } from 'uptick/replay'
import { fc } from '../support/fastCheck.ts'

type Sent = { id: string; seq: number; at: number; price: number; size: number; receivedAt: number }

const scales = { A: { priceDecimals: 2, sizeDecimals: 0 }, B: { priceDecimals: 5, sizeDecimals: 3 } }
const tick = fc.record({
  id: fc.constantFrom('A', 'B'),
  gap: fc.nat(900),
  delay: fc.nat(3000),
  missing: fc.nat(2),
  price: fc.integer({ min: 1, max: 10 ** 9 }),
  size: fc.nat(10 ** 9),
  twice: fc.boolean(),
})
/** Ticks in order, each in a frame of its own that arrives late; some frames arrive twice, some ticks never came. */
const wires = fc.array(tick, { minLength: 1, maxLength: 60 }).map((all) => {
  let [at, arrival] = [1_700_000_000_000, 0]
  const seqs = { A: 0, B: 0 }
  const sent: Sent[] = []
  const frames: { receivedAt: number; blocks: { id: string; seq0: number; values: number[] }[] }[] = []
  for (const { id, gap, delay, missing, price, size, twice } of all) {
    at += gap
    arrival = Math.max(arrival, at + delay)
    const seq = (seqs[id as 'A'] += 1 + missing)
    sent.push({ id, seq, at, price, size, receivedAt: arrival })
    const frame = { receivedAt: arrival, blocks: [{ id, seq0: seq, values: [at, price, size] }] }
    frames.push(frame, ...(twice ? [frame] : []))
  }
  const ids = [...new Set(sent.map(({ id }) => id))]
  return { sent, wire: { products: ids.map((id) => ({ id, ...scales[id as 'A'] })), frames } }
})

describe('a report', () => {
  it('plays the ticks that were received, each when it arrived', () => {
    fc.assert(
      fc.property(wires, ({ sent, wire }) => {
        const market = createReplayMarket(productsOf({ wire }), { speed: 1, scheduler: virtualClock() })
        const instants = [...new Set(sent.map(({ receivedAt }) => receivedAt))].filter(
          (instant) => instant >= market.clock.now(),
        )
        for (const instant of instants) {
          market.clock.seek(instant)
          for (const { id, priceDecimals, sizeDecimals } of wire.products) {
            const own = sent.filter((one) => one.id === id)
            const arrived = own.filter(({ receivedAt }) => receivedAt <= instant)
            const expected = arrived.map(({ at, price, size }, n) =>
              toRestTick([
                n + 1,
                epochMs(at),
                formatPrice(priceUnits(price), priceDecimals),
                formatSize(sizeUnits(size), sizeDecimals),
              ]),
            )
            const { ticks } = market.find(id).ticks({ afterSeq: 0 })
            expect(ticks).toEqual(expected)
          }
        }
      }),
    )
  })

  it.each([
    ['text that is no JSON', '{"format": "uptick-re', 'F.json is no report of this format'],
    ['another format', '{"format": "uptick-order-proof", "version": 1}', 'see its format'],
    ['another version', '{"format": "uptick-report", "version": 2}', 'see its version'],
    [
      'no prices',
      JSON.stringify({
        format: 'uptick-report',
        version: 1,
        savedAt: 1,
        appVersion: '1',
        build: 'b',
        page: '/',
        previousPage: null,
        wire: { products: [], frames: [] },
      }),
      'F.json has no prices',
    ],
    [
      'instants in seconds',
      JSON.stringify({
        format: 'uptick-report',
        version: 1,
        savedAt: 1,
        appVersion: '1',
        build: 'b',
        page: '/',
        previousPage: null,
        wire: {
          products: [{ id: 'A', priceDecimals: 2, sizeDecimals: 0 }],
          frames: [{ receivedAt: 1, blocks: [{ id: 'A', seq0: 1, values: [1_700_000_000, 100, 1] }] }],
        },
      }),
      'F.json: not a recording: line 2: the instant 1700000000 is in seconds, not milliseconds',
    ],
  ])('is refused in one line: %s', (_, text, why) => {
    expect(() => readReport(text, 'F.json')).toThrow(why)
  })
})
