import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { priceUnits } from '../../../../../contract/units.ts'
import { moneyOf } from '../../../../../contract/money.ts'
import type { Order } from '../../../../../contract/orders.ts'
import { meanExit, meanValue, windowFrom } from '../../../../../contract/settle/mean.ts'
import type { Database } from '../../../../../server/platform/db/open.ts'
import { withDatabase } from '../../../../support/withVenue.ts'
import type { MarketProduct } from '../../../../../server/market/feed/loadProducts.ts'
import type { RunningMarket } from '../../../../../server/market/market.ts'
import type { Secrets } from '../../../../../server/platform/secrets.ts'
import type { MemberClient } from '../../../../support/apiCalls.ts'
import { fakeExchange } from '../../../../support/fakeExchange.ts'
import { averagedProduct } from '../../../../support/fakeMarket.ts'
import { leadDatabase } from '../../../../support/ledDatabase.ts'
import { manualClock } from '../../../../support/manualClock.ts'
import { openMarket, productOf, syntheticProduct, withSeconds } from '../../../../support/marketFixtures.ts'
import { withPostgres } from '../../../../support/postgres.ts'
import { openTestVenue, type TestVenue } from '../../../../support/testVenue.ts'

const postgres = await withPostgres('live_outage')
const memory = await withDatabase()

describe('the embedded database', () => outageTests(() => memory))
postgres.describe('PostgreSQL', () => outageTests(postgres.database))

const seconds = 20
const deadlineMs = 300_000

