import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Timeframe } from '../../../contract/candles.ts'
import type { Candle } from '../../../streams/index.ts'
import { apiFailure } from '../../support/fakeWireMarket.ts'
import { flushTimers, streamsSetup } from '../../support/streamsSetup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Charts of one product: `show` opens one of a timeframe and closes it with what it returns. */
function setupCharts() {
  const requests: Timeframe[] = []
  let failure: unknown
  const parts = streamsSetup(['A'], {
    candles: async (_id, tf) => {
      requests.push(tf)
      if (failure !== undefined) throw failure
      const { at, price, seq } = (parts.market.log.get('A') ?? []).at(-1)!
      const value = price / 100
      return [[at - (at % 60_000), value, value, value, value, 1, seq]]
    },
  })
  const trade = (price: number) => {
    parts.market.now += 1000
    parts.market.tick('A', price, 1)
    parts.market.flush()
  }
  const show = (tf: Timeframe) => {
    let newest: Candle | undefined
    const shown = parts.streams.candles('A', tf).events$.subscribe((event) => {
      newest = event.kind === 'live' ? event.candle : (event.candles.at(-1) ?? newest)
    })
    return { newest: () => newest, close: () => shown.unsubscribe() }
  }
  trade(10_000)
  parts.transport.up()
  return { ...parts, requests, trade, show, fail: (next: unknown) => (failure = next) }
}

it('has the bars of a timeframe shown before at once, with the ticks since', async () => {
  const { show, trade, requests } = setupCharts()
  const first = show('1m')
  await flushTimers()
  first.close()
  const second = show('5m')
  await flushTimers()
  trade(10_700)
  second.close()
  const again = show('1m')
  expect(again.newest()).toMatchObject({ close: 107 })
  trade(10_800)
  expect(again.newest()).toMatchObject({ close: 108 })
  expect(requests).toEqual(['1m', '5m'])
})

it('is loaded again once no chart of the product is open', async () => {
  const { show, requests } = setupCharts()
  const first = show('1m')
  await flushTimers()
  first.close()
  await flushTimers(60_000)
  const second = show('1m')
  expect(second.newest()).toBeUndefined()
  await flushTimers()
  expect(requests).toEqual(['1m', '1m'])
})

it('keeps three timeframes', async () => {
  const { show, requests } = setupCharts()
  let chart: ReturnType<typeof show> | undefined
  for (const tf of ['1m', '5m', '15m', '1h'] as const) {
    chart?.close()
    chart = show(tf)
    await flushTimers()
  }
  expect(show('5m').newest()).toBeDefined()
  expect(show('1m').newest()).toBeUndefined()
  await flushTimers()
  expect(requests).toEqual(['1m', '5m', '15m', '1h', '1m'])
})

it('requests nothing for a timeframe that is not shown when the ticks start again', async () => {
  const { show, trade, transport, requests } = setupCharts()
  const first = show('1m')
  await flushTimers()
  first.close()
  show('5m')
  await flushTimers()
  transport.down()
  for (let i = 0; i < 20_100; i++) trade(10_000 + (i % 9))
  transport.up()
  await flushTimers()
  expect(requests).toEqual(['1m', '5m', '5m'])
  expect(show('1m').newest()).toBeUndefined()
})

it('requests again what the venue rejected', async () => {
  const { show, fail, requests } = setupCharts()
  fail(apiFailure(404, 'NOT_FOUND'))
  const rejected = show('1m')
  await flushTimers()
  rejected.close()
  fail(undefined)
  const chart = show('1m')
  await flushTimers()
  expect(chart.newest()).toBeDefined()
  expect(requests).toEqual(['1m', '1m'])
})
