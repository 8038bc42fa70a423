import { expect, it } from 'vitest'
import { createResponseCache, jsonResponse } from '../../../../server/platform/http/responseCache.ts'

const bodyOf = ({ bytes }: { bytes: Buffer }): unknown => JSON.parse(bytes.toString())

it('builds a final answer once, other answers each time, and never caches a failure', async () => {
  const cache = createResponseCache()
  let builds = 0
  const build = (final: boolean) => async () => jsonResponse({ builds: ++builds }, final)
  expect(bodyOf(await cache.get('open', build(false)))).toEqual({ builds: 1 })
  expect(bodyOf(await cache.get('open', build(false)))).toEqual({ builds: 2 })
  await expect(
    cache.get('final', async () => {
      throw new Error('unavailable')
    }),
  ).rejects.toThrow('unavailable')
  expect(bodyOf(await cache.get('final', build(true)))).toEqual({ builds: 3 })
  expect(bodyOf(await cache.get('final', build(true)))).toEqual({ builds: 3 })
})

it('builds one answer for concurrent requests and returns its cost', async () => {
  const cache = createResponseCache()
  let builds = 0
  const build = async () =>
    jsonResponse({ builds: ++builds, ticks: Array.from({ length: 5000 }, () => 0) }, false)
  const answers = await Promise.all(Array.from({ length: 100 }, () => cache.get('one', build)))
  expect(builds).toBe(1)
  expect(new Set(answers).size).toBe(1)
  expect(answers[0]?.tokens).toBe(25)
})

it('builds at maxRunning two answers at a time and yields to the event loop in between', async () => {
  const cache = createResponseCache()
  let running = 0
  let maxRunning = 0
  let turns = 0
  let isCounting = true
  const count = (): void => {
    turns += 1
    if (isCounting) setImmediate(count)
  }
  setImmediate(count)
  const build = async () => {
    maxRunning = Math.max(maxRunning, ++running)
    await Promise.resolve()
    running -= 1
    return jsonResponse({}, false)
  }
  await Promise.all(Array.from({ length: 50 }, (_, i) => cache.get(String(i), build)))
  isCounting = false
  expect(maxRunning).toBeLessThanOrEqual(2)
  expect(turns).toBeGreaterThanOrEqual(25)
})

it('limits the cache by bytes and evicts the least recently used answer', async () => {
  const cache = createResponseCache(2500)
  let builds = 0
  const request = (key: string) =>
    cache.get(key, async () => jsonResponse({ builds: ++builds, text: 'x'.repeat(1000) }, true))
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await request(key)
  expect(builds).toBe(4)
})
