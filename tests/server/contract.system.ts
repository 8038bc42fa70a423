import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Order, Proof } from '../../contract/orders.ts'
import type { Product, ProductDetail, RestCandle, TicksAnswer } from '../../contract/products.ts'
import type { Assets, LedgerEntry } from '../../contract/ledger.ts'
import type { FeedEvent, TickerEvent, SubscribeReply } from '../../contract/socket.ts'
import { openMemoryDatabase, type Database } from '../../server/platform/db/open.ts'
import { assertListed } from '../support/apiCalls.ts'
import { manualClock } from '../support/manualClock.ts'
import { openWholeVenue, scratchFolder, type WholeVenue } from '../support/wholeVenue.ts'
import {
  parseCsvCells,
  cents,
  extendChain,
  digits,
  expectedOutcome,
  newKey,
  registerMember,
  password,
  expectedReplay,
  sha,
  blackBoxClient,
  type BlackBoxClient,
} from '../support/blackBoxClient.ts'
import { withoutBatch } from '../support/withoutBatch.ts'

const clock = manualClock()
const durations = [5, 20].map((seconds) => ({ seconds, rateBp: 8000 + seconds, min: '1.00', max: '500.00' }))
const common = {
  category: 'crypto',
  priceDecimals: 2,
  durations,
  maxTickGapMs: 4000,
  entryTimeoutMs: 3000,
  recommended: true,
}
const walk = (id: string, ticksPerSecond: number) => ({
  ...common,
  id,
  code: `${id}/USD`,
  names: { en: id },
  feed: { synthetic: { seed: 5, ticksPerSecond, start: 100, volatility: 0.5 } },
})
const tape = { ...common, id: 'TAPE', code: 'TAPE', category: 'futures', names: { en: 'Tape', de: 'Band' } }
const table = [walk('FAST', 20), walk('RARE', 0.5), { ...tape, feed: { recording: 'tape.csv.gz' } }]

/** Two long trading sessions and a short one, a tick every 4 s, with invalid rows and prices that must be rounded. */
function tapeCsv(): string {
  const lines = ['ts_ms,price,size,bid,ask,side']
  let at = 1_600_000_000_000
  const play = (ticks: number): void => {
    for (let i = 0; i < ticks; i++, at += 4000) {
      const price = (100 + ((i * 37) % 29) / 8).toFixed(3)
      const size = (i % 9) / 4
      lines.push(
        i % 10 === 7
          ? `${at},${Number(price).toExponential()},${size.toExponential()},,,buy`
          : `${at},${price},${size.toFixed(9)},,,buy`,
      )
    }
  }
  play(150)
  at += 3_600_000
  play(40)
  at += 3_600_000
  lines.push(
    'soon,1,1,,,',
    `${at},-5,1,,,`,
    `${at},NaN,1,,,`,
    `${at},,,,,`,
    `${at},1`,
    '1600000000000,100,1,,,',
  )
  play(170)
  return `${lines.join('\n')}\n`
}

let database: Database
let folder: Awaited<ReturnType<typeof scratchFolder>>
let venue: WholeVenue
let guest: BlackBoxClient
let member: BlackBoxClient
const openVenue = () =>
  openWholeVenue({ database, clock, table, recordingsDir: folder.path, dataDir: folder.path })

beforeAll(async () => {
  folder = await scratchFolder()
  writeFileSync(join(folder.path, 'tape.csv.gz'), gzipSync(tapeCsv()))
  database = await openMemoryDatabase()
  venue = await openVenue()
  guest = blackBoxClient(venue.url)
  member = await registerMember(venue.url, 'member_1', '13800000001')
  await clock.advance(3000)
})
afterAll(async () => {
  expect(venue.reportedErrors).toEqual([])
  await venue.close()
  await database.close()
  await folder.remove()
})

const nextEvent = (socket: Socket, name: string): Promise<void> =>
  new Promise((resolve) => void socket.once(name, () => resolve()))
