import { describe, expect, it } from 'vitest'
import { addressBlock, answerCost, createRateLimiter } from '../../../server/http/rateLimiter.ts'
import type { RateLimitName } from '../../../server/http/rateLimiter.ts'
import { ApiError } from '../../../server/apiError.ts'

function counter() {
  const clock = { time: 0, now: () => clock.time }
  const limits = createRateLimiter(clock)
  const took = (name: RateLimitName, caller = 'a'): boolean => {
    try {
      limits.take(name, caller)
      return true
    } catch (error) {
      if (error instanceof ApiError && error.status === 429) return false
      throw error
    }
  }
  const run = (name: RateLimitName, caller?: string): number => {
    let count = 0
    while (took(name, caller)) count += 1
    return count
  }
  return { clock, limits, took, run }
}

describe('rates of the contract', () => {
  it.each([
    ['session', 100, 1000, 20],
    ['orders', 120, 1000, 10],
    ['login', 10, 60_000, 10],
    ['registerCheck', 20, 3_600_000, 20],
    ['uploads', 20, 3_600_000, 20],
  ] as const)('%s: %i at once, then in %i ms %i', (name, burst, perMs, calls) => {
    const { clock, run } = counter()
    expect(run(name)).toBe(burst)
    clock.time += perMs
    expect(run(name)).toBe(Math.min(calls, burst))
    clock.time += perMs * burst
    expect(run(name)).toBe(burst)
  })
})

it('callers and calls do not touch one another', () => {
  const { run, took } = counter()
  run('login', '10.0.0.1')
  expect(took('login', '10.0.0.1')).toBe(false)
  expect(took('login', '10.0.0.2')).toBe(true)
  expect(took('captcha', '10.0.0.1')).toBe(true)
})

it('the wait that is told is exactly long enough', () => {
  const { clock, limits, run, took } = counter()
  run('login')
  const refusal = (() => {
    try {
      return limits.take('login', 'a')
    } catch (error) {
      return error
    }
  })()
  expect(refusal).toMatchObject({ code: 'RATE_LIMITED', params: { retryAfterMs: 6000 } })
  clock.time += 5999
  expect(took('login')).toBe(false)
  clock.time += 1
  expect(took('login')).toBe(true)
})

it('a charge goes below zero, by one burst at most, and a negative one returns tokens', () => {
  const { clock, limits, run, took } = counter()
  limits.charge('session', 'a', 150)
  expect(took('session')).toBe(false)
  clock.time += 2550
  expect(run('session')).toBe(1)
  limits.charge('session', 'a', 100_000)
  clock.time += 5000
  expect(took('session')).toBe(false)
  limits.charge('session', 'a', -100_000)
  expect(run('session')).toBe(100)
})

it.each([
  [{ ticks: Array.from({ length: 201 }) }, 2],
  [{ candles: Array.from({ length: 1000 }) }, 10],
  [{ items: Array.from({ length: 100 }) }, 2],
  [{ items: [] }, 1],
  [{ order: {}, ticks: Array.from({ length: 5000 }) }, 25],
  [undefined, 1],
  ['text', 1],
])('the cost of answer %#', (answer, tokens) => expect(answerCost(answer)).toBe(tokens))

it.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['10.1.2.3:50123', '10.1.2.3'],
  ['[::ffff:10.1.2.3]:443', '10.1.2.3'],
  ['[2001:db8:1:2::9]:50123', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s counts as %s', (address, block) => expect(addressBlock(address)).toBe(block))
