import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readEarly, requestEarly, requestEarlyToo, takeEarly } from '../../../src/start/earlyAnswers.ts'

const requested: string[] = []
beforeEach(() => {
  requested.length = 0
  vi.stubGlobal('fetch', async (address: string) => {
    requested.push(address)
    return Response.json({ address })
  })
})
afterEach(() => void (globalThis.earlyAnswers = undefined))

it('hands out each answer once', async () => {
  requestEarly('t', ['/api/me', '/api/products?spark=true'])
  expect(requested).toEqual(['/api/me', '/api/products?spark=true'])
  const taken = takeEarly('t', '/api/products?spark=true')
  expect(await (await taken?.answer)?.json()).toEqual({ address: '/api/products?spark=true' })
  expect(takeEarly('t', '/api/products?spark=true')).toBeUndefined()
  expect(takeEarly('t', '/api/products')).toBeUndefined()
})

it('reads an answer that is still to be taken', async () => {
  requestEarly('t', ['/api/me'])
  const read = readEarly('/api/me')
  const taken = takeEarly('t', '/api/me')
  expect(await (await taken?.answer)?.json()).toEqual({ address: '/api/me' })
  expect(await read).toEqual({ address: '/api/me' })
  expect(await readEarly('/api/me')).toBeUndefined()
})

it('reads nothing from an error', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ error: {} }, { status: 401 }))
  requestEarly('t', ['/api/me'])
  expect(await readEarly('/api/me')).toBeUndefined()
})

it('hands out nothing of another session, and nothing without one', () => {
  requestEarly('t', ['/api/me'])
  expect(takeEarly('u', '/api/me')).toBeUndefined()
  expect(takeEarly(null, '/api/me')).toBeUndefined()
  globalThis.earlyAnswers = undefined
  expect(takeEarly(null, '/api/me')).toBeUndefined()
})

it('requests one more for the same visitor, who may be a guest', async () => {
  requestEarly(null, ['/api/config'])
  requestEarlyToo('/api/products/A/candles?tf=1s&limit=300')
  expect(requested).toEqual(['/api/config', '/api/products/A/candles?tf=1s&limit=300'])
  expect(takeEarly('t', '/api/products/A/candles?tf=1s&limit=300')).toBeUndefined()
  const taken = takeEarly(null, '/api/products/A/candles?tf=1s&limit=300')
  expect((await taken?.answer)?.ok).toBe(true)
})

it('hands out nothing that was left for seconds: it would be too old', () => {
  requestEarly('t', ['/api/me'])
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 6000)
  expect(takeEarly('t', '/api/me')).toBeUndefined()
  vi.restoreAllMocks()
})

it('leaves a failure to the request that takes it', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
  requestEarly('t', ['/api/me'])
  await expect(takeEarly('t', '/api/me')?.answer).rejects.toThrow('offline')
})