const keys = (value: object): string => Object.keys(value).toSorted().join(' ')
const orderRequest = (change: object = {}) => ({
  productId: 'FAST',
  direction: 'up',
  amount: '10.00',
  seconds: 5,
  rateBp: 8005,
  validUntil: clock.now() + 20_000,
  ...change,
})
const assetsOf = async (client: BlackBoxClient): Promise<Assets> => {
  const { body } = await client.get<Assets>('/api/me/assets')
  const parts = [body.available, body.held, body.openStakes, body.fund].map(cents)
  expect(parts.reduce((sum, part) => sum + part)).toBe(cents(body.total))
  return body
}
/** Every page of a list, in pages of seven. */
async function fetchAll<T>(client: BlackBoxClient, path: string): Promise<T[]> {
  const items: T[] = []
  let next: string | null = ''
  while (next !== null) {
    const page: { items: T[]; nextCursor: string | null } = (
      await client.get<{ items: T[]; nextCursor: string | null }>(
        `${path}${path.includes('?') ? '&' : '?'}limit=7${next && `&cursor=${encodeURIComponent(next)}`}`,
      )
    ).body
    items.push(...page.items)
    next = page.nextCursor
  }
  return items
}
const fetchTicks = async (query: string, id = 'FAST'): Promise<TicksAnswer> =>
  (await guest.get<TicksAnswer>(`/api/products/${id}/ticks?${query}`)).body
async function fetchLog(id: string, afterSeq = 0) {
  const ticks: TicksAnswer['ticks'] = []
  for (let page: TicksAnswer | null = null; page?.complete !== true; ticks.push(...page.ticks))
    page = await fetchTicks(`afterSeq=${ticks.at(-1)?.[0] ?? afterSeq}&limit=500`, id)
  return ticks
}

describe('the API’s conventions', () => {
  it.each(['/api/time', '/api/none', '/nowhere', '/healthz', '/metrics', '/socket.io/?EIO=4', '/%zz'])(
    'return the server time for %s',
    async (path) => {
      const { headers } = await guest.get(path)
      expect(headers.get('server-time')).toBe(String(clock.now()))
    },
  )

  it('reject a missing session with 401, and a wrong token or a foreign origin with 403', async () => {
    const other = await registerMember(venue.url, 'member_2', '13800000002')
    const patch = (client: BlackBoxClient, options: object) =>
      client.call('PATCH', '/api/me', { body: { nickname: 'Ann' }, ...options })
    const codes = [
      await patch(guest, {}),
      await patch(member, { token: false }),
      await patch(member, { headers: { 'x-csrf-token': other.session.token } }),
      await patch(member, { headers: { origin: 'https://elsewhere.test' } }),
      await guest.call('POST', '/api/auth/login', { body: {}, headers: { origin: 'null' } }),
      await patch(member, { headers: { origin: venue.url } }),
    ].map(({ status, code }) => [status, code])
    const csrf = [403, 'CSRF']
    expect(codes).toEqual([[401, 'UNAUTHENTICATED'], csrf, csrf, csrf, csrf, [200, undefined]])
    expect(member.session.setCookie).toMatch(
      /^sid=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/,
    )
  })

  it('end the session of a log-in’s cookie only if the log-in succeeds', async () => {
    const newMember = await registerMember(venue.url, 'member_3', '13800000003')
    const before = newMember.session.cookie
    const wrong = { account: 'member_3', password: 'not this one' }
    await newMember.call('POST', '/api/auth/login', { body: wrong })
    expect((await newMember.get('/api/me')).status).toBe(200)
    await newMember.login('member_3', password)
    const old = await guest.call('GET', '/api/me', { headers: { cookie: before } })
    expect([old.status, (await newMember.get('/api/me')).status]).toEqual([401, 200])
  })

  it.each(['/api/me/ledger', '/api/orders', '/api/messages', '/api/deposits', '/api/products/FAST/gaps'])(
    'page the list %s and reject invalid parameters',
    async (path) => {
      const { body } = await member.get<object>(path)
      expect(keys(body)).toBe('items nextCursor')
      for (const bad of ['limit=0', 'limit=101', 'limit=x', 'cursor=%21', 'more=1']) {
        const { status, code } = await member.get(`${path}?${bad}`)
        expect([bad, status, code]).toEqual([bad, 400, 'VALIDATION'])
      }
    },
  )

  it('return 404 for unknown ids and another member’s, whatever they look like', async () => {
    const { body } = await member.postWithKey<Order>('/api/orders', orderRequest())
    const other = await registerMember(venue.url, 'member_4', '13800000004')
    for (const path of [body.id, `${body.id}/proof`, `by-key/${body.key}`, 'x', 'x'.repeat(90)]) {
      const { status, code } = await other.get(`/api/orders/${path}`)
      expect([path, status, code]).toEqual([path, 404, 'NOT_FOUND'])
    }
    for (const path of ['none', 'NONE/ticks?afterSeq=0', 'a%20b/candles?tf=1m', 'NONE/gaps']) {
      expect((await guest.get(`/api/products/${path}`)).code).toBe('NOT_FOUND')
    }
  })
})

