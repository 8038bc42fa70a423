import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { productRoutes, type TicksAnswer } from '../../../../contract/products.ts'
import { verifyChain } from '../../../../contract/chain.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import { refundTally } from '../../../../server/market/schema.ts'
import { createRefundReader } from '../../../../server/market/read/refunds.ts'
import { createMarketRoutes } from '../../../../server/market/read/routes.ts'
import type { ReadMarket, RunningMarket } from '../../../../server/market/market.ts'
import { composeModules } from '../../../../server/platform/module.ts'
import { openMarket, sha, syntheticProduct } from '../../../support/marketFixtures.ts'
import { openHttpApp } from '../../../support/httpApp.ts'

let market: RunningMarket
let testApp: Awaited<ReturnType<typeof openHttpApp>>
let start: number

function mountMarket(app: FastifyInstance, read: ReadMarket): void {
  const refunds = createRefundReader(database.db, testApp.clock)
  const routes = createMarketRoutes({
    market: read,
    clock: testApp.clock,
    cluster: null,
    refunds,
    settings: { recordingsDir: '' },
  })
  composeModules([routes]).mount(app)
}

const database = await withDatabase()
beforeAll(async () => {
  testApp = await openHttpApp()
  start = testApp.clock.now()
  const btc = syntheticProduct('BTCUSDT', 5)
  const gold = { ...syntheticProduct('XAUUSD', 2, 3), searchTerms: ['xhhj'] }
  Object.assign(btc.settings, {
    code: 'BTC/USDT',
    names: { en: 'Bitcoin / Tether', 'zh-CN': '比特币/泰达币' },
  })
  Object.assign(gold.settings, {
    category: 'forex',
    names: { en: 'Spot gold', 'zh-CN': '现货黄金', th: 'ทองคำสปอต' },
  })
  market = await openMarket(database.db, testApp.clock, [btc, gold])
  market.start()
  await testApp.clock.advance(3000)
  await market.stop()
  await testApp.clock.advance(61_000)
  market = await openMarket(database.db, testApp.clock, [btc, gold])
  market.start()
  await testApp.clock.advance(3000)
  const at = start + 3000
  await database.db.insert(refundTally).values([
    { productId: 'BTCUSDT', cause: 'gap', at, ahead: 3, behind: 1, level: 2, pnl: 15_500 },
    { productId: 'BTCUSDT', cause: 'gap', at: at - 1, ahead: 0, behind: 1, level: 0, pnl: -20_000 },
  ])
  mountMarket(testApp.app, market)
})
afterAll(async () => {
  await market.stop()
  await testApp.app.close()
})

const get = async (url: string) => {
  const answer = await testApp.app.inject({ url: `/api${url}` })
  return { status: answer.statusCode, body: answer.json() }
}
const ids = async (query: string): Promise<string[]> => {
  const { body } = await get(`/products?${query}`)
  return (body as { items: { id: string }[] }).items.map((item) => item.id)
}

describe('GET /api/products', () => {
  it('returns the products in the order of the table, as in the contract', async () => {
    const { status, body } = await get('/products?spark=true')
    expect(status).toBe(200)
    expect(productRoutes.products.answer.parse(body)).toEqual(body)
    expect(body).toMatchObject({
      items: [{ id: 'BTCUSDT', rateBp: 8500, status: 'open', source: 'synthetic' }, { id: 'XAUUSD' }],
    })
    expect((body as { items: { spark: number[] }[] }).items[0]?.spark).toHaveLength(48)
    expect(await ids('')).toEqual(['BTCUSDT', 'XAUUSD'])
  })

  it.each([
    ['category=forex', ['XAUUSD']],
    ['q=btc%2Fusdt', ['BTCUSDT']],
    ['q=btcusd', ['BTCUSDT']],
    ['q=%E9%BB%84%E9%87%91', ['XAUUSD']],
    ['q=%E0%B8%97%E0%B8%AD%E0%B8%87', ['XAUUSD']],
    ['q=XHHJ', ['XAUUSD']],
    ['q=%EF%BC%A2%EF%BC%B4%EF%BC%A3', ['BTCUSDT']],
    ['q=gold&category=crypto', []],
    ['q=usd', ['BTCUSDT', 'XAUUSD']],
    ['q=nothing', []],
  ])('returns for %s the products %j', async (query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })

  it('returns one product with its durations and the rule', async () => {
    const { body } = await get('/products/BTCUSDT')
    expect(productRoutes.product.answer.parse(body)).toEqual(body)
    expect(body).toMatchObject({
      rule: 'R1',
      maxTickGapMs: 15_000,
      durations: [{ seconds: 60, rateBp: 8500 }],
    })
    expect((body as { spark: number[] }).spark).toHaveLength(48)
  })

  it('returns the sources of a product and the totals of its refunds', async () => {
    const { body } = await get('/products/BTCUSDT')
    const { sources, refunds } = productRoutes.product.answer.parse(body)
    const none = { ahead: 0, behind: 0, level: 0, pnl: '0.00' }
    expect(sources).toEqual([{ ...market.sources('BTCUSDT')[0], refundedOrders: 0, stood: none }])
    expect(sources[0]).toMatchObject({ sinceAt: start, text: 'synthetic' })
    expect(refunds).toEqual({ orders: 7, ahead: 3, behind: 2, level: 2, pnl: '-45.00' })
  })

  it.each(['', '/ticks?afterSeq=0', '/candles?tf=1m', '/gaps'])(
    'returns 404 for an unknown product at %j',
    async (path) => {
      expect(await get(`/products/NONE${path}`)).toMatchObject({
        status: 404,
        body: { error: { code: 'NOT_FOUND' } },
      })
    },
  )
})

