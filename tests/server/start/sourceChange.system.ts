import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import type { Order, Proof } from '../../../contract/orders.ts'
import type { ProductDetail } from '../../../contract/products.ts'
import { configFile } from '../../support/configFile.ts'
import {
  expectedOutcome,
  registerMember,
  blackBoxClient,
  type BlackBoxClient,
} from '../../support/blackBoxClient.ts'
import { productRow, walk } from '../../support/productRow.ts'
import { startVenue, type VenueProcess } from '../../support/venueProcess.ts'
import { serverBundle } from '../../support/serverBundle.ts'

const folder = mkdtempSync(join(tmpdir(), 'sources-'))
const running: VenueProcess[] = []
afterAll(async () => {
  await Promise.all(running.map((venue) => venue.end('SIGKILL')))
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const durations = [{ seconds: 600, rateBp: 8500, min: '1.00', max: '1000.00' }]
/** A product table whose random walk starts at `start`; its replayed product is always the same. */
function writeTable(start: number): string {
  const file = join(folder, `products-${start}.json`)
  const products = [
    productRow('WALK', { durations, feed: walk({ start, volatility: 0.001 }) }),
    productRow('TAPE', { durations, feed: { recording: 'tape.csv.gz' } }),
  ]
  writeFileSync(file, JSON.stringify(products))
  return file
}
function writeTape(price: number): void {
  const rows = Array.from({ length: 200 }, (_, i) => `${1_700_000_000_000 + i * 100},${price + (i % 3)},1,,`)
  writeFileSync(join(folder, 'tape.csv.gz'), gzipSync(`ts_ms,price,size,bid,ask\n${rows.join('\n')}\n`))
}

function start(env: Record<string, string> = {}, ...args: string[]): VenueProcess {
  const venue = startVenue([join(serverBundle(), 'main.js'), ...args], {
    CONFIG_FILE: configFile(folder, { practice: { recordings: '.' } }),
    PRODUCTS_FILE: writeTable(100),
    DATA_DIR: dataDir,
    ...env,
  })
  running.push(venue)
  return venue
}

const place = async (member: BlackBoxClient, productId: string): Promise<Order> => {
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
const fetchOrder = async (member: BlackBoxClient, id: string): Promise<Order> =>
  (await member.get<Order>(`/api/orders/${id}`)).body

const dataDir = join(folder, 'data')

// On the embedded database; trading/sourceChange.test.ts does the same on both.
describe('a start with another price source', () => {
  it('fails if the source of open orders changed, or returns their stakes with --refund-changed-sources', async () => {
    writeTape(500)
    const first = start()
    const member = await registerMember(await first.ready, 'sources1', '13800000001')
    const [walk, taped] = [await place(member, 'WALK'), await place(member, 'TAPE')]
    expect(taped.terms.source).toMatch(/^replay:[0-9a-f]{64}:600000:60000$/)
    await expect.poll(async () => (await fetchOrder(member, walk.id)).status).toBe('open')
    await expect.poll(async () => (await fetchOrder(member, taped.id)).status).toBe('open')
    await first.end('SIGTERM')

    const failed = start({ PRODUCTS_FILE: writeTable(50) })
    expect(await failed.exited).toBe(2)
    const until = new Date(walk.closeAt).toISOString()
    expect(failed.message()).toBe(
      `uptick: the price source of WALK changed while 1 open order depends on the old one; the last closes at ${until}. ` +
        'Run the old source until they are settled, or start with --refund-changed-sources to return their stakes\n',
    )
    // A recording that is replaced under the same name is another source too.
    writeTape(400)
    const failedForBoth = start({ PRODUCTS_FILE: writeTable(50) })
    expect(await failedForBoth.exited).toBe(2)
    expect(failedForBoth.output()).toContain('TAPE, WALK changed while 2 open orders depend')

    const second = start({ PRODUCTS_FILE: writeTable(50) }, '--refund-changed-sources')
    const client = blackBoxClient(await second.ready, member.session)
    for (const { id, productId, terms } of [walk, taped]) {
      await expect.poll(async () => (await fetchOrder(client, id)).status).toBe('refunded')
      const order = await fetchOrder(client, id)
      expect(order).toMatchObject({ reason: 'SOURCE_CHANGED', payout: '10.00', terms })
      const { body: proof } = await client.get<Proof>(`/api/orders/${id}/proof`)
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
      const { body: product } = await client.get<ProductDetail>(`/api/products/${productId}`)
      expect(product.sources.map(({ refundedOrders }) => refundedOrders)).toEqual([0, 1])
      expect(product.refunds.orders).toBe(1)
    }
    const refundMessages = async () => {
      const { items } = (await client.get<{ items: { key: string; params: object }[] }>('/api/messages')).body
      return items.filter(({ key }) => key === 'orderRefunded').map(({ params }) => params)
    }
    const reason = { reason: 'SOURCE_CHANGED', amount: '10.00' }
    await expect.poll(refundMessages).toMatchObject([reason, reason])
    const sha256 = createHash('sha256')
      .update(readFileSync(join(folder, 'tape.csv.gz')))
      .digest('hex')
    const file = await fetch(`${await second.ready}/api/recordings/${sha256}`)
    expect(Buffer.from(await file.arrayBuffer())).toEqual(readFileSync(join(folder, 'tape.csv.gz')))
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    // A recording that no source names, or that is no longer in the folder, is not found.
    for (const missing of ['0'.repeat(64), taped.terms.source.split(':')[1]]) {
      expect((await fetch(`${await second.ready}/api/recordings/${missing}`)).status).toBe(404)
    }
    const deskKey = readFileSync(join(dataDir, 'desk.key'), 'utf8').trim()
    const headers = { authorization: `Bearer ${deskKey}` }
    const metrics = (await client.call('GET', '/metrics', { headers })).text
    expect(metrics).toMatch(/^uptick_gaps_total\{product="WALK",node="[^"]+"\} 1$/m)
    const stood = [
      ...metrics.matchAll(/uptick_refunded_orders_total\{product="TAPE",stood="\w+",node="[^"]+"\} (\d)/g),
    ]
    expect(stood.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(1)
    await second.end('SIGTERM')

    // No order is open any more: the next change needs no option.
    const third = start({ PRODUCTS_FILE: writeTable(70) })
    const laterClient = blackBoxClient(await third.ready, member.session)
    expect((await laterClient.get<ProductDetail>('/api/products/WALK')).body.sources).toHaveLength(3)
    await third.end('SIGTERM')
  })
})
