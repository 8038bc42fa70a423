import { expect, it } from 'vitest'
import { createFuzzPool } from '../../scenarios/safety/fuzzPool.ts'
import { prepareMember } from '../../scenarios/safety/fuzzMember.ts'
import { checkRateChange } from '../../scenarios/safety/rateChange.ts'
import { forgeRows, checkSamePrices } from '../../scenarios/safety/resultTampering.ts'
import { withVenue } from '../../support/withVenue.ts'

const venue = await withVenue({ ticking: true })

it('the database rejects statements that change prices, results, rates, balances or audit rows', async () => {
  await prepareMember(venue, createFuzzPool(venue.clock), 1)
  const { violations, tried } = await forgeRows(venue.database)
  expect(violations).toEqual([])
  expect(tried).toBeGreaterThan(100)
})

it('sockets of every level, and without a session, receive the same prices', async () => {
  const { violations, tried } = await checkSamePrices(venue, 12, 5)
  expect(violations).toEqual([])
  expect(tried).toBe(12)
})

it('an order keeps its rate when the rate of the product changes', async () => {
  const { violations, tried } = await checkRateChange(2)
  expect(violations).toEqual([])
  expect(tried).toBe(2)
})
