import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, it } from 'vitest'
import type { Order, Proof } from '../../../../contract/orders.ts'
import { accountTag, fieldsNotSigned, hashOfTerms } from '../../../../contract/receipt.ts'
import { orders } from '../../../../server/trading/schema.ts'
import { forgetLogKey } from '../../../../server/platform/secrets.ts'
import { createReceipts } from '../../../../server/trading/orders/receipts.ts'
import { parseSignedReceipt } from '../../../../contract/signedReceipt.ts'
import { checkReceipt } from '../../../../src/proof/receipt.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { orderRequest, tickOnce } from '../../../support/orders.ts'
import { withPostgres } from '../../../support/postgres.ts'
import { openTestVenue } from '../../../support/testVenue.ts'
import { withoutBatch } from '../../../support/withoutBatch.ts'
import { withVenue } from '../../../support/withVenue.ts'

let venue = await withVenue()
beforeEach(async () => {
  await venue.clock.advance(60_000)
  tickOnce(venue)
})

const postgres = await withPostgres('receipts')

const logKeyOf = async (): Promise<string> =>
  (await (await venue.createMember()).get<{ logKey: string }>('/config')).body.logKey

/** What a receipt states; the batch that it is signed with may be another one each time. */
const textOf = (receipt: string | null | undefined) => parseSignedReceipt(receipt ?? '')?.text

async function place() {
  const member = await venue.createMember()
  const [request, key] = [orderRequest(venue, { amount: '12.50', direction: 'down' }), venue.random.uuid()]
  const first = await member.post<Order>('/orders', request, key)
  expect(first.status).toBe(201)
  return { member, request, key, first, order: first.body }
}

it('answers an order with what it has committed, signed by the log’s key', async () => {
  const { member, order } = await place()
  const key = await logKeyOf()
  const check = await checkReceipt(order.receipt, order, { keys: [{ key, from: 'venue' }] })
  expect(check).toEqual({ ok: true, signed: 'venue', key, from: 'venue' })
  const [row] = await venue.db.select().from(orders).where(eq(orders.id, order.id))
  expect(parseSignedReceipt(order.receipt ?? '')?.receipt).toEqual({
    origin: key.split('+')[0],
    no: row?.no,
    productId: 'TEST',
    direction: 'down',
    amount: '12.50',
    seconds: 30,
    rateBp: 8000,
    terms: hashOfTerms(order.terms),
    acceptedAt: row?.acceptedAt,
    closeAt: row?.closeAt,
    head: { seq: row?.headSeq, hash: Buffer.from(row?.headHash ?? []).toString('hex') },
    account: accountTag(order.receiptSalt ?? '', member.id),
  })
  expect(parseSignedReceipt(order.receipt ?? '')?.receipt.head).toEqual({
    seq: order.head?.seq,
    hash: order.head?.hash,
  })
})

it('gives the same receipt again: for the key, by id, by key and after the result', async () => {
  const { member, request, key, first, order } = await place()
  await venue.clock.advance(1000)
  tickOnce(venue, 10_100)
  await venue.trading.idle()
  const again = await member.post<Order>('/orders', request, key)
  expect([again.replayed, withoutBatch(again.text)]).toEqual([true, withoutBatch(first.text)])
  const read = [
    await member.get<Order>(`/orders/${order.id}`),
    await member.get<Order>(`/orders/by-key/${key}`),
  ]
  await venue.clock.advanceTo(order.closeAt)
  tickOnce(venue, 10_300)
  await venue.trading.idle()
  read.push(await member.get<Order>(`/orders/${order.id}`))
  for (const { body } of read)
    expect([textOf(body.receipt), body.receiptSalt]).toEqual([textOf(order.receipt), order.receiptSalt])
  const proof = await member.get<Proof>(`/orders/${order.id}/proof`)
  expect(textOf(proof.body.receipt)).toBe(textOf(order.receipt))
  // The file goes to others, who are not to learn whose order it is.
  expect(proof.text).not.toContain(order.receiptSalt)
})

it('signs the receipts of orders that come together as one batch, each under the name that its log had', async () => {
  const keys = [{ key: await logKeyOf(), from: 'venue' as const }]
  const members = await Promise.all(Array.from({ length: 5 }, () => venue.createMember()))
  const placed = await Promise.all(
    members.map((member) => member.post<Order>('/orders', orderRequest(venue), venue.random.uuid())),
  )
  const { publicLog } = venue.modules
  // The log of both names has this node's key.
  const receipts = createReceipts({
    publicLog: { ...publicLog, signsAs: () => true },
    secrets: venue.secrets,
  })
  const read = await Promise.all(
    placed.map(async ({ body: order }, i) => {
      const [row] = await venue.db.select().from(orders).where(eq(orders.id, order.id))
      return { row: { ...row!, logOrigin: i < 3 ? row!.logOrigin : 'venue.test/log/0' }, order }
    }),
  )
  const signed = await Promise.all(
    read.map(async ({ row, order: { receipt: _receipt, ...order } }) => receipts.signStored(row, order)),
  )
  for (const order of signed)
    expect(await checkReceipt(order.receipt, order, { keys })).toMatchObject({ signed: 'venue' })
  const batches = signed.map(({ receipt }) => parseSignedReceipt(receipt!)!)
  expect(batches.map(({ index, batch }) => [index, batch.size])).toEqual([
    [0, 3],
    [1, 3],
    [2, 3],
    [0, 2],
    [1, 2],
  ])
  expect(batches.slice(0, 3).map(({ text }) => text)).toEqual(
    placed.slice(0, 3).map(({ body }) => textOf(body.receipt)),
  )
})