/** Like the cursors of pages, with wrong values; only lists take them. */
const oddCursors = ['[1,"1"]', '[9007199254740991,"x"]', '[-1,"9999-99-99"]', '[1,"\\u0000"]'].map((text) =>
  btoa(text),
)
const oddTexts = [
  '\0',
  'a\0b',
  "' OR 1=1 --",
  '\u{1f4a5}',
  '9'.repeat(40),
  '1e400',
  'x'.repeat(300),
  ...oddCursors,
]
type Operation = {
  parameters?: { in: string; name: string }[]
  requestBody?: { content: Record<string, { schema?: { properties?: object } }> }
}

it.each(oddTexts)('answers every request with the text %j in its path, query or body', async (text) => {
  type Paths = Record<string, Record<string, Operation>>
  const { paths } = (await guest.get<{ paths: Paths }>('/api/openapi.json')).body
  const failures: string[] = []
  let requests = 0
  for (const [pattern, methods] of Object.entries(paths)) {
    if (pattern === '/api/auth/logout') continue
    for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
      if (oddCursors.includes(text) && !parameters.some(({ name }) => name === 'cursor')) continue
      const named = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => [name, text])
      const query = method === 'get' && named.length > 0 ? `?${new URLSearchParams(named)}` : ''
      const path = pattern.replaceAll(/\{\w+\}/g, encodeURIComponent(text)) + query
      const fields = Object.keys(requestBody?.content['application/json']?.schema?.properties ?? {})
      // Without a place for the text it is the same request each time.
      if (text !== oddTexts[0] && !/[?{]/.test(pattern + query) && fields.length === 0) continue
      const body = method === 'get' ? undefined : Object.fromEntries(fields.map((name) => [name, text]))
      const options = { key: newKey(), ...(body && { body }) }
      const { status, code } = await member.call(method.toUpperCase(), path, options)
      requests += 1
      assertListed(method.toUpperCase(), path.replace('/api', ''), code)
      if (status >= 500 || (status >= 400 && code === undefined)) failures.push(`${method} ${path} ${status}`)
    }
  }
  expect(failures).toEqual([])
  expect(requests).toBeGreaterThan(oddCursors.includes(text) ? 5 : text === oddTexts[0] ? 50 : 30)
})

