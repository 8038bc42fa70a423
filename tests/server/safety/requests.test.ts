import { expect, it } from 'vitest'
import { fuzzCalls } from '../../scenarios/safety/fuzzCalls.ts'
import { withVenue } from '../../support/withVenue.ts'

it('a thousand requests generated from the schemas get only declared answers', async () => {
  const venue = await withVenue({ ticking: true })
  const { sent, violations, tampered, statuses } = await fuzzCalls(venue, 1000, 13)
  expect(violations).toEqual([])
  expect(tampered).toEqual([])
  expect(sent).toBe(1000)
  // If every request were rejected, the fuzz would test nothing.
  expect((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0)).toBeGreaterThan(150)
})
