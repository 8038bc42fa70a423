// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { firstBars } from '../../../contract/constants.ts'
import { barsAnswer } from '../../../src/start/firstAnswers.ts'
import { chosenTimeframe, firstTimeframe } from '../../../src/start/firstBars.ts'
import { apiForStreams } from '../../../src/api/streamsApi.ts'
import { createClient } from '../../../src/api/client.ts'
import { evidence, offlineStore } from '../../../src/state/memberStores.ts'

afterEach(() => localStorage.clear())

const product = { durations: [{ seconds: 30 }, { seconds: 300 }] }

it('knows the timeframe of a chart by the durations of its product', () => {
  expect(firstTimeframe('A', product)).toBe('1s')
  localStorage.setItem('ticket', JSON.stringify({ seconds: { A: 300, B: 30 } }))
  expect(firstTimeframe('A', product)).toBe('15s')
  expect(firstTimeframe('B', product)).toBe('1s')
})

it.each([undefined, null, 'x', { error: { code: 'NOT_FOUND' } }, { durations: 1 }])(
  'knows none of %j',
  (answer) => {
    expect(firstTimeframe('A', answer)).toBeUndefined()
  },
)

it('knows the timeframe that the member chose, and no other one', () => {
  expect(chosenTimeframe()).toBeUndefined()
  localStorage.setItem('preferences', JSON.stringify({ chart: { frame: '5m' } }))
  expect(chosenTimeframe()).toBe('5m')
  localStorage.setItem('preferences', JSON.stringify({ chart: { frame: '7m' } }))
  expect(chosenTimeframe()).toBeUndefined()
})

it('spells the request as the app does, which takes its answer', async () => {
  const asked: string[] = []
  const call = createClient({
    session: { token: () => null, onEnded: () => undefined },
    takeEarly: (address) => {
      asked.push(address)
      return { answer: Promise.resolve(Response.json({ candles: [] })), cancel: () => undefined }
    },
  })
  await apiForStreams(call, offlineStore, evidence).candles('A', '1s', undefined, firstBars)
  expect(asked).toEqual([barsAnswer.replace(':id', 'A').replace(':tf', '1s')])
})
