import { describe, expect, it } from 'vitest'
import type { LiveReading } from '../../../../server/market/feed/feed.ts'
import { liveTicksUntil } from '../../../../server/market/log/liveTicks.ts'

const at = 1_800_000_000_000
const tick = (at: number, sourceId = `t${at}`) => ({ at, price: 100, size: 1, sourceId, sourceAt: at - 5 })
const reading = (coveredUntil: number, ticks: number[], gaps: LiveReading['gaps'] = []): LiveReading => ({
  ticks: ticks.map((at) => tick(at)),
  coveredUntil,
  gaps,
})
const at1000 = { watermark: 1000, lostUntil: Number.NEGATIVE_INFINITY, notBefore: 0, until: 2000 }
const instants = (ticks: readonly { at: number }[]): number[] => ticks.map(({ at }) => at)

describe('liveTicksUntil', () => {
  it('covers what the feed has covered, up to the flush', () => {
    const all = liveTicksUntil(reading(1500, [1200, 1200, 1500]), at1000)
    expect([all.watermark, instants(all.ticks)]).toEqual([1500, [1200, 1200, 1500]])
    const part = liveTicksUntil(reading(2500, [1200, 2400]), at1000)
    expect([part.watermark, instants(part.ticks), part.dropped]).toEqual([2000, [1200], []])
  })

  it('does not move while the feed is frozen', () => {
    expect(liveTicksUntil(reading(1000, []), at1000)).toEqual({
      watermark: 1000,
      ticks: [],
      gaps: [],
      dropped: [],
    })
    expect(liveTicksUntil(reading(0, []), at1000).watermark).toBe(1000)
  })

  it('writes a gap from its watermark, and covers the ticks on both sides of it', () => {
    const read = liveTicksUntil(reading(1900, [1100, 1850], [{ from: 1200, to: 1800 }]), at1000)
    expect(read).toMatchObject({ watermark: 1900, gaps: [{ from: 1200, to: 1800 }], dropped: [] })
    expect(instants(read.ticks)).toEqual([1100, 1850])
  })

  it('leaves a gap that ends after the flush to a later one, with everything behind it', () => {
    const read = liveTicksUntil(reading(2400, [1100, 2350], [{ from: 1200, to: 2300 }]), at1000)
    expect([read.watermark, read.gaps, instants(read.ticks)]).toEqual([1200, [], [1100]])
  })

  it('never repeats time that is committed', () => {
    const read = liveTicksUntil(
      reading(
        1900,
        [900, 1000, 1950],
        [
          { from: 500, to: 900 },
          { from: 800, to: 1400 },
        ],
      ),
      at1000,
    )
    expect([read.watermark, read.gaps, instants(read.ticks)]).toEqual([1900, [{ from: 1000, to: 1400 }], []])
    expect(instants(read.dropped)).toEqual([900, 1000])
  })

  it('loses the time before the start, and joins it with the gap that follows', () => {
    const alone = liveTicksUntil(reading(1900, [1100, 1600]), { ...at1000, lostUntil: 1500 })
    expect([alone.gaps, instants(alone.ticks)]).toEqual([[{ from: 1000, to: 1500 }], [1600]])
    const joined = liveTicksUntil(reading(1900, [], [{ from: 1450, to: 1700 }]), {
      ...at1000,
      lostUntil: 1500,
    })
    expect(joined.gaps).toEqual([{ from: 1000, to: 1700 }])
    for (const covered of [900, 1400]) {
      const frozen = liveTicksUntil(reading(covered, []), { ...at1000, lostUntil: 1500 })
      expect([frozen.watermark, frozen.gaps]).toEqual([1000, []])
    }
  })

  it('drops a tick out of order, without a price, or without its source', () => {
    const bad = [
      { ...tick(1400), at: 1100 },
      { ...tick(1500), price: 0 },
      { ...tick(1500), size: Number.NaN },
      { ...tick(1500), sourceId: '' },
      { ...tick(1500), sourceId: 'x'.repeat(65) },
      { ...tick(1500), sourceAt: -1 },
      { ...tick(1500), sourceAt: 0.5 },
      { ...tick(1500), sourceAt: at * 1e6 },
    ]
    const read = liveTicksUntil(
      { ticks: [tick(1300), ...bad, tick(1600)], coveredUntil: 1900, gaps: [] },
      at1000,
    )
    expect(instants(read.ticks)).toEqual([1300, 1600])
    expect(read.dropped).toEqual(bad)
  })
})
