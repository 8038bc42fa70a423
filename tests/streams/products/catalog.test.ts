import { firstValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Loadable, Product, ProductDetail } from '../../../streams/index.ts'
import { patchDetail, patchTable } from '../../../streams/products/catalog.ts'
import { createScales } from '../../../streams/products/scales.ts'
import { scene, settle } from '../../support/streams.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const closed = { id: 'B', status: 'closed' as const, opensAt: 9, closesAt: null }

describe('the catalog', () => {
  it('is fetched once for all, patched by events, and fetched again after a reconnect', async () => {
    const { hand, market, streams } = scene()
    const tables: Loadable<Product[]>[] = []
    const first = streams.catalog$.subscribe((table) => tables.push(table))
    const second = streams.recommended$.subscribe()
    expect(tables).toEqual([{ state: 'loading' }])
    hand.up()
    await settle()
    expect(market.asked).toEqual(['products'])
    hand.event('product', closed)
    expect(tables.at(-1)).toMatchObject({ state: 'ready', fresh: true, value: [{ id: 'A' }, closed] })
    hand.down()
    expect(tables.at(-1)).toMatchObject({ state: 'ready', fresh: false })
    hand.up()
    await settle()
    expect(market.asked).toEqual(['products', 'products'])
    expect(tables.at(-1)).toMatchObject({ state: 'ready', fresh: true })
    first.unsubscribe()
    second.unsubscribe()
    const late = await firstValueFrom(streams.catalog$)
    expect(late.state).toBe('ready')
  })

  it('holds what the table recommends', async () => {
    const { streams } = scene()
    const shown: Loadable<Product[]>[] = []
    streams.recommended$.subscribe((products) => shown.push(products))
    await settle()
    expect(shown.at(-1)).toMatchObject({ state: 'ready', value: [{ id: 'A' }] })
  })

  it('fetches one product with its durations, and takes new ones from events', async () => {
    const { hand, market, streams } = scene()
    const shown: Loadable<ProductDetail>[] = []
    streams.product$('B').subscribe((product) => shown.push(product))
    streams.product$('B').subscribe()
    await settle()
    const durations = [{ seconds: 60, rateBp: 9000, min: '1.00', max: '5.00' }]
    hand.event('product', { ...closed, id: 'A' })
    hand.event('product', { ...closed, durations })
    expect(market.asked).toEqual(['product'])
    expect(shown.at(-1)).toMatchObject({
      state: 'ready',
      value: { status: 'closed', rateBp: 9000, durations },
    })
  })

  it('is fetched again on waking', async () => {
    const { hand, market, streams } = scene()
    hand.up()
    streams.catalog$.subscribe()
    await settle()
    streams.wake()
    await settle()
    expect(market.asked).toEqual(['products', 'products'])
  })
})

describe('patches', () => {
  it('touch their product only', async () => {
    const { market } = scene()
    const [a, b] = await market.api.products()
    const table = patchTable([a!, b!], closed)
    expect(table[0]).toBe(a)
    expect(table[1]).toEqual({ ...b, status: 'closed', opensAt: 9, closesAt: null })
    const detail = await market.api.product('B')
    expect(patchDetail(detail, closed).durations).toEqual(detail.durations)
  })
})

describe('scales', () => {
  it('are asked for once, and not at all where the table told them', async () => {
    const { market } = scene()
    const scales = createScales(market.api)
    const [one, two] = await Promise.all([scales.of('A'), scales.of('A')])
    expect([one, two]).toEqual([one, { priceDecimals: 2, sizeDecimals: 0 }])
    scales.learn([{ id: 'B', priceDecimals: 5, sizeDecimals: 3 }])
    expect(await scales.of('B')).toEqual({ priceDecimals: 5, sizeDecimals: 3 })
    expect(market.asked).toEqual(['product'])
  })

  it('are asked for again after a failure', async () => {
    const { market } = scene()
    const scales = createScales(market.api)
    market.failing = { kind: 'offline' }
    await expect(scales.of('A')).rejects.toEqual({ kind: 'offline' })
    market.failing = undefined
    expect(await scales.of('A')).toEqual({ priceDecimals: 2, sizeDecimals: 0 })
  })
})
