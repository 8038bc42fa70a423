import { expect, it } from 'vitest'
import { wireExitOf } from '../../../../contract/fills.ts'
import { verifyChain, type WireTick } from '../../../../contract/chain.ts'
import { moneyOf } from '../../../../contract/money.ts'
import { proof as proofSchema, type Order, type Proof } from '../../../../contract/orders.ts'
import { parsePrice } from '../../../../contract/price.ts'
import { settle } from '../../../../contract/settle.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import type { RunningMarket } from '../../../../server/market/market.ts'
import { manualClock } from '../../../support/manualClock.ts'
import { openMarket, syntheticProduct } from '../../../support/marketFixtures.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import type { Secrets } from '../../../../server/platform/secrets.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'

const database = await withDatabase()

const products = [syntheticProduct('FAST', 40), syntheticProduct('SLOW', 1, 7)]
const clock = manualClock()
let market: RunningMarket
let venue: TestVenue<RunningMarket>

async function open(secrets?: Secrets): Promise<void> {
  market = await openMarket(database.db, clock, products)
  venue = await openTestVenue(database, { clock, market, ...(secrets && { secrets }) })
  await clock.advance(100)
}

async function close(): Promise<void> {
  await venue.close()
  expect(venue.reportedErrors).toEqual([])
}

async function place(member: MemberClient, productId: string, direction: 'up' | 'down'): Promise<Order> {
  const body = {
    productId,
    direction,
    amount: '10.00',
    seconds: 60,
    rateBp: 8500,
    validUntil: clock.now() + 5000,
  }
  const reply = await member.post<Order>('/orders', body)
  expect([reply.status, reply.code]).toEqual([201, undefined])
  return reply.body
}

async function wholeLog(productId: string): Promise<WireTick[]> {
  const ticks: WireTick[] = []
  for (let complete = false; !complete;) {
    const page = await market.ticksAfter(productId, ticks.at(-1)?.[0] ?? 0, 1000)
    ticks.push(...page.ticks)
    complete = page.complete
  }
  return ticks
}

it('settles orders of the real market by its log, across a restart, each with a valid proof', async () => {
  await open()
  const member = await venue.createMember()
  const orders: Order[] = []
  for (let i = 0; i < 12; i++) {
    orders.push(await place(member, i % 2 ? 'SLOW' : 'FAST', i % 3 ? 'up' : 'down'))
    await clock.advance(3777)
  }
  const { secrets, sessions } = venue
  // The first ones close before the stop, the others in the gap of more than a minute.
  await clock.advance(25_000)
  await close()
  await clock.advance(61_000)
  await open(secrets)
  await clock.advance(70_000)
  await venue.trading.idle()

  const { sid } = await sessions.open(member.id, { device: '', ip: '' })
  const results = new Set<string>()
  for (const { id, productId } of orders) {
    const reply = await venue.app.inject({
      url: `/api/orders/${id}/proof`,
      headers: { cookie: `sid=${sid}` },
    })
    expect(reply.statusCode).toBe(200)
    const proof: Proof = proofSchema.parse(reply.json())
    const { order: settled, ticks, before, after, gaps, sources } = proof
    const units = (list: readonly WireTick[]) =>
      list.map(([seq, at, price]) => ({ seq, at, price: parsePrice(price, settled.terms.priceDecimals)! }))
    const terms = { ...settled, amount: moneyOf(settled.amount) }
    const byProof = settle(settled.terms, terms, units(ticks), gaps, sources)
    const log = units(await wholeLog(productId))
    const byLog = settle(settled.terms, terms, log, await market.gaps(productId), market.sources(productId))
    expect(sources.map(({ fingerprint }) => fingerprint)).toEqual([settled.terms.source])
    expect(byProof).toEqual(byLog)
    expect([settled.status, settled.reason, settled.entry?.seq]).toEqual([
      byLog.status,
      byLog.reason,
      byLog.entry?.seq,
    ])
    expect(settled.exit).toEqual(byLog.exit && wireExitOf(byLog.exit, settled.terms.priceDecimals))
    expect(verifyChain(productId, before!, ticks, after!)).toMatchObject({ ok: true })
    expect(proof).toMatchObject({ final: true, more: false })
    results.add(settled.reason ?? settled.status)
  }
  expect(results).toContain('FEED_DOWN')
  expect(results).toContain('won')
  expect((await venue.ledger.assets(member.id)).openStakes).toBe('0.00')
  await close()
})
