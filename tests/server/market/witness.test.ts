import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  deviates,
  deviatingSince,
  deviationMs,
  compareWitness,
  silenceMs,
  stepsToKeep,
  type Comparison,
  type PriceStep,
} from '../../../server/market/witness.ts'

type Row = readonly [at: number, price: number]
const stepsOf = (rows: readonly Row[]): PriceStep[] => rows.map(([at, price]) => ({ at, price }))
const compare = (product: readonly Row[], witness: readonly Row[]): Comparison => ({
  product: stepsOf(product),
  witness: stepsOf(witness),
  maxDeviationBp: 10,
})

describe('the difference of two prices', () => {
  it.each([
    [10_010, 10_000, 10, false],
    [10_011, 10_000, 10, true],
    [9990, 10_000, 10, false],
    [9989, 10_000, 10, true],
    [10_000, 10_000, 1, false],
    // Beyond the integers that a number multiplies exactly.
    [9_007_199_254_740_000, 9_006_298_624_877_512, 1, true],
    [9_007_199_254_740_000, 9_006_298_624_877_512, 2, false],
  ])('of %i and %i at %i bp deviates: %s', (price, witness, maxDeviationBp, expected) => {
    expect(deviates(price, witness, maxDeviationBp)).toBe(expected)
  })
})

describe('the verdict of a witness', () => {
  it.each([
    ['equal prices', compare([[0, 10_000]], [[0, 10_000]]), 5000, 5000, 'agrees'],
    ['a difference for just less than 2 s', compare([[0, 10_100]], [[0, 10_000]]), 1999, 1999, 'agrees'],
    ['a difference for 2 s', compare([[0, 10_100]], [[0, 10_000]]), 2000, 2000, 'deviates'],
    [
      'a difference that ended for an instant',
      compare(
        [
          [0, 10_100],
          [1500, 10_000],
          [1501, 10_100],
        ],
        [[0, 10_000]],
      ),
      3500,
      3500,
      'agrees',
    ],
    [
      'a difference that began with the witness',
      compare(
        [[0, 10_000]],
        [
          [0, 10_000],
          [1000, 9900],
        ],
      ),
      3000,
      3000,
      'deviates',
    ],
    [
      'two ticks at one instant, of which the last one agrees',
      compare(
        [
          [0, 10_100],
          [0, 10_000],
        ],
        [[0, 10_000]],
      ),
      5000,
      5000,
      'agrees',
    ],
    [
      'a difference that only one of the logs shows yet',
      compare(
        [
          [0, 10_000],
          [1000, 10_100],
        ],
        [[0, 10_000]],
      ),
      1000,
      9000,
      'agrees',
    ],
    ['a witness without a tick', compare([[0, 10_000]], []), 100, 100, 'silent'],
    ['29,999 ms without a tick', compare([[0, 10_000]], [[0, 10_000]]), 29_999, 29_999, 'agrees'],
    ['30 s without a tick', compare([[0, 10_000]], [[0, 10_000]]), 30_000, 30_000, 'silent'],
    ['30 s without a tick or a watermark', compare([[0, 10_000]], [[0, 10_000]]), 50, 30_000, 'silent'],
    ['a product without a tick', compare([], [[0, 10_000]]), 5000, 5000, 'agrees'],
  ] as const)('of %s', (_, comparison, watermark, flushedAt, verdict) => {
    expect(compareWitness(comparison, { watermark, flushedAt })).toBe(verdict)
  })

  const grid = 250
  const prices = fc
    .array(fc.tuple(fc.nat(160), fc.constantFrom(9980, 9995, 10_000, 10_005, 10_020)), { maxLength: 40 })
    .map((rows) =>
      stepsOf(rows.map(([at, price]) => [at * grid, price] as const)).toSorted((a, b) => a.at - b.at),
    )
  const comparisons = fc.record({
    product: prices,
    witness: prices,
    maxDeviationBp: fc.constantFrom(1, 10, 30),
  })

  it('is that of looking at every instant', () => {
    fc.assert(
      fc.property(comparisons, fc.nat(160), (comparison, instant) => {
        const until = instant * grid
        const differsAt = (t: number): boolean => {
          const own = comparison.product.findLast(({ at }) => at <= t)
          const other = comparison.witness.findLast(({ at }) => at <= t)
          return (
            own !== undefined &&
            other !== undefined &&
            deviates(own.price, other.price, comparison.maxDeviationBp)
          )
        }
        let since: number | null = null
        for (let t = until; t >= 0 && differsAt(t); t -= grid) since = t
        expect(deviatingSince(comparison, until)).toBe(since)
      }),
    )
  })

  it('is the same however the log was cut into flushes, and whichever of the two was late', () => {
    const flushes = fc.array(fc.tuple(fc.integer({ min: 1, max: 24 }), fc.nat(24), fc.nat(24)), {
      maxLength: 30,
    })
    fc.assert(
      fc.property(comparisons, flushes, (whole, cuts) => {
        let kept: Pick<Comparison, 'product' | 'witness'> = { product: [], witness: [] }
        let [flushedAt, ownUntil, otherUntil] = [-1, -1, -1]
        for (const [length, ownLate, otherLate] of cuts) {
          flushedAt += length * grid
          const own = Math.max(ownUntil, flushedAt - ownLate * grid)
          const other = Math.max(otherUntil, flushedAt - otherLate * grid)
          const between = (steps: readonly PriceStep[], after: number, until: number): readonly PriceStep[] =>
            steps.filter(({ at }) => at > after && at <= until)
          kept = {
            product: [...kept.product, ...between(whole.product, ownUntil, own)],
            witness: [...kept.witness, ...between(whole.witness, otherUntil, other)],
          }
          ;[ownUntil, otherUntil] = [own, other]
          const until = { watermark: Math.min(own, other), flushedAt }
          kept = { product: stepsToKeep(kept.product, until), witness: stepsToKeep(kept.witness, until) }
          const known = {
            ...whole,
            product: between(whole.product, -1, own),
            witness: between(whole.witness, -1, other),
          }
          expect(compareWitness({ ...whole, ...kept }, until)).toBe(compareWitness(known, until))
        }
      }),
    )
  })

  it('keeps no more than the time that a verdict can need, even while a watermark stands still', () => {
    const steps = stepsOf(Array.from({ length: 100_000 }, (_, i) => [i, 10_000] as const))
    const kept = stepsToKeep(steps, { watermark: 5, flushedAt: 99_999 })
    expect(kept).toHaveLength(silenceMs + deviationMs + 1)
  })
})
