import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { productRoutes } from '../../../contract/products.ts'
import type { TicksAnswer } from '../../../contract/products.ts'
import { verifyChain } from '../../../contract/chain.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import { refundTally } from '../../../server/db/schema/index.ts'
import { createRefundReader } from '../../../server/market/refunds.ts'
import { mountMarket } from '../../../server/market/routes.ts'
import type { RunningMarket } from '../../../server/market/market.ts'
import { openMarket, sha, syntheticProduct } from '../../support/marketFixtures.ts'
import { openHttpApp } from '../../support/httpApp.ts'

let database: Database
let market: RunningMarket
let shell: Awaited<ReturnType<typeof openHttpApp>>
let start: number

beforeAll(async () => {
  database = await openMemoryDatabase()
  shell = await openHttpApp()
  start = shell.clock.now()
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
  market = await openMarket(database.db, shell.clock, [btc, gold])
  market.start()
  await shell.clock.advance(3000)
  await market.stop()
  await shell.clock.advance(61_000)
  market = await openMarket(database.db, shell.clock, [btc, gold])
  market.start()
  await shell.clock.advance(3000)
  const at = start + 3000
  await database.db.insert(refundTally).values([
    { productId: 'BTCUSDT', cause: 'gap', at, ahead: 3, behind: 1, level: 2, pnl: 15_500 },
    { productId: 'BTCUSDT', cause: 'gap', at: at - 1, ahead: 0, behind: 1, level: 0, pnl: -20_000 },
  ])
  mountMarket(shell.app, {
    market,
    clock: shell.clock,
    refunds: createRefundReader(database.db, shell.clock),
  })
})
afterAll(async () => {
  await market.stop()
  await shell.app.close()
  await database.close()
})

const get = async (url: string) => {
  const answer = await shell.app.inject({ url: `/api${url}` })
  return { status: answer.statusCode, body: answer.json() }
}
const ids = async (query: string): Promise<string[]> => {
  const { body } = await get(`/products?${query}`)
  return (body as { items: { id: string }[] }).items.map((item) => item.id)
}

describe('GET /api/products', () => {
  it('answers the table in its order, as the contract says', async () => {
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
  ])('%s finds %j', async (query, found) => {
    expect(await ids(query)).toEqual(found)
  })

  it('one product has its durations and the rule', async () => {
    const { body } = await get('/products/BTCUSDT')
    expect(productRoutes.product.answer.parse(body)).toEqual(body)
    expect(body).toMatchObject({
      rule: 'R1',
      maxTickGapMs: 15_000,
      durations: [{ seconds: 60, rateBp: 8500 }],
    })
  })

  it('tells where its prices come from, and how all that it refunded stood', async () => {
    const { body } = await get('/products/BTCUSDT')
    const { sources, refunds } = productRoutes.product.answer.parse(body)
    const none = { ahead: 0, behind: 0, level: 0, pnl: '0.00' }
    expect(sources).toEqual([{ ...market.sources('BTCUSDT')[0], refundedOrders: 0, stood: none }])
    expect(sources[0]).toMatchObject({ sinceAt: start, text: 'synthetic' })
    expect(refunds).toEqual({ orders: 7, ahead: 3, behind: 2, level: 2, pnl: '-45.00' })
  })

  it.each(['', '/ticks?afterSeq=0', '/candles?tf=1m', '/gaps'])(
    'an unknown one is 404 at %j',
    async (path) => {
      expect(await get(`/products/NONE${path}`)).toMatchObject({
        status: 404,
        body: { error: { code: 'NOT_FOUND' } },
      })
    },
  )
})

describe('GET /api/products/:id/ticks', () => {
  it('pages lead from head to head', async () => {
    let head = { seq: 0, hash: sha('BTCUSDT') }
    for (;;) {
      const { body } = await get(`/products/BTCUSDT/ticks?afterSeq=${head.seq}&limit=7`)
      const page: TicksAnswer = productRoutes.ticks.answer.parse(body)
      expect(page.before).toEqual(head)
      const walked = verifyChain('BTCUSDT', head, page.ticks, undefined, sha)
      if (!walked.ok) throw new Error(walked.why)
      head = walked.head
      if (page.complete) break
    }
    expect(head).toEqual(market.head('BTCUSDT'))
  })

  it('a time has its ticks, and the head before them', async () => {
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
    ['afterSeq=0&limit=5001', { limit: 'TOO_LONG' }],
    ['afterSeq=x', { afterSeq: 'TYPE' }],
    ['after=1', { after: 'UNKNOWN_FIELD' }],
  ])('%j is refused', async (query, fields) => {
    expect(await get(`/products/BTCUSDT/ticks?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION', fields } },
    })
  })
})

describe('candles and gaps', () => {
  it('candles carry the running minute', async () => {
    const { body } = await get('/products/BTCUSDT/candles?tf=1m')
    const { candles } = productRoutes.candles.answer.parse(body)
    expect(candles.at(-1)?.[6]).toBe(market.head('BTCUSDT').seq)
    expect(candles.at(-1)?.[4]).toBe(Number(market.ticker('BTCUSDT').last))
  })

  it('gaps are a list with what each sent back', async () => {
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

it('a page that can never change is read from the log once, an open one each time', async () => {
  const { app } = await openHttpApp()
  const asked: string[] = []
  const counted: RunningMarket = {
    ...market,
    ticksAfter: (...call) => (asked.push('ticks'), market.ticksAfter(...call)),
    candles: (...call) => (asked.push('candles'), market.candles(...call)),
  }
  mountMarket(app, {
    market: counted,
    clock: shell.clock,
    refunds: createRefundReader(database.db, shell.clock),
  })
  const twice = async (url: string): Promise<number> => {
    asked.length = 0
    const [one, two] = [await app.inject({ url: `/api${url}` }), await app.inject({ url: `/api${url}` })]
    expect([two.statusCode, two.body]).toEqual([200, one.body])
    expect(two.headers['content-type']).toBe('application/json; charset=utf-8')
    return asked.length
  }
  const { limit, head } = { limit: 3, head: market.head('BTCUSDT').seq }
  expect(await twice(`/products/BTCUSDT/ticks?afterSeq=0&limit=${limit}`)).toBe(1)
  expect(await twice(`/products/BTCUSDT/ticks?afterSeq=${head - limit}&limit=${limit}`)).toBe(2)
  expect(await twice(`/products/BTCUSDT/ticks?afterSeq=${head}`)).toBe(2)
  expect(await twice(`/products/BTCUSDT/candles?tf=1m&to=${start}`)).toBe(1)
  expect(await twice(`/products/BTCUSDT/candles?tf=1m&to=${market.watermark('BTCUSDT')}`)).toBe(2)
  expect(await twice('/products/BTCUSDT/candles?tf=1m')).toBe(2)
  await app.close()
})
