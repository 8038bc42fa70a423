import { describe, expect, it } from 'vitest'
import { syntheticSource, type SyntheticSettings } from '../../../../server/market/feed/synthetic.ts'
import { fc } from '../../../support/fastCheck.ts'

const epoch = 1_700_000_000_000
const settings: SyntheticSettings = { seed: 7, ticksPerSecond: 12.5, start: 6_180_000, volatility: 0.02 }
const open = (changes: Partial<SyntheticSettings> = {}) =>
  syntheticSource({ ...settings, ...changes }).open(epoch)

describe('synthetic feed', () => {
  it('returns the same ticks whatever instant is read first', () => {
    const all = open().due(epoch, epoch + 60_000)
    const unreadFeed = open()
    expect(unreadFeed.due(epoch + 30_000, epoch + 60_000)).toEqual(
      all.slice(-unreadFeed.due(epoch + 30_000, epoch + 60_000).length),
    )
    expect(all.length / 3).toBeGreaterThanOrEqual(749)
    expect(Array.from({ length: all.length / 3 }, (_, n) => Object.values(open().tickOf(n))).flat()).toEqual(
      all,
    )
  })

  it('returns each tick once, whatever the steps', () => {
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

  it('walks differently for another seed and has no tick at or before the epoch', () => {
    expect(open({ seed: 8 }).due(epoch, epoch + 5000)).not.toEqual(open().due(epoch, epoch + 5000))
    for (let seed = 0; seed < 50; seed++) expect(open({ seed }).countAt(epoch)).toBe(0)
  })

  it('starts at its start price, moves, and stays a valid price', () => {
    const values = open({ volatility: 0.5, ticksPerSecond: 1000 }).due(epoch, epoch + 200_000)
    const prices = values.filter((_, i) => i % 3 === 1)
    expect(prices[0]).toBe(settings.start)
    expect(new Set(prices).size).toBeGreaterThan(1000)
    expect(prices.every((price) => Number.isSafeInteger(price) && price > 0)).toBe(true)
    const steps = prices.slice(1).map((price, i) => Math.abs(price / prices[i]! - 1))
    expect(steps.every((step) => step < 0.01)).toBe(true)
  })
})