/** What the database checks of the results of live products, while the log or a source is behind their close. */
function outageTests(database: () => Database): void {
  // Ahead of the database's own clock, so that only flushes say that time has passed.
  const clock = manualClock(Date.UTC(2080, 0, 1))
  const exchanges = [fakeExchange(clock), fakeExchange(clock, { fingerprint: 'exchange:fake:MEAN' })]
  const products = [
    productOf('LAST', exchanges[0]!.source),
    averaged(productOf('MEAN', exchanges[1]!.source)),
    syntheticProduct('WALK', 5),
  ].map((product) => withSeconds<MarketProduct>(product, seconds))
  let venue: TestVenue<RunningMarket>
  let member: MemberClient

  const openLog = async () => {
    const fence = await leadDatabase(database())
    return { fence, market: await openMarket(database().db, clock, products, { fence, everyMs: 250 }) }
  }
  const openVenue = async (secrets?: Secrets): Promise<void> => {
    venue = await openTestVenue(database(), { clock, ...(await openLog()), ...(secrets && { secrets }) })
  }
  beforeAll(async () => {
    await openVenue()
    member = await venue.createMember(moneyOf('9000.00'))
    await trade(1000)
  })
  afterAll(() => venue.close())
  afterEach(async () => {
    await venue.trading.idle()
    expect(venue.reportedErrors).toEqual([])
  })

  let price = 10_000
  /** A trade of each live product every 250 ms. */
  async function trade(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 250) {
      price += 1
      for (const exchange of exchanges) exchange.trade(price)
      await clock.advance(250)
    }
    await venue.trading.idle()
  }
  async function place(productId: string): Promise<Order> {
    const terms = { direction: 'up', amount: '10.00', seconds, rateBp: 8000 }
    const body = { productId, ...terms, validUntil: clock.now() + 5000 }
    const { body: order, status } = await member.post<Order>('/orders', body)
    expect(status).toBe(201)
    return order
  }
  const placeBoth = async (): Promise<Order[]> => [await place('LAST'), await place('MEAN')]
  const read = async ({ id }: Order): Promise<Order> => (await member.get<Order>(`/orders/${id}`)).body
  /** The error of a change of an order that would settle it, as of its instant `at`; nothing is changed. */
  async function refusal({ id }: Order, result: string, at = 'close_at'): Promise<string> {
    const client = await database().pool.connect()
    try {
      await client.query('BEGIN')
      await client.query(
        `UPDATE orders SET version = version + 1, settled_at = ${at}, ${result} WHERE id = '${id}'`,
      )
      return 'accepted'
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  }

  /** The columns of the mean of the ticks that the log has for an order, or of one that is off by this much. */
  async function meanOf({ productId, terms, closeAt, entry }: Order, off = 0n): Promise<string> {
    if (terms.rule !== 'R2' || !entry) throw new Error('no order with a mean')
    const { market } = venue
    const ticks = await market.ticksUntil(
      productId,
      windowFrom(terms, { closeAt }),
      closeAt,
      terms.exitMinTicks,
    )
    const entryTick = { seq: entry.seq, at: entry.at, price: priceUnits(0) }
    const mean = meanExit(terms, { closeAt }, entryTick, ticks)
    if (!mean) throw new Error('no ticks in the window')
    const sum = mean.sum + off * BigInt(mean.ticks)
    return `exit_sum = ${sum}, exit_ticks = ${mean.ticks}, exit_value = ${meanValue(sum, mean.ticks)},
      exit_from = ${mean.from}, exit_to = ${mean.to}`
  }
  async function newestFlush(): Promise<{ at: number; watermark: number }> {
    const { rows } = await database().pool.query<{ at: number; watermark: number }>(
      `SELECT t.at, flush_watermark(t.at, t.data, p.ix) AS watermark FROM tick_batch t, feed_product p
       WHERE p.id = 'MEAN' ORDER BY t.id DESC LIMIT 1`,
    )
    return rows[0]!
  }

  const refunded = `status = 'refunded', reason = 'FEED_DOWN', payout = amount`
  const won = `status = 'won', payout = amount * 18 / 10`
  const otherMean = /^the log gives another mean/
  /** Before the refunds of a downtime: a result that the log does not have is refused. */
  async function refusesOthers([ofLast, ofMean]: readonly Order[]): Promise<void> {
    const mean = await meanOf(ofMean!)
    // The next trigger refuses the true mean, because no money moved: this one lets it pass.
    expect(await refusal(ofMean!, `${refunded}, ${mean}`)).toMatch(
      /^a result of member .* without its posting/,
    )
    expect(await refusal(ofMean!, `${refunded}, ${await meanOf(ofMean!, 1n)}`)).toMatch(otherMean)
    expect(await refusal(ofMean!, `${won}, ${mean}`)).toMatch(/^the log has not reached the close/)
    const exit = `exit_seq = entry_seq + 1, exit_at = close_at, exit_price = entry_price + 1`
    expect(await refusal(ofLast!, `${won}, ${exit}`)).toMatch(/^the log has no such tick/)
  }

  describe.each([
    ['before the first flush after it', 0],
    ['after a flush that is older than the gap', 1],
  ])('a downtime over the closes of orders, settled %s', (_when, flushes) => {
    it('is the reason of their refunds, with the entries and exits that the log has', async () => {
      const placed = await placeBoth()
      await trade(14_000)
      const closing = await Promise.all(placed.map(read))
      const later = await placeBoth()
      // An entry that the last flush has, and no order yet.
      clock.leap(600)
      for (const exchange of exchanges) exchange.trade(price)
      const { secrets } = venue
      await venue.close()
      await clock.advance(8000)
      // A start that ends at once, or after the first second that it catches up with.
      const { market } = await openLog()
      if (flushes > 0) market.start()
      await market.stop()
      const newest = await newestFlush()
      expect([newest.at < closing[0]!.closeAt, newest.watermark > closing[0]!.closeAt]).toEqual([
        true,
        flushes > 0,
      ])
      await refusesOthers(closing)
      await openVenue(secrets)
      member = venue.clientOf(member)
      await venue.trading.idle()
      for (const order of closing) {
        const { entry, exit, ...result } = await read(order)
        expect(result).toMatchObject({ status: 'refunded', reason: 'FEED_DOWN', payout: '10.00' })
        expect([entry, exit]).not.toContain(null)
      }
      await trade(seconds * 1000)
      for (const order of later) expect((await read(order)).status).toBe('won')
    })
  })

  it('a source that stays away is the reason of refunds after five minutes, not before, at the mean so far', async () => {
    const placed = await placeBoth()
    await trade(17_000)
    const orders = await Promise.all(placed.map(read))
    for (const exchange of exchanges) exchange.drop()
    await clock.advance(10_000)
    const [, ofMean] = orders
    const early = `${refunded}, ${await meanOf(ofMean!)}`
    expect(await refusal(ofMean!, early, `close_at + ${deadlineMs}`)).toMatch(otherMean)
    await clock.advance(deadlineMs)
    await venue.trading.idle()
    for (const order of orders) {
      const { entry, exit, ...result } = await read(order)
      expect(result).toMatchObject({ status: 'refunded', reason: 'FEED_DOWN' })
      expect([entry, exit]).not.toContain(null)
    }
    for (const exchange of exchanges) exchange.comeBack('missed')
    await trade(1000)
  })
}

function averaged<P extends MarketProduct>(product: P): P {
  return { ...product, settings: { ...product.settings, settlement: averagedProduct.settlement } }
}