describe('GET /api/products/:id/ticks', () => {
  it('returns pages whose hashes form one chain', async () => {
    let head = { seq: 0, hash: sha('BTCUSDT') }
    for (;;) {
      const { body } = await get(`/products/BTCUSDT/ticks?afterSeq=${head.seq}&limit=7`)
      const page: TicksAnswer = productRoutes.ticks.answer.parse(body)
      expect(page.before).toEqual(head)
      const verified = verifyChain('BTCUSDT', head, page.ticks, undefined, sha)
      if (!verified.ok) throw new Error(verified.why)
      head = verified.head
      if (page.complete) break
    }
    expect(head).toEqual(market.head('BTCUSDT'))
  })

  it('returns the ticks of a time range and the head before them', async () => {
    const { body } = await get(`/products/BTCUSDT/ticks?from=${start + 1000}&to=${start + 2000}`)
    const { ticks, complete, before } = productRoutes.ticks.answer.parse(body)
    expect(ticks).toHaveLength(5)
    expect(complete).toBe(true)
    expect(before?.seq).toBe((ticks[0]?.[0] ?? 0) - 1)
  })

  it.each([
    ['afterSeq=1&from=1', { afterSeq: 'INVALID' }],
    ['afterSeq=1&to=1', { afterSeq: 'INVALID' }],
    ['', { afterSeq: 'REQUIRED' }],
    ['afterSeq=0&limit=5001', { limit: 'INVALID' }],
    ['afterSeq=x', { afterSeq: 'TYPE' }],
    ['after=1', { after: 'UNKNOWN_FIELD' }],
  ])('rejects the query %j', async (query, fields) => {
    expect(await get(`/products/BTCUSDT/ticks?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION', fields } },
    })
  })
})

describe('GET /api/products/:id/candles and /gaps', () => {
  it('returns candles with the current minute', async () => {
    const { body } = await get('/products/BTCUSDT/candles?tf=1m')
    const { candles } = productRoutes.candles.answer.parse(body)
    expect(candles.at(-1)?.[6]).toBe(market.head('BTCUSDT').seq)
    expect(candles.at(-1)?.[4]).toBe(Number(market.ticker('BTCUSDT').last))
  })

  it('returns gaps with the refunds of each', async () => {
    const { body } = await get('/products/BTCUSDT/gaps?limit=1')
    expect(productRoutes.gaps.answer.parse(body)).toEqual({
      items: [
        {
          from: start + 3000,
          to: start + 64_000,
          refundedOrders: 6,
          stood: { ahead: 3, behind: 1, level: 2, pnl: '155.00' },
        },
      ],
      nextCursor: null,
    })
    expect(await get('/products/BTCUSDT/gaps?cursor=abc')).toMatchObject({ status: 400 })
    expect((await get(`/products/BTCUSDT/gaps?cursor=${start}`)).body).toEqual({
      items: [],
      nextCursor: null,
    })
  })
})

it('reads a page that can never change once, and other pages for each request', async () => {
  const { app } = await openHttpApp()
  const reads: string[] = []
  const counted: RunningMarket = {
    ...market,
    ticksAfter: (...call) => (reads.push('ticks'), market.ticksAfter(...call)),
    candles: (...call) => (reads.push('candles'), market.candles(...call)),
  }
  mountMarket(app, counted)
  const readsOfTwoRequests = async (url: string): Promise<number> => {
    reads.length = 0
    const [one, two] = [await app.inject({ url: `/api${url}` }), await app.inject({ url: `/api${url}` })]
    expect([two.statusCode, two.body]).toEqual([200, one.body])
    expect(two.headers['content-type']).toBe('application/json; charset=utf-8')
    return reads.length
  }
  const { limit, head } = { limit: 3, head: market.head('BTCUSDT').seq }
  expect(await readsOfTwoRequests(`/products/BTCUSDT/ticks?afterSeq=0&limit=${limit}`)).toBe(1)
  expect(await readsOfTwoRequests(`/products/BTCUSDT/ticks?afterSeq=${head - limit}&limit=${limit}`)).toBe(2)
  expect(await readsOfTwoRequests(`/products/BTCUSDT/ticks?afterSeq=${head}`)).toBe(2)
  expect(await readsOfTwoRequests(`/products/BTCUSDT/candles?tf=1m&to=${start}`)).toBe(1)
  expect(await readsOfTwoRequests(`/products/BTCUSDT/candles?tf=1m&to=${market.watermark('BTCUSDT')}`)).toBe(
    2,
  )
  expect(await readsOfTwoRequests('/products/BTCUSDT/candles?tf=1m')).toBe(2)
  await app.close()
})
