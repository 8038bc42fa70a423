import { firstValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { epochMs } from '../../../contract/units.ts'
import type { Loadable, Product, ProductDetail } from '../../../streams/index.ts'
import { patchDetail, patchTable } from '../../../streams/prices/catalog.ts'
import { createScales } from '../../../streams/prices/scales.ts'
import { streamsSetup, flushTimers } from '../../support/streamsSetup.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const closed = { id: 'B', status: 'closed' as const, opensAt: epochMs(9), closesAt: null }

describe('catalog$', () => {
  it('is fetched once for all, patched by events, and fetched again after each connect', async () => {
    const { transport, market, streams } = streamsSetup()
    const tables: Loadable<Product[]>[] = []
    const first = streams.catalog$.subscribe((table) => tables.push(table))
    const second = streams.recommended$.subscribe()
    expect(tables).toEqual([{ state: 'loading' }])
    await flushTimers()
    expect(market.requests).toEqual(['products'])
    // Before it is connected nothing says that a product has closed.
    transport.up()
    await flushTimers()
    expect(market.requests).toEqual(['products'])
    await vi.advanceTimersByTimeAsync(2000)
    expect(market.requests).toEqual(['products', 'products'])
    transport.event('product', closed)
    expect(tables.at(-1)).toMatchObject({ state: 'ready', fresh: true, value: [{ id: 'A' }, closed] })
    transport.down()
    expect(tables.at(-1)).toMatchObject({ state: 'ready', fresh: false })
    transport.up()
    await flushTimers()
    expect(market.requests).toEqual(['products', 'products', 'products'])
    expect(tables.at(-1)).toMatchObject({ state: 'ready', fresh: true })
    first.unsubscribe()
    second.unsubscribe()
    const late = await firstValueFrom(streams.catalog$)
    expect(late.state).toBe('ready')
  })

  it('has the recommended products', async () => {
    const { streams } = streamsSetup()
    const shown: Loadable<Product[]>[] = []
    streams.recommended$.subscribe((products) => shown.push(products))
    await flushTimers()
    expect(shown.at(-1)).toMatchObject({ state: 'ready', value: [{ id: 'A' }] })
  })

  it('fetches one product with its durations, and applies new ones from events', async () => {
    const { transport, market, streams } = streamsSetup()
    const shown: Loadable<ProductDetail>[] = []
    streams.product$('B').subscribe((product) => shown.push(product))
    streams.product$('B').subscribe()
    await flushTimers()
    const durations = [{ seconds: 60, rateBp: 9000, min: '1.00', max: '5.00' }]
    transport.event('product', { ...closed, id: 'A' })
    transport.event('product', { ...closed, durations })
    expect(market.requests).toEqual(['product'])
    expect(shown.at(-1)).toMatchObject({
      state: 'ready',
      value: { status: 'closed', rateBp: 9000, durations },
    })
  })

  it('is fetched again on refresh', async () => {
    const { transport, market, streams } = streamsSetup()
    transport.up()
    streams.catalog$.subscribe()
    await flushTimers()
    streams.refresh()
    await flushTimers()
    expect(market.requests).toEqual(['products', 'products'])
  })
})

describe('patches', () => {
  it('change only their product', async () => {
    const { market } = streamsSetup()
    const [a, b] = await market.api.products()
    const table = patchTable([a!, b!], closed)
    expect(table[0]).toBe(a)
    expect(table[1]).toEqual({ ...b, status: 'closed', opensAt: 9, closesAt: null })
    const detail = await market.api.product('B')
    expect(patchDetail(detail, closed).durations).toEqual(detail.durations)
  })
})

describe('scales', () => {
  it('are fetched once, and not at all if known from the table', async () => {
    const { market } = streamsSetup()
    const scales = createScales(market.api)
    const [one, two] = await Promise.all([scales.get('A'), scales.get('A')])
    expect([one, two]).toEqual([one, { priceDecimals: 2, sizeDecimals: 0 }])
    scales.remember([{ id: 'B', priceDecimals: 5, sizeDecimals: 3 }])
    expect(await scales.get('B')).toEqual({ priceDecimals: 5, sizeDecimals: 3 })
    expect(market.requests).toEqual(['product'])
  })

  it('are fetched again after a failure', async () => {
    const { market } = streamsSetup()
    const scales = createScales(market.api)
    market.failure = { kind: 'offline' }
    await expect(scales.get('A')).rejects.toEqual({ kind: 'offline' })
    market.failure = undefined
    expect(await scales.get('A')).toEqual({ priceDecimals: 2, sizeDecimals: 0 })
  })
})
