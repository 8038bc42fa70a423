import { describe, expect, it } from 'vitest'
import {
  addressBlock,
  answerCost,
  createRateLimiter,
  type RateLimitName,
} from '../../../../server/platform/http/rateLimiter.ts'
import { ApiError } from '../../../../server/platform/apiError.ts'

function setup() {
  const clock = { time: 0, now: () => clock.time }
  const rateLimiter = createRateLimiter(clock)
  const tryTake = (name: RateLimitName, caller = 'a'): boolean => {
    try {
      rateLimiter.take(name, caller)
      return true
    } catch (error) {
      if (error instanceof ApiError && error.code === 'RATE_LIMITED') return false
      throw error
    }
  }
  const takeAll = (name: RateLimitName, caller?: string): number => {
    let count = 0
    while (tryTake(name, caller)) count += 1
    return count
  }
  return { clock, rateLimiter, tryTake, takeAll }
}

describe('rates', () => {
  it.each([
    ['session', 100, 1000, 20],
    ['orders', 120, 1000, 10],
    ['login', 400, 1000, 20],
    ['passwordRequests', 10, 60_000, 5],
    ['uploads', 20, 3_600_000, 20],
  ] as const)('%s allows %i at once, then per %i ms %i', (name, burst, perMs, calls) => {
    const { clock, takeAll } = setup()
    expect(takeAll(name)).toBe(burst)
    clock.time += perMs
    expect(takeAll(name)).toBe(Math.min(calls, burst))
    clock.time += perMs * burst
    expect(takeAll(name)).toBe(burst)
  })
})

it('counts each caller and each rate separately', () => {
  const { takeAll, tryTake } = setup()
  takeAll('login', '10.0.0.1')
  expect(tryTake('login', '10.0.0.1')).toBe(false)
  expect(tryTake('login', '10.0.0.2')).toBe(true)
  expect(tryTake('captcha', '10.0.0.1')).toBe(true)
})

it('reports the exact wait', () => {
  const { clock, rateLimiter, takeAll, tryTake } = setup()
  takeAll('login')
  const error = (() => {
    try {
      return rateLimiter.take('login', 'a')
    } catch (error) {
      return error
    }
  })()
  expect(error).toMatchObject({ code: 'RATE_LIMITED', params: { retryAfterMs: 50 } })
  clock.time += 49
  expect(tryTake('login')).toBe(false)
  clock.time += 1
  expect(tryTake('login')).toBe(true)
})

it('charges below zero, down to one burst, and a negative charge returns tokens', () => {
  const { clock, rateLimiter, takeAll, tryTake } = setup()
  rateLimiter.charge('session', 'a', 150)
  expect(tryTake('session')).toBe(false)
  clock.time += 2550
  expect(takeAll('session')).toBe(1)
  rateLimiter.charge('session', 'a', 100_000)
  clock.time += 5000
  expect(tryTake('session')).toBe(false)
  rateLimiter.charge('session', 'a', -100_000)
  expect(takeAll('session')).toBe(100)
})

it.each([
  [{ ticks: Array.from({ length: 201 }) }, 2],
  [{ candles: Array.from({ length: 1000 }) }, 10],
  [{ items: Array.from({ length: 100 }) }, 2],
  [{ items: [] }, 1],
  [{ order: {}, ticks: Array.from({ length: 5000 }) }, 25],
  [undefined, 1],
  ['text', 1],
])('answerCost of answer %#', (answer, tokens) => expect(answerCost(answer)).toBe(tokens))

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
])('addressBlock of %s is %s', (address, block) => expect(addressBlock(address)).toBe(block))
