import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Timeframe } from '../../../../contract/candles.ts'
import { loadProduct } from '../../../../src/pages/product/loadProduct.ts'
import { preferences } from '../../../../src/state/preferences.ts'
import { ticket } from '../../../../src/state/ticket.ts'
import type { Api } from '../../../../streams/index.ts'
import { apiFailure } from '../../../support/fakeWireMarket.ts'
import { flushTimers, setup } from '../../../support/streamsSetup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  preferences.chart.frame = null
  ticket.seconds = {}
  vi.useRealTimers()
})

/** A tap on a product, the timeframes that it requests, and whether what its page draws first is there. */
function open(api: Partial<Api> = {}) {
  const frames: Timeframe[] = []
  const { streams, transport, market } = setup(['A'], {
    candles: async (_id, frame) => {
      frames.push(frame)
      // With every tick so far: the bars are requested again if one is missing.
      return [[0, 100, 100, 100, 100, 1, 1_000_000]]
    },
    ...api,
  })
  transport.up()
  let isLoaded = false
  void loadProduct(streams, 'A').then(() => (isLoaded = true))
  return { streams, market, frames, isLoaded: () => isLoaded }
}

it('requests the product, then the bars that fit its duration; both are there for its page', async () => {
  const { streams, market, frames, isLoaded } = open()
  await flushTimers()
  expect([market.requests, frames, isLoaded()]).toEqual([['product'], ['1s'], true])
  const seen: string[] = []
  streams.product$('A').subscribe(({ state }) => seen.push(state))
  streams.candles('A', '1s').events$.subscribe(({ kind }) => seen.push(kind))
  expect(seen).toEqual(['ready', 'snapshot'])
  await flushTimers(20_000)
  expect([market.requests, frames]).toEqual([['product'], ['1s']])
})

it('requests the bars of the timeframe that the member chose along with the product', async () => {
  preferences.chart.frame = '15m'
  const { frames, isLoaded } = open({ product: () => new Promise(() => undefined) })
  await flushTimers()
  expect([frames, isLoaded()]).toEqual([['15m'], false])
})

it('requests no bars of a product that cannot be loaded', async () => {
  const { frames, isLoaded } = open({ product: () => Promise.reject(apiFailure(404, 'NOT_FOUND')) })
  await flushTimers()
  expect([frames, isLoaded()]).toEqual([[], true])
})

it('keeps the bars for ten seconds', async () => {
  const { streams, frames } = open()
  await flushTimers(10_100)
  streams.candles('A', '1s').events$.subscribe()
  await flushTimers()
  expect(frames).toEqual(['1s', '1s'])
})
