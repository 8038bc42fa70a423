import { expect, it } from 'vitest'
import { createResponseCache } from '../../../server/market/responseCache.ts'

const textOf = ({ bytes }: { bytes: Buffer }): unknown => JSON.parse(bytes.toString())

it('a final answer is made once, another one each time, a failed one never kept', async () => {
  const pages = createResponseCache()
  let made = 0
  const make = (final: boolean) => async () => ({ answer: { made: ++made }, final })
  expect(textOf(await pages.get('open', make(false)))).toEqual({ made: 1 })
  expect(textOf(await pages.get('open', make(false)))).toEqual({ made: 2 })
  await expect(
    pages.get('final', async () => {
      throw new Error('away')
    }),
  ).rejects.toThrow('away')
  expect(textOf(await pages.get('final', make(true)))).toEqual({ made: 3 })
  expect(textOf(await pages.get('final', make(true)))).toEqual({ made: 3 })
})

it('who asks at once gets one answer, and what it cost', async () => {
  const pages = createResponseCache()
  let made = 0
  const make = async () => ({
    answer: { made: ++made, ticks: Array.from({ length: 5000 }, () => 0) },
    final: false,
  })
  const answers = await Promise.all(Array.from({ length: 100 }, () => pages.get('one', make)))
  expect(made).toBe(1)
  expect(new Set(answers).size).toBe(1)
  expect(answers[0]?.tokens).toBe(25)
})

it('two are made at a time, and everything else gets its turn in between', async () => {
  const pages = createResponseCache()
  let running = 0
  let most = 0
  let turns = 0
  let going = true
  const count = (): void => {
    turns += 1
    if (going) setImmediate(count)
  }
  setImmediate(count)
  const make = async () => {
    most = Math.max(most, ++running)
    await Promise.resolve()
    running -= 1
    return { answer: {}, final: false }
  }
  await Promise.all(Array.from({ length: 50 }, (_, i) => pages.get(String(i), make)))
  going = false
  expect(most).toBeLessThanOrEqual(2)
  expect(turns).toBeGreaterThanOrEqual(25)
})

it('what is kept is bounded by its bytes, the oldest goes', async () => {
  const pages = createResponseCache(2500)
  let made = 0
  const ask = (key: string) =>
    pages.get(key, async () => ({ answer: { made: ++made, text: 'x'.repeat(1000) }, final: true }))
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await ask(key)
  expect(made).toBe(4)
})