describe('market data', () => {
  it('has products with exactly these fields', async () => {
    const ticker = 'amount24h change24hBp closesAt high24h last lastAt low24h opensAt status volume24h'
    const fields = `${ticker} category code id names priceDecimals rateBp recommended sizeDecimals source`
    const sorted = (text: string): string => text.split(' ').toSorted().join(' ')
    const { items } = (await guest.get<{ items: Product[] }>('/api/products')).body
    // Whether one is thin depends on its recording.
    const always = items.map((item) => keys(item).replace(' thin', ''))
    expect(always).toEqual(items.map(() => sorted(fields)))
    const withSpark = (await guest.get<{ items: Product[] }>('/api/products?spark=true&category=futures'))
      .body
    expect(withSpark.items.map(({ id, spark }) => [id, spark?.length])).toEqual([['TAPE', 48]])
    const { body } = await guest.get<ProductDetail>('/api/products/FAST')
    expect(keys(body)).toBe(
      sorted(`${fields} chain durations entryTimeoutMs maxTickGapMs refunds rule sources spark`),
    )
    expect([body.rateBp, body.durations, body.rule, body.chain]).toEqual([8020, durations, 'R1', 1])
  })

  it('replays the recording with its passes, mirrored passes, seams, pauses and closing times', async () => {
    const replay = expectedReplay(join(folder.path, 'tape.csv.gz'), 2, 600_000, 60_000)
    expect([replay.length, replay.pauses]).toEqual([320, [[596_000, 656_000]]])
    const [oldest] = (await fetchTicks('from=0&limit=1', 'TAPE')).ticks
    const [seq0, epoch] = oldest!
    const past = await fetchTicks(`afterSeq=${seq0 - 1}&limit=5000`, 'TAPE')
    expect([past.complete, past.before]).toEqual([false, null])
    const expected = past.ticks.map(([seq]) => [seq, ...replay.tick(epoch, seq - seq0)])
    expect(past.ticks).toEqual(expected)
    const newest = await fetchTicks('afterSeq=-300&limit=5000', 'TAPE')
    expect(newest.ticks.every(([seq]) => seq <= 0)).toBe(true)
    expect(newest.ticks.at(-1)).toEqual([0, ...replay.tick(epoch, -seq0)])
    const { body } = await guest.get<Product>('/api/products/TAPE')
    const nextChange = ((body.status === 'open' ? body.closesAt : body.opensAt) ?? 0) - epoch
    expect(nextChange % replay.period).toBe(replay.pauses[0]![body.status === 'open' ? 0 : 1])
  })

  it('chains the log from the product’s name on, whatever the page', async () => {
    const all = await fetchLog('FAST')
    expect(all.map(([seq]) => seq)).toEqual(all.map((_, i) => i + 1))
    for (const [from, limit] of [
      [0, 1],
      [3, 20],
      [all.length - 2, 10],
    ] as const) {
      const page = await fetchTicks(`afterSeq=${from}&limit=${limit}`)
      expect(page.ticks).toEqual(all.slice(from, from + limit))
      expect(page.before).toEqual({ seq: from, hash: extendChain(sha('FAST'), 'FAST', all.slice(0, from)) })
      expect(page.complete).toBe(from + limit >= all.length)
    }
    const [first, last] = [all[4]!, all[30]!]
    const between = await fetchTicks(`from=${first[1]}&to=${last[1]}`)
    expect(between.ticks).toEqual(all.filter(([, at]) => at >= first[1] && at <= last[1]))
    expect(between.before?.seq).toBe(between.ticks[0]![0] - 1)
    for (const bad of ['', 'afterSeq=1&from=1', 'afterSeq=x', 'afterSeq=1&limit=5001', 'afterSeq=1&z=1'])
      expect((await guest.get(`/api/products/FAST/ticks?${bad}`)).status).toBe(400)
  })

  /** Read once for all widths; the clock stands still meanwhile. */
  let tapeLog: TicksAnswer['ticks'] | null = null
  it.each([
    ['250ms', 250],
    ['1s', 1000],
    ['15s', 15_000],
    ['1m', 60_000],
    ['15m', 900_000],
    ['1d', 86_400_000],
  ])('folds ticks into candles of %s', async (tf, width) => {
    tapeLog ??= [...(await fetchLog('TAPE', -4000)).filter(([seq]) => seq <= 0), ...(await fetchLog('TAPE'))]
    const buckets = new Map<number, RestCandle>()
    for (const [seq, at, price, size] of tapeLog) {
      const openAt = Math.floor(at / width) * width
      const [, open, high, low, , volume] = buckets.get(openAt) ?? [0, +price, +price, +price, 0, 0]
      const range = [Math.max(high, +price), Math.min(low, +price)] as const
      const sum = Math.round((volume + Number(size)) * 1e8) / 1e8
      buckets.set(openAt, [openAt, open, ...range, +price, sum, seq])
    }
    const expected = [...buckets.values()].slice(1).slice(-1000)
    const { candles } = (
      await guest.get<{ candles: RestCandle[] }>(`/api/products/TAPE/candles?tf=${tf}&limit=1000`)
    ).body
    expect(candles.filter(([at]) => at >= (expected[0]?.[0] ?? 0))).toEqual(expected)
    expect(candles.length).toBeLessThanOrEqual(1000)
  })

  it('computes the 24 h ticker from the ticks of that time', async () => {
    const { body } = await guest.get<Product>('/api/products/TAPE')
    const start = Math.floor((clock.now() - 86_400_000) / 60_000) * 60_000
    const past: TicksAnswer['ticks'] = []
    for (let page: TicksAnswer | null = null; page?.complete !== true; past.push(...page.ticks))
      page = await fetchTicks(past.length > 0 ? `afterSeq=${past.at(-1)![0]}` : 'from=0', 'TAPE')
    const inWindow = past.filter(([, at]) => at > start)
    const prices = inWindow.map(([, , price]) => digits(price))
    const opening = past.findLast(([, at]) => at <= start) ?? past[0]!
    const change =
      ((Number(digits(body.last)) - Number(digits(opening[2]))) * 10_000) / Number(digits(opening[2]))
    const sorted = prices.toSorted((a, b) => Number(a - b))
    expect([digits(body.low24h), digits(body.high24h)]).toEqual([sorted[0], sorted.at(-1)])
    expect(body.change24hBp).toBe(Math.round(change))
    const units = inWindow.map(([, , , size]) => Math.round(Number(size) * 100))
    expect(Math.round(Number(body.volume24h) * 100)).toBe(units.reduce((sum, size) => sum + size, 0))
    const amount = units.reduce((sum, size, i) => sum + BigInt(size) * prices[i]!, 0n) / 100n
    expect(digits(body.amount24h)).toBe(amount)
  })
})

