import { describe, expect, it } from 'vitest'
import { priceUnits, type EpochMs } from '../../../contract/units.ts'
import { createDownsampler, type Step } from '../../../src/chart/downsample.ts'

const stepAt = (at: number, price: number): Step => ({ at: at as EpochMs, price: priceUnits(price) })

describe('createDownsampler', () => {
  it('retains first, lowest, highest and last step of each column in order, and the price before the window', () => {
    const columns = createDownsampler({ from: 0, to: 400 })
    for (const [at, price] of [
      [-20, 3],
      [-10, 4],
      [0.1, 5],
      [0.2, 9],
      [0.3, 7],
      [0.4, 1],
      [0.5, 6],
      [1, 8],
      [500, 2],
    ] as const) {
      columns.add(stepAt(at, price))
    }
    expect(columns.steps().map(({ price }) => price)).toEqual([4, 5, 9, 1, 6, 8])
    const firstResult = columns.steps()
    columns.add(stepAt(500, 2))
    expect(columns.steps()).toBe(firstResult)
    columns.add(stepAt(2, 2))
    expect(columns.steps()).not.toBe(firstResult)
  })

  it('limits the number of steps for any number of ticks', () => {
    const columns = createDownsampler({ from: 0, to: 100 })
    for (let i = 0; i < 100_000; i++) columns.add(stepAt(i / 1000, (i * 7919) % 1009))
    expect(columns.steps().length).toBeLessThanOrEqual(1600)
  })
})
