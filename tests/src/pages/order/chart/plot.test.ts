import { describe, expect, it } from 'vitest'
import { priceUnits, type EpochMs } from '../../../../../contract/units.ts'
import { downsample, type Step } from '../../../../../src/chart/downsample.ts'
import { separateLabels } from '../../../../../src/pages/order/chart/labels.ts'
import { plotSteps, stepsOf, windowOf } from '../../../../../src/pages/order/chart/plot.ts'

const box = { from: 0, to: 100, width: 100, height: 100 }

const stepAt = (at: number, price: number): Step => ({ at: at as EpochMs, price: priceUnits(price) })

describe('plotSteps', () => {
  it('draws horizontal and vertical lines only, without interpolating', () => {
    const plot = plotSteps([stepAt(0, 10), stepAt(50, 20)], box)
    expect(plot.path).toBe('M0 90H50V10H100')
    expect(plot.levels).toEqual([10, 15, 20])
  })

  it('begins with the price before the window, ends at the window, and ignores invalid prices', () => {
    const steps = stepsOf(
      [
        [1, -20, '1.00', '1'],
        [2, -10, '1.05', '1'],
        [3, 40, 'x', '1'],
        [4, 200, '9.00', '1'],
      ],
      2,
    )
    expect(plotSteps(downsample(steps, box), box).path).toBe('M0 50H100')
  })

  it('ends when the last price is no longer known', () => {
    const steps = [stepAt(20, 10), stepAt(50, 20)]
    expect(plotSteps(steps, box, { until: 60 }).path).toBe('M20 90H50V10H60')
    expect(plotSteps(steps, box, { until: 40 }).path).toBe('M20 90H50V10H50')
  })

  it('includes extra prices in the scale', () => {
    const plot = plotSteps([stepAt(0, 10)], box, { prices: [priceUnits(30)] })
    expect(plot.yOf(30)).toBeCloseTo(10)
    expect(plotSteps([], box, { prices: [priceUnits(30)] }).levels).toEqual([29, 30, 31])
  })

  it.each([
    ['nothing', [], []],
    ['one price', [500], [499, 500, 501]],
    ['two prices next to each other', [500, 501], [499, 500, 501, 502]],
    [
      'round prices in the padding above and below',
      [6_159_839, 6_161_900],
      [6_160_000, 6_161_000, 6_162_000],
    ],
    ['a finer step if the usual one yields one price', [615, 985], [600, 800, 1000]],
    ['a span from round to round', [100, 200], [100, 150, 200]],
    ['a wide span', [0, 1_000_000], [0, 500_000, 1_000_000]],
  ])('has at least three levels: %s', (_, prices, levels) => {
    const steps = prices.map((price, at) => stepAt(at, price))
    expect(plotSteps(steps, box).levels).toEqual(levels)
  })

  it('has three to seven levels for every span', () => {
    for (let span = 0; span < 3000; span++) {
      for (const low of [1, 997, 6_159_839]) {
        const steps = [low, low + span].map((price, at) => stepAt(at, price))
        const { levels } = plotSteps(steps, box)
        expect(levels.length, `${low} + ${span}`).toBeGreaterThanOrEqual(3)
        expect(levels.length, `${low} + ${span}`).toBeLessThanOrEqual(7)
      }
    }
  })

  it('downsamples a busy market without losing its extremes', () => {
    const steps = Array.from({ length: 20_000 }, (_, i) => stepAt(i / 200, i === 7777 ? 900 : 100 + (i % 7)))
    const plot = plotSteps(downsample(steps, box), box)
    expect(plot.path.split('H').length).toBeLessThan(2000)
    expect(plot.path).toContain(`V${plot.yOf(900)}H`)
  })

  it('shows a tenth of the holding period before and after it', () => {
    expect(windowOf({ acceptedAt: 1000, closeAt: 2000 })).toEqual({ from: 900, to: 2100 })
  })
})

describe('separateLabels', () => {
  it.each([
    ['far apart stay', [30, 200], [30, 200]],
    ['at the edges come in', [2, 299], [20, 280]],
    ['close together move apart', [100, 110], [85, 125]],
    ['both at the left edge', [0, 0], [20, 60]],
    ['both at the right edge', [300, 300], [240, 280]],
  ] as const)('%s', (_, at, placed) => {
    expect(separateLabels(at, 40, { min: 20, max: 280 })).toEqual(placed)
  })
})
