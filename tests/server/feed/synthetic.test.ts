import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { syntheticSource } from '../../../server/feed/synthetic.ts'
import type { SyntheticSettings } from '../../../server/feed/synthetic.ts'

const epoch = 1_700_000_000_000
const settings: SyntheticSettings = { seed: 7, ticksPerSecond: 12.5, start: 6_180_000, volatility: 0.02 }
const open = (changes: Partial<SyntheticSettings> = {}) =>
  syntheticSource({ ...settings, ...changes }).open(epoch)

describe('a made-up feed', () => {
  it('is the same each time, wherever one begins to look', () => {
    const whole = open().due(epoch, epoch + 60_000)
    const late = open()
    expect(late.due(epoch + 30_000, epoch + 60_000)).toEqual(
      whole.slice(-late.due(epoch + 30_000, epoch + 60_000).length),
    )
    expect(whole.length / 3).toBeGreaterThanOrEqual(749)
    expect(
      Array.from({ length: whole.length / 3 }, (_, n) => Object.values(open().tickOf(n))).flat(),
    ).toEqual(whole)
  })

  it('gives each tick once, however time is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 700 }), { maxLength: 40 }),
        fc.double({ min: 0.05, max: 900, noNaN: true }),
        (steps, ticksPerSecond) => {
          const feed = open({ ticksPerSecond })
          let at = epoch
          const pieces = steps.flatMap((step) => feed.due(at, (at += step)))
          expect(pieces).toEqual(feed.due(epoch, at))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('another seed is another walk, and no tick is at or before the epoch', () => {
    expect(open({ seed: 8 }).due(epoch, epoch + 5000)).not.toEqual(open().due(epoch, epoch + 5000))
    for (let seed = 0; seed < 50; seed++) expect(open({ seed }).countAt(epoch)).toBe(0)
  })

  it('begins at its start, moves, and stays a price', () => {
    const values = open({ volatility: 0.5, ticksPerSecond: 1000 }).due(epoch, epoch + 200_000)
    const prices = values.filter((_, i) => i % 3 === 1)
    expect(prices[0]).toBe(settings.start)
    expect(new Set(prices).size).toBeGreaterThan(1000)
    expect(prices.every((price) => Number.isSafeInteger(price) && price > 0)).toBe(true)
    const steps = prices.slice(1).map((price, i) => Math.abs(price / prices[i]! - 1))
    expect(steps.every((step) => step < 0.01)).toBe(true)
  })
})
