// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Timeframe } from '../../../../contract/candles.ts'
import type { Api, ProductDetail } from '../../../../streams/index.ts'
import { apiFailure } from '../../../support/fakeWireMarket.ts'
import { flushTimers, streamsSetup } from '../../../support/streamsSetup.ts'

// Each test is a visit of its own.
beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

/** A tap on a product, the timeframes that it requests, and whether what its page draws first is there. */
async function open(api: Partial<Api> = {}, chosen: Timeframe | null = null) {
  const { loadProduct } = await import('../../../../src/pages/product/loadProduct.ts')
  const { preferences } = await import('../../../../src/state/preferences.ts')
  preferences.chart.frame = chosen
  const frames: Timeframe[] = []
  const { streams, transport, market } = streamsSetup(['A'], {
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

/** A product whose only duration is this, seconds. */
async function lasting(id: string, seconds: number): Promise<ProductDetail> {
  const product = await streamsSetup([id]).market.api.product(id)
  return { ...product, durations: product.durations.map((duration) => ({ ...duration, seconds })) }
}

it('requests the product, then the bars that fit its duration; both are there for its page', async () => {
  const { streams, market, frames, isLoaded } = await open()
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
  const { frames, isLoaded } = await open({ product: () => new Promise(() => undefined) }, '15m')
  await flushTimers()
  expect([frames, isLoaded()]).toEqual([['15m'], false])
})

it('requests no bars of a product that cannot be loaded', async () => {
  const { frames, isLoaded } = await open({ product: () => Promise.reject(apiFailure(404, 'NOT_FOUND')) })
  await flushTimers()
  expect([frames, isLoaded()]).toEqual([[], true])
})

it('keeps the bars for ten seconds', async () => {
  const { streams, frames } = await open()
  await flushTimers(10_100)
  streams.candles('A', '1s').events$.subscribe()
  await flushTimers()
  expect(frames).toEqual(['1s', '1s'])
})

describe('after another product', () => {
  it('requests the bars that fitted that one along with the product', async () => {
    await open()
    await flushTimers()
    const { frames, isLoaded } = await open({ product: () => new Promise(() => undefined) })
    await flushTimers()
    expect([frames, isLoaded()]).toEqual([['1s'], false])
  })

  it('requests those bars only once if they fit', async () => {
    await open()
    await flushTimers()
    const { frames, isLoaded } = await open()
    await flushTimers()
    expect([frames, isLoaded()]).toEqual([['1s'], true])
  })

  it('requests the right ones too if they do not fit', async () => {
    await open()
    await flushTimers()
    const { frames, isLoaded } = await open({ product: (id) => lasting(id, 3600) })
    await flushTimers()
    expect([frames, isLoaded()]).toEqual([['1s', '5m'], true])
  })

  it('ends the request with a product that cannot be loaded', async () => {
    await open()
    await flushTimers()
    const { isLoaded } = await open({
      product: () => Promise.reject(apiFailure(404, 'NOT_FOUND')),
      candles: () => new Promise(() => undefined),
    })
    await flushTimers()
    expect(isLoaded()).toBe(true)
  })
})
