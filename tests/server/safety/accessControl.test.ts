import { expect, it } from 'vitest'
import { tryBruteForce, measureLogout, loginTiming, weakHashes } from '../../scenarios/safety/bruteForce.ts'
import { tryOthersResources } from '../../scenarios/safety/accessControl.ts'
import { withVenue } from '../../support/withVenue.ts'

const venue = await withVenue({ ticking: true, argon2: true })

it('every route answers 404 for resources of another member', async () => {
  const { violations, tried } = await tryOthersResources(venue)
  expect(violations).toEqual([])
  expect(tried).toBeGreaterThan(60)
})

it('log-out ends the session for requests and sockets', async () => {
  const { violations, tried } = await measureLogout(venue)
  expect(violations).toEqual([])
  expect(tried).toBe(5)
})

it('a failed log-in has the same answer whether or not the account exists', async () => {
  const { violations, tried } = await loginTiming(venue, 3)
  expect(violations).toEqual([])
  expect(tried).toBe(6)
})

it('passwords are stored as Argon2id with at least the minimum cost', async () => {
  const { violations, tried } = await weakHashes(venue)
  expect(violations).toEqual([])
  expect(tried).toBeGreaterThan(1)
})

it('brute force of log-ins, captchas, passwords and keys is limited', async () => {
  const limited = await withVenue({ ticking: true, settings: { rateLimits: true } })
  const { violations, tried } = await tryBruteForce(limited)
  expect(violations).toEqual([])
  expect(tried).toBeGreaterThan(40)
})
