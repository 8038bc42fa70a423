import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import type { Order, Proof } from '../../../contract/orders.ts'
import type { ProductDetail } from '../../../contract/products.ts'
import { withPostgres } from '../../support/postgres.ts'
import { expectedOutcome, registerMember, blackBoxClient } from '../../support/blackBoxClient.ts'
import type { BlackBoxClient } from '../../support/blackBoxClient.ts'
import { productRow, walk } from '../../support/productRow.ts'
import { startVenue } from '../../support/venueProcess.ts'
import type { VenueProcess } from '../../support/venueProcess.ts'

const postgres = await withPostgres('start_source_change')
const folder = mkdtempSync(join(tmpdir(), 'sources-'))
const running: VenueProcess[] = []
afterAll(async () => {
  await Promise.all(running.map((venue) => venue.end('SIGKILL')))
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const durations = [{ seconds: 600, rateBp: 8500, min: '1.00', max: '1000.00' }]
/** A table whose walk begins at a price; the replayed product never changes in it. */
function table(start: number): string {
  const file = join(folder, `products-${start}.json`)
  const products = [
    productRow('WALK', { durations, feed: walk({ start, volatility: 0.001 }) }),
    productRow('TAPE', { durations, feed: { recording: 'tape.csv.gz' } }),
  ]
  writeFileSync(file, JSON.stringify(products))
  return file
}
function tape(price: number): void {
  const rows = Array.from({ length: 200 }, (_, i) => `${i * 100},${price + (i % 3)},1,,`)
  writeFileSync(join(folder, 'tape.csv.gz'), gzipSync(`ts_ms,price,size,bid,ask\n${rows.join('\n')}\n`))
}

function start(database: Record<string, string>, env: Record<string, string> = {}): VenueProcess {
  const venue = startVenue(['--import', 'tsx', 'server/main.ts'], {
    RECORDINGS_DIR: folder,
    PRODUCTS_FILE: table(100),
    ...database,
    ...env,
  })
  running.push(venue)
  return venue
}

const orderedOn = async (member: BlackBoxClient, productId: string): Promise<Order> => {
  const answer = await member.postWithKey<Order>('/api/orders', {
    productId,
    direction: 'up',
    amount: '10.00',
    seconds: 600,
    rateBp: 8500,
    validUntil: Date.now() + 20_000,
  })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}
const orderOf = async (member: BlackBoxClient, id: string): Promise<Order> =>
  (await member.get<Order>(`/api/orders/${id}`)).body

describe('with the embedded database', () => changes(() => ({ DATA_DIR: join(folder, 'data') })))
postgres.describe('with PostgreSQL', () =>
  changes(() => ({ DATA_DIR: join(folder, 'data-pg'), DATABASE_URL: postgres.url() })),
)

function changes(database: () => Record<string, string>): void {
  it('open orders hold their source: another one is refused, or returns their stakes', async () => {
    tape(500)
    const first = start(database())
    const member = await registerMember(await first.ready, 'sources1', '13800000001')
    const [walk, taped] = [await orderedOn(member, 'WALK'), await orderedOn(member, 'TAPE')]
    expect(taped.terms.source).toMatch(/^replay:[0-9a-f]{64}:600000:60000$/)
    await expect.poll(async () => (await orderOf(member, walk.id)).status).toBe('open')
    await expect.poll(async () => (await orderOf(member, taped.id)).status).toBe('open')
    await first.end('SIGTERM')

    const refused = start(database(), { PRODUCTS_FILE: table(50) })
    expect(await refused.exited).toBe(2)
    const until = new Date(walk.closeAt).toISOString()
    expect(refused.output()).toBe(
      `uptick: the price source of WALK changed while 1 open order depends on the old one; the last closes at ${until}. ` +
        'Run the old source until they are settled, or start with SOURCE_CHANGE=refund to return their stakes\n',
    )
    // A recording replaced under its own name is another source too.
    tape(400)
    const both = start(database(), { PRODUCTS_FILE: table(50) })
    expect(await both.exited).toBe(2)
    expect(both.output()).toContain('TAPE, WALK changed while 2 open orders depend')

    const second = start(database(), { PRODUCTS_FILE: table(50), SOURCE_CHANGE: 'refund' })
    const back = blackBoxClient(await second.ready, member.session)
    for (const { id, productId, terms } of [walk, taped]) {
      await expect.poll(async () => (await orderOf(back, id)).status, { timeout: 30_000 }).toBe('refunded')
      const order = await orderOf(back, id)
      expect(order).toMatchObject({ reason: 'SOURCE_CHANGED', payout: '10.00', terms })
      const { body: proof } = await back.get<Proof>(`/api/orders/${id}/proof`)
      expect(proof.sources.map(({ fingerprint }) => fingerprint)).toEqual([
        terms.source,
        expect.not.stringMatching(terms.source),
      ])
      const { ticks, gaps, sources } = proof
      const { status, reason, entry, exit } = expectedOutcome(order, ticks, gaps, sources)
      expect({ status, reason, entry, exit }).toEqual({
        status: 'refunded',
        reason: 'SOURCE_CHANGED',
        entry: order.entry,
        exit: order.exit,
      })
      const { body: product } = await back.get<ProductDetail>(`/api/products/${productId}`)
      expect(product.sources.map(({ refundedOrders }) => refundedOrders)).toEqual([0, 1])
      expect(product.refunds.orders).toBe(1)
    }
    const told = async () => {
      const { items } = (await back.get<{ items: { key: string; params: object }[] }>('/api/messages')).body
      return items.filter(({ key }) => key === 'orderRefunded').map(({ params }) => params)
    }
    const reason = { reason: 'SOURCE_CHANGED', amount: '10.00' }
    await expect.poll(told, { timeout: 30_000 }).toMatchObject([reason, reason])
    const sha256 = createHash('sha256')
      .update(readFileSync(join(folder, 'tape.csv.gz')))
      .digest('hex')
    const file = await fetch(`${await second.ready}/api/recordings/${sha256}`)
    expect(Buffer.from(await file.arrayBuffer())).toEqual(readFileSync(join(folder, 'tape.csv.gz')))
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    // What no source names, or what is not in the folder any more, is not there.
    for (const gone of ['0'.repeat(64), taped.terms.source.split(':')[1]]) {
      expect((await fetch(`${await second.ready}/api/recordings/${gone}`)).status).toBe(404)
    }
    const deskKey = readFileSync(join(database()['DATA_DIR'] ?? '', 'desk.key'), 'utf8').trim()
    const headers = { authorization: `Bearer ${deskKey}` }
    const metrics = (await back.call('GET', '/metrics', { headers })).text
    expect(metrics).toContain('uptick_gaps_total{product="WALK"} 1')
    const stood = [...metrics.matchAll(/uptick_refunded_orders_total\{product="TAPE",stood="\w+"\} (\d)/g)]
    expect(stood.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(1)
    await second.end('SIGTERM')

    // Nothing is open any more: the next change needs no leave.
    const third = start(database(), { PRODUCTS_FILE: table(70) })
    const later = blackBoxClient(await third.ready, member.session)
    expect((await later.get<ProductDetail>('/api/products/WALK')).body.sources).toHaveLength(3)
    await third.end('SIGTERM')
  }, 240_000)
}