it('lists orders and publishes them without receipts', async () => {
  const { member } = await place()
  const list = await member.get<{ items: Order[] }>('/orders')
  expect(list.body.items[0]).not.toHaveProperty('receipt')
  for (const event of venue.bus.eventsFor<Order>(member.id, 'order'))
    expect(event).not.toHaveProperty('receipt')
})

it('signs only after the commit: the stored answer has no receipt', async () => {
  const { key } = await place()
  const { rows } = await venue.database.pool.query<{ body: string }>(
    'SELECT body FROM idempotency WHERE key = $1',
    [key],
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]?.body).not.toContain('uptick-order')
})

it('never changes what a receipt states', async () => {
  const { order } = await place()
  for (const change of [
    sql`head_seq = head_seq + 1`,
    sql`head_hash = decode(repeat('00', 32), 'hex')`,
    sql`log_origin = 'x'`,
  ])
    await expect(
      venue.db.execute(sql`UPDATE orders SET ${change}, version = version + 1 WHERE id = ${order.id}`),
    ).rejects.toMatchObject({ cause: { message: 'the terms of an order never change' } })
})

it('gives two orders of one member tags that differ', async () => {
  const { member, order } = await place()
  const { body: other } = await member.post<Order>('/orders', orderRequest(venue))
  const tags = [order, other].map(({ receipt }) => parseSignedReceipt(receipt ?? '')?.receipt.account)
  expect(tags[0]).not.toBe(tags[1])
  const wrong = { memberId: 'another', salt: order.receiptSalt ?? '' }
  expect(await checkReceipt(order.receipt, order, { keys: [], account: wrong })).toEqual({
    ok: false,
    why: 'account',
  })
})

it('has no receipt for an order from before there were any', async () => {
  const { order } = await place()
  const [row] = await venue.db.select().from(orders).where(eq(orders.id, order.id))
  if (!row) throw new Error('no row')
  const receipts = createReceipts({ publicLog: venue.modules.publicLog, secrets: venue.secrets })
  const { receipt: _receipt, receiptSalt: _salt, ...plain } = order
  const before = { ...row, headSeq: null, headHash: null, logOrigin: null }
  expect(await receipts.signStored(before, plain)).toEqual(plain)
  expect(fieldsNotSigned(parseSignedReceipt(order.receipt ?? '')!.receipt, plain)).toEqual([])
})

it('signs an order again with the key that its log’s name had, or not at all', async () => {
  const { market, clock } = venue
  const again = async (logKey: Uint8Array) => {
    await venue.close()
    await forgetLogKey(venue.db)
    venue = await openTestVenue(venue.database, { market, clock, secrets: { ...venue.secrets, logKey } })
  }
  const { logKey } = venue.secrets
  const { member, request, key, order } = await place()
  const read = async (by: MemberClient) => (await by.get<Order>(`/orders/${order.id}`)).body
  // Another name, the same key.
  await again(logKey)
  let own = venue.clientOf(member)
  expect(textOf((await read(own)).receipt)).toBe(textOf(order.receipt))
  const second = await place()
  await again(venue.random.bytes(32))
  own = venue.clientOf(member)
  expect(await read(own)).not.toHaveProperty('receipt')
  expect((await own.post<Order>('/orders', request, key)).body).not.toHaveProperty('receipt')
  const { body: third } = await own.post<Order>('/orders', orderRequest(venue))
  expect(parseSignedReceipt(third.receipt ?? '')).not.toBeNull()
  expect(
    await checkReceipt(third.receipt, third, { keys: [{ key: await logKeyOf(), from: 'venue' }] }),
  ).toMatchObject({
    ok: true,
    signed: 'venue',
  })
  // The first key is there again.
  await again(logKey)
  expect(textOf((await read(venue.clientOf(member))).receipt)).toBe(textOf(order.receipt))
  const { body } = await venue.clientOf(second.member).get<Order>(`/orders/${second.order.id}`)
  expect(textOf(body.receipt)).toBe(textOf(second.order.receipt))
})

postgres.describe('on PostgreSQL', () => {
  it('a receipt states the row, and is the same in every answer', async () => {
    const own = await withVenue({ database: postgres.database() })
    await own.clock.advance(60_000)
    tickOnce(own)
    const member = await own.createMember()
    const [request, key] = [orderRequest(own), own.random.uuid()]
    const { body: order, text } = await member.post<Order>('/orders', request, key)
    const [row] = await own.db.select().from(orders).where(eq(orders.id, order.id))
    const { head } = parseSignedReceipt(order.receipt ?? '')!.receipt
    expect(head).toEqual({ seq: row?.headSeq, hash: Buffer.from(row?.headHash ?? []).toString('hex') })
    expect(withoutBatch((await member.post<Order>('/orders', request, key)).text)).toBe(withoutBatch(text))
    expect(textOf((await member.get<Order>(`/orders/${order.id}`)).body.receipt)).toBe(textOf(order.receipt))
  })
})
