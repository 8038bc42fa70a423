import { describe, expect, it } from 'vitest'
import {
  bodyWidth,
  discPositions,
  discStep,
  plotBottom,
  futureBars,
  levelDensity,
  hollowFrom,
  scaleMargins,
  defaultPitch,
  volumeHeight,
} from '../../../src/chart/geometry.ts'
import { avoidPriceLine, extremesOf } from '../../../src/chart/primitives/extremes.ts'
import { zoneOffsetMs } from '../../../src/chart/zone.ts'
import { fc } from '../../support/fastCheck.ts'

describe('geometry', () => {
  it.each([
    [320 - 64, true],
    [390 - 64, true],
    [712 - 64, true],
  ])('at %i px a body is wide enough to be drawn hollow', (plot, hollow) => {
    expect(bodyWidth(defaultPitch(plot, 1000)) >= hollowFrom).toBe(hollow)
  })

  it('shows 46 bars on a phone, fewer on the smallest, 96 on wide screens', () => {
    const shown = (plot: number) => Math.round((plot * 0.86) / defaultPitch(plot, 1000))
    expect([shown(326), shown(256), shown(900)]).toEqual([46, 40, 96])
  })

  it('shows half a minute of ticks on a phone', () => {
    expect((326 / defaultPitch(326, 250)) * 250).toBeGreaterThan(30_000)
  })

  it('leaves 14 % for the future, up to 75 % for an expiry, and 40 % if that does not show it', () => {
    expect(futureBars(300, 6, 0)).toBeCloseTo(7)
    expect(futureBars(300, 6, 12)).toBeCloseTo(12 + 10 / 6)
    expect(futureBars(300, 6, 35)).toBeCloseTo(35 + 10 / 6)
    expect(futureBars(300, 6, 36)).toBeCloseTo(20)
    expect(futureBars(300, 6, 500)).toBeCloseTo(20)
  })

  it('keeps prices above the volume', () => {
    const { top, bottom } = scaleMargins(360)
    expect(volumeHeight(360)).toBeCloseTo(43.2)
    expect(volumeHeight(900)).toBe(56)
    expect(360 * (1 - bottom)).toBeCloseTo(plotBottom(360) * 0.9)
    expect(top * 360).toBeCloseTo(plotBottom(360) * 0.1)
  })

  it('leaves space for the labels of the highest and lowest price on a short plot', () => {
    const { top, bottom } = scaleMargins(110)
    expect(top * 110).toBeCloseTo(12)
    expect(plotBottom(110) - 110 * (1 - bottom)).toBeCloseTo(12)
  })

  it('leaves space for the legend of indicators over the bars, but at least half for the bars', () => {
    expect(scaleMargins(360, 3).top * 360).toBeCloseTo(72)
    expect(scaleMargins(360, 1).top * 360).toBeCloseTo(40)
    expect(scaleMargins(120, 3).top * 120).toBeCloseTo(plotBottom(120) / 2)
    expect(scaleMargins(360, 3).bottom).toBe(scaleMargins(360).bottom)
  })

  it('has margins that the library accepts where nothing fits above the volume', () => {
    for (const height of [0, 1, 8, 20]) {
      const { top, bottom } = scaleMargins(height)
      expect([top, bottom].every((share) => share >= 0 && share <= 1)).toBe(true)
      expect(top + bottom).toBeLessThanOrEqual(1)
    }
  })
})

describe('extremesOf', () => {
  const bars = [
    [5, 1],
    [9, 2],
    [9, 0],
    [4, 0],
  ].map(([high, low], i) => ({
    openAt: i,
    open: 3,
    high: high!,
    low: low!,
    close: 3,
    volume: 0,
    lastSeq: i,
  }))
  it('returns the newest of equals within the range', () => {
    expect(extremesOf(bars, 0, 3)).toEqual({ high: 2, low: 3 })
    expect(extremesOf(bars, 0, 1)).toEqual({ high: 1, low: 0 })
    expect(extremesOf([], 0, 3)).toBeUndefined()
  })
})

describe('avoidPriceLine', () => {
  it.each([
    ['no line', 50, undefined, 50],
    ['far from the line', 50, 70, 50],
    ['just over the line', 47, 50, 40],
    ['just under the line', 57, 50, 60],
    ['on the line', 50, 50, 60],
    ['just over a line near the top', 5, 12, 22],
  ])('%s', (_, y, lineY, expected) => expect(avoidPriceLine(y, lineY)).toBe(expected))
})

describe('levelDensity', () => {
  const fontSize = 12
  /** The library's steps are 1, 2 and 5: from one to the next the distance of levels grows up to 2.5 times. */
  const farthest = 2.5
  const leastDistance = (height: number): number => Math.ceil(fontSize * levelDensity(height))

  it.each([350, 430, 600, 900, 1400])('has four to twelve levels above the volume of %i px', (height) => {
    // A label closer to the top would be cut.
    const shown = plotBottom(height) - 8
    expect(Math.floor(shown / (farthest * leastDistance(height)))).toBeGreaterThanOrEqual(4)
    expect(Math.floor(shown / leastDistance(height))).toBeLessThanOrEqual(12)
  })

  it('keeps labels apart on a short screen', () => {
    expect(leastDistance(90)).toBe(2 * fontSize)
  })
})

describe('discPositions', () => {
  const at = (x: number, y = 50): { x: number; y: number } => ({ x, y })
  it.each([
    ['alone', [at(10)], [10]],
    ['one tick, two orders', [at(10), at(10)], [10, 10 + discStep]],
    ['one tick, three orders', [at(10), at(10), at(10)], [10, 10 + discStep, 10 + 2 * discStep]],
    ['apart in time', [at(10), at(10 + discStep)], [10, 10 + discStep]],
    ['apart in price', [at(10, 50), at(10, 50 + discStep)], [10, 10]],
    ['the earlier one stays', [at(20), at(10), at(10)], [10 + 2 * discStep, 10, 10 + discStep]],
  ])('%s', (_, entries, positions) => expect(discPositions(entries)).toEqual(positions))

  it('never lets discs overlap', () => {
    const near = fc.array(
      fc.record({ x: fc.integer({ min: 0, max: 60 }), y: fc.integer({ min: 0, max: 40 }) }),
    )
    fc.assert(
      fc.property(near, (entries) => {
        const positions = discPositions(entries)
        for (const [i, one] of entries.entries()) {
          expect(positions[i]).toBeGreaterThanOrEqual(one.x)
          for (const [j, other] of entries.entries()) {
            if (i < j && Math.abs(one.y - other.y) < discStep)
              expect(Math.abs((positions[i] ?? 0) - (positions[j] ?? 0))).toBeGreaterThanOrEqual(discStep)
          }
        }
      }),
    )
  })
})

describe('zoneOffsetMs', () => {
  it.each([
    ['Asia/Shanghai', '2026-07-01T00:00:00Z', 8],
    ['UTC', '2026-07-01T00:00:00Z', 0],
    ['Europe/Berlin', '2026-07-01T00:00:00Z', 2],
    ['Europe/Berlin', '2026-01-01T00:00:00Z', 1],
    ['America/New_York', '2026-01-01T23:59:59.999Z', -5],
  ])('%s at %s is %i h ahead', (zone, at, hours) => {
    expect(zoneOffsetMs(zone, Date.parse(at))).toBe(hours * 3_600_000)
  })
})
