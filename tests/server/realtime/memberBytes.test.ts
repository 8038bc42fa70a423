import { expect, it } from 'vitest'
import { memberBytes } from '../../scenarios/memberBytes.ts'

it('a member with 20 products in a list and one open receives at most 5 kB a second', async () => {
  const { total, byEvent } = await memberBytes(10)
  expect(Object.keys(byEvent).toSorted()).toEqual(['feed', 'figures', 'ticks'])
  // Every tick of the open product and four a second of each other one are on their way.
  expect(byEvent['ticks']).toBeGreaterThan(1000)
  expect(total).toBeLessThanOrEqual(5000)
})