describe('orders', () => {
  it('are rejected with the first error in the contract’s order, and change nothing', async () => {
    const newMember = await registerMember(venue.url, 'member_5', '13800000005')
    const place = async (change: object) => {
      const { status, code, fields } = await newMember.postWithKey('/api/orders', orderRequest(change))
      return [status, code, ...(fields ? [fields] : [])]
    }
    const late = { validUntil: clock.now() - 1 }
    expect(await place({ seconds: 7, amount: '1' })).toEqual([400, 'VALIDATION', { amount: 'AMOUNT_FORMAT' }])
    expect(await place({ ...late, extra: 1 })).toEqual([400, 'VALIDATION', { extra: 'UNKNOWN_FIELD' }])
    expect(await place({ validUntil: clock.now() + 30_001 })).toMatchObject([
      400,
      'VALIDATION',
      { validUntil: 'VALID_UNTIL' },
    ])
    expect(await place({ ...late, seconds: 7, rateBp: 1 })).toEqual([422, 'DURATION_UNKNOWN'])
    expect(await place({ ...late, rateBp: 1 })).toEqual([410, 'INTENT_EXPIRED'])
    expect(await place({ rateBp: 1, amount: '0.50' })).toEqual([409, 'RATE_CHANGED'])
    expect(await place({ amount: '0.99' })).toEqual([400, 'VALIDATION', { amount: 'AMOUNT_MIN' }])
    expect(await place({ amount: '500.01' })).toEqual([400, 'VALIDATION', { amount: 'AMOUNT_MAX' }])
    await newMember.call('PUT', '/api/me/limits', {
      body: { maxStake: '5.00', maxDailyLoss: null, maxDailyDeposit: null, excludedUntil: null },
    })
    expect(await place({ seconds: 7 })).toEqual([423, 'SELF_LIMIT'])
    expect(await assetsOf(newMember)).toMatchObject({ total: '10000.00', available: '10000.00', version: 1 })
    expect(await fetchAll(newMember, '/api/orders')).toEqual([])
  })

  it('have one effect per key: replayed, and rejected if the body is altered', async () => {
    const key = newKey()
    const body = orderRequest()
    const before = (await assetsOf(member)).version
    const replies = await Promise.all(
      [1, 2, 3, 4].map(() => member.postWithKey<Order>('/api/orders', body, key)),
    )
    expect(new Set(replies.map(({ text }) => withoutBatch(text))).size).toBe(1)
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(replies.filter(({ replayed }) => replayed)).toHaveLength(3)
    expect((await assetsOf(member)).version).toBe(before + 1)
    const altered = await member.postWithKey('/api/orders', { ...body, amount: 'x' }, key)
    expect([altered.status, altered.code, altered.replayed]).toEqual([422, 'IDEMPOTENCY_MISMATCH', false])
    const keyless = await member.call('POST', '/api/orders', { body })
    expect([keyless.status, keyless.code]).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED'])
    expect((await member.get<Order>(`/api/orders/by-key/${key}`)).body).toEqual({
      ...replies[0]!.body,
      head: undefined,
    })

    const ruleKey = newKey()
    const rejected = await member.postWithKey('/api/orders', orderRequest({ rateBp: 1 }), ruleKey)
    const again = await member.postWithKey('/api/orders', orderRequest({ rateBp: 1 }), ruleKey)
    expect([rejected.status, rejected.replayed]).toEqual([409, false])
    expect([again.status, again.replayed, again.text]).toEqual([409, true, rejected.text])
    const shapeKey = newKey()
    expect((await member.postWithKey('/api/orders', orderRequest({ amount: '0.10' }), shapeKey)).status).toBe(
      400,
    )
    expect((await member.postWithKey('/api/orders', orderRequest(), shapeKey)).status).toBe(201)
  })

  it('settle by rule R1, each with a proof on the public chain', async () => {
    await clock.advance(6000)
    const placed: Order[] = []
    for (let i = 0; i < 30; i++) {
      const productId = i % 3 === 2 ? 'RARE' : 'FAST'
      const amount = `${1 + i}.${10 + i}`
      const answer = await member.postWithKey<Order>(
        '/api/orders',
        orderRequest({ productId, amount, direction: i % 2 ? 'up' : 'down' }),
      )
      expect([answer.status, answer.body.status, answer.body.closeAt - answer.body.acceptedAt]).toEqual([
        201,
        'accepted',
        5000,
      ])
      placed.push(answer.body)
      await assetsOf(member)
      await clock.advance(170)
    }
    expect((await member.get(`/api/orders/${placed.at(-1)!.id}/proof`)).code).toBe('NOT_SETTLED')
    await clock.advance(15_000)
    await expect.poll(async () => (await assetsOf(member)).openStakes).toBe('0.00')
    const logs = { FAST: await fetchLog('FAST'), RARE: await fetchLog('RARE') }
    const outcomes = new Set<string>()
    for (const { id, productId } of placed) {
      const { body } = await member.get<Proof>(`/api/orders/${id}/proof`)
      const { order, ticks, before, after, gaps, sources } = body
      expect(keys(body)).toBe(
        'after before final gaps log more order receipt rule source sources ticks watermarkAt',
      )
      expect(order).toMatchObject(expectedOutcome(order, ticks, gaps, sources))
      expect(order).toMatchObject(expectedOutcome(order, logs[productId as 'FAST' | 'RARE'], [], []))
      expect((order.settledAt ?? 0) - order.closeAt).toBeLessThanOrEqual(1000)
      expect(after).toEqual({ seq: ticks.at(-1)![0], hash: extendChain(before!.hash, productId, ticks) })
      expect(await fetchTicks(`afterSeq=${before!.seq}&limit=${ticks.length}`, productId)).toMatchObject({
        ticks,
        before,
      })
      const later = ticks.filter(([, at]) => at > order.closeAt)
      const logged = Number(new RegExp(`^${productId} (\\d+) `, 'm').exec(body.log!.leaf)![1])
      expect(ticks.at(-1)![0]).toBe(Math.max(later[2]![0], logged))
      expect([body.final, body.more]).toEqual([true, false])
      outcomes.add(order.reason ?? order.status)
    }
    expect([...outcomes]).toEqual(expect.arrayContaining(['won', 'lost']))
  })

  it('agree with the capital record in lists, files and assets', async () => {
    const orders = await fetchAll<Order>(member, '/api/orders')
    const ledger = await fetchAll<LedgerEntry>(member, '/api/me/ledger')
    const assets = await assetsOf(member)
    expect(keys(ledger.at(-1)!)).toBe('amount at balanceAfter fund held id ref type')
    expect(ledger.every(({ ref }) => keys(ref) === 'id kind no productId')).toBe(true)
    let balance = 0
    for (const entry of ledger.toReversed())
      expect((balance += cents(entry.amount))).toBe(cents(entry.balanceAfter))
    expect([balance, ledger[0]!.id]).toEqual([cents(assets.available), String(assets.version)])
    const pnl = orders.reduce((sum, order) => sum + cents(order.pnl ?? '0.00'), 0)
    expect([assets.accountPnl, assets.todayPnl].map(cents)).toEqual([pnl, pnl])
    for (const result of ['won', 'lost', 'tied', 'refunded']) {
      const withResult = await fetchAll<Order>(member, `/api/orders?tab=closed&result=${result}`)
      expect(withResult.map(({ id }) => id)).toEqual(
        orders.filter(({ status }) => status === result).map(({ id }) => id),
      )
    }
    const [header = [], ...rows] = parseCsvCells((await member.get('/api/orders.csv')).text)
    const column = (name: string) => rows.map((row) => row[header.indexOf(name)])
    expect(column('id')).toEqual(orders.map(({ id }) => id))
    expect(column('pnl')).toEqual(orders.map((order) => order.pnl ?? ''))
    expect(column('acceptedAt')).toEqual(orders.map((order) => new Date(order.acceptedAt).toISOString()))
    const [, ...lines] = parseCsvCells((await member.get('/api/me/ledger.csv')).text)
    expect(lines.map((line) => line[3])).toEqual(ledger.map(({ amount }) => amount))
  })

  it('do not shift the pages of a list when orders are added', async () => {
    const list = (query: string) => member.get<{ items: Order[]; nextCursor: string }>(`/api/orders?${query}`)
    const first = (await list('limit=4')).body
    await member.postWithKey('/api/orders', orderRequest())
    const second = (await list(`limit=4&cursor=${encodeURIComponent(first.nextCursor)}`)).body
    const all = (await list('limit=9')).body.items.slice(1)
    expect([...first.items, ...second.items]).toEqual(all)
  })

  it('prevent a practice reset while they are open', async () => {
    expect((await member.postWithKey('/api/practice/reset')).code).toBe('OPEN_ORDERS')
    await clock.advance(12_000)
    await expect.poll(async () => (await assetsOf(member)).openStakes).toBe('0.00')
    const before = await assetsOf(member)
    const { body } = await member.postWithKey<Assets>('/api/practice/reset')
    expect(body).toMatchObject({
      available: '10000.00',
      version: before.version + 1,
      accountPnl: before.accountPnl,
    })
  })
})

