import { expect, it } from 'vitest'
import { fuzzEvents } from '../../scenarios/safety/fuzzEvents.ts'
import { withVenue } from '../../support/withVenue.ts'

it('a thousand socket events get only declared answers and events', async () => {
  const venue = await withVenue({ ticking: true })
  const { violations, sent, answered, received } = await fuzzEvents(venue, 1000, 13)
  expect(violations).toEqual([])
  expect(sent).toBeGreaterThan(1000)
  expect(answered).toBeGreaterThan(300)
  expect(received).toBeGreaterThan(100)
})
