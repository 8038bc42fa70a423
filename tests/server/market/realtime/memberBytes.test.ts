import { expect, it } from 'vitest'
import { memberBytes } from '../../../scenarios/memberBytes.ts'

it('a member with 20 products in a list and one open receives at most 5 kB a second', async () => {
  const { absolute, delta } = await memberBytes(10)
  expect(Object.keys(absolute.byEvent).toSorted()).toEqual(['feed', 'figures', 'ticks'])
  expect(Object.keys(delta.byEvent).toSorted()).toEqual(['delta', 'feed', 'figures'])
  // Every tick of the open product and four a second of each other one are on their way.
  expect(delta.byEvent['delta']).toBeGreaterThan(1000)
  expect(delta.byEvent['delta']).toBeLessThanOrEqual(absolute.byEvent['ticks']!)
  expect(Math.max(absolute.total, delta.total)).toBeLessThanOrEqual(5000)
})