describe('sockets', () => {
  const opened: Socket[] = []
  afterAll(() => opened.forEach((socket) => socket.disconnect()))
  async function listen(cookie = '') {
    const socket = io(venue.url, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      extraHeaders: { ...(cookie && { cookie }) },
    })
    opened.push(socket)
    const received: [string, unknown][] = []
    socket.onAny((name: string, payload: unknown) => void received.push([name, payload]))
    await nextEvent(socket, 'hello')
    const subscribe = async (products: string[], mode?: string) =>
      (await socket.emitWithAck('subscribe', {
        products,
        ...(mode !== undefined && { mode }),
      })) as SubscribeReply
    const of = <T>(name: string): T[] =>
      received.filter(([event]) => event === name).map(([, payload]) => payload as T)
    return {
      socket,
      received,
      subscribe,
      of,
      caughtUp: () => socket.emitWithAck('clock', 1) as Promise<object>,
    }
  }

  it('get frames from the heads on, and feed and ticker events after the ticks they refer to', async () => {
    await clock.advance(777)
    const client = await listen()
    const reply = await client.subscribe(['FAST', 'RARE', 'TAPE'])
    if (!reply.ok) throw new Error(reply.code)
    await clock.advance(9900)
    await client.caughtUp()
    const ids = new Map(Object.entries(reply.index).map(([id, ix]) => [ix, id]))
    const heads = structuredClone(reply.heads)
    const prices = new Map(reply.quotes.map(({ id, last }) => [id, last]))
    let frames = 0
    for (const [name, payload] of client.received) {
      if (name === 'ticks') {
        applyFrame(payload as number[], ids, heads, prices)
        frames += 1
      }
      if (name === 'feed') {
        const { p } = payload as FeedEvent
        for (const [id, { seq, hash, status }] of Object.entries(p))
          expect([{ seq, hash }, status]).toEqual([heads[id], 'live'])
      }
      if (name === 'figures') {
        for (const quote of (payload as TickerEvent).f) {
          expect([keys(quote), quote.last]).toEqual([keys(reply.quotes[0]!), prices.get(quote.id)])
        }
      }
    }
    expect(frames).toBeGreaterThan(150)
    expect(client.of<FeedEvent>('feed')).toHaveLength(10)
    expect(client.of('figures').length).toBeLessThanOrEqual(10)
  })

  /** Applies a frame to the heads and prices; expects every number to be an integer. */
  function applyFrame(
    frame: number[],
    ids: Map<number, string>,
    heads: Record<string, { seq: number; hash: string }>,
    prices: Map<string, string>,
  ): void {
    expect(frame.every(Number.isSafeInteger)).toBe(true)
    for (let i = 1; i < frame.length;) {
      const [ix, seq0, n] = [frame[i]!, frame[i + 1]!, frame[i + 2]!]
      const id = ids.get(ix)!
      expect([id, seq0]).toEqual([id, heads[id]!.seq + 1])
      for (let k = 0; k < n; k++) {
        const [dAt, price, size] = frame.slice(i + 3 + 3 * k) as [number, number, number]
        expect(dAt).toBeLessThanOrEqual(0)
        const text = [(price / 100).toFixed(2), id === 'TAPE' ? String(size / 100) : String(size)] as const
        prices.set(id, text[0])
        heads[id] = {
          seq: seq0 + k,
          hash: extendChain(heads[id]!.hash, id, [[seq0 + k, frame[0]! + dAt, ...text]]),
        }
      }
      i += 3 + 3 * n
    }
  }

  it('get only the newest tick of each product in mode latest, and an error for an unknown id', async () => {
    const client = await listen()
    expect(await client.subscribe(['FAST', 'no such'])).toEqual({
      ok: false,
      code: 'NOT_FOUND',
      products: ['no such'],
    })
    await clock.advance(1000)
    expect(await client.subscribe(['FAST'], 'latest')).toMatchObject({ ok: true })
    await clock.advance(2000)
    await client.caughtUp()
    const frames = client.of<number[]>('ticks')
    expect(frames.length).toBeGreaterThanOrEqual(6)
    // Four a second, and at most one more before each heartbeat.
    expect(frames.length).toBeLessThanOrEqual(10)
    expect(frames.every((frame) => frame.length === 7 && frame[3] === 1)).toBe(true)
  })

  it('get the member’s own orders as REST returns them, and are disconnected at log-out', async () => {
    const newMember = await registerMember(venue.url, 'member_6', '13800000006')
    const [own, other] = [await listen(newMember.session.cookie), await listen()]
    const { body } = await newMember.postWithKey<Order>('/api/orders', orderRequest())
    await clock.advance(8000)
    await expect.poll(async () => (await assetsOf(newMember)).openStakes).toBe('0.00')
    await own.caughtUp()
    const events = own.of<Order>('order')
    const { head, ...final } = events.at(-1)!
    const { receipt, receiptSalt, ...read } = (await newMember.get<Order>(`/api/orders/${body.id}`)).body
    expect(final).toEqual(read)
    expect(withoutBatch(JSON.stringify({ receipt, receiptSalt }))).toBe(
      withoutBatch(JSON.stringify({ receipt: body.receipt, receiptSalt: body.receiptSalt })),
    )
    expect([body.head?.at, head?.at].map((at) => typeof at)).toEqual(['number', 'number'])
    expect(head!.seq).toBeGreaterThan(body.head!.seq)
    expect(events.map(({ version }) => version)).toEqual(events.map((_, i) => i + 1))
    expect(own.of<Assets>('assets').at(-1)).toEqual(await assetsOf(newMember))
    const disconnected = nextEvent(own.socket, 'disconnect')
    await newMember.call('POST', '/api/auth/logout')
    await disconnected
    expect(own.of('session')).toEqual([{ reason: 'logout' }])
    expect(other.received.filter(([name]) => /order|assets|ledger/.test(name))).toEqual([])
  })
})

it('publishes a stop as a gap, refunds the orders it affected, and settles the others from the log', async () => {
  const before = await fetchLog('FAST')
  const place = async (seconds: number, rateBp: number) =>
    (await member.postWithKey<Order>('/api/orders', orderRequest({ seconds, rateBp }))).body
  const placed = [await place(5, 8005)]
  await clock.advance(6000)
  placed.push(await place(20, 8020))
  await clock.advance(3000)
  placed.push(await place(5, 8005))
  const { session } = member
  await venue.close()
  await clock.advance(64_000)
  venue = await openVenue()
  guest = blackBoxClient(venue.url)
  member = Object.assign(blackBoxClient(venue.url), { session })
  const client = blackBoxClient(venue.url)
  await client.login('member_1', password)
  await clock.advance(30_000)
  await expect.poll(async () => (await assetsOf(client)).openStakes).toBe('0.00')
  const log = await fetchLog('FAST')
  expect(log.slice(0, before.length)).toEqual(before)
  const gaps = (
    await client.get<{ items: { from: number; to: number; refundedOrders: number }[] }>(
      '/api/products/FAST/gaps',
    )
  ).body.items
  expect(gaps.map(({ from, to }) => log.filter(([, at]) => at > from && at <= to).length)).toEqual([0])
  const reasons = []
  for (const { id } of placed) {
    const {
      order,
      ticks,
      gaps: proofGaps,
      sources,
    } = (await client.get<Proof>(`/api/orders/${id}/proof`)).body
    expect(order).toMatchObject(expectedOutcome(order, log, gaps, sources))
    expect(order).toMatchObject(expectedOutcome(order, ticks, proofGaps, sources))
    reasons.push(order.reason)
  }
  expect(reasons).toEqual([null, 'FEED_DOWN', 'FEED_DOWN'])
  expect(gaps[0]!.refundedOrders).toBe(2)
})
