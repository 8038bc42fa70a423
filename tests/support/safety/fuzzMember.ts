import type { Order } from '../../../contract/orders.ts'
import type { DeskHouse } from '../deskHouse.ts'
import { transactionPassword } from '../deskHouse.ts'
import type { Guest, Reply } from '../house.ts'
import type { Pool } from './fuzzPool.ts'

export type Person = Guest & { account: string; phone: string }

const bank = {
  type: 'bank',
  accountName: 'Ann Lee',
  nationality: 'CN',
  bank: 'First Bank',
  cardNumber: '6222021234567890',
  accountAddress: 'Shanghai',
}

/** Some have an order that is settled, which takes a minute of the market's time. */
const settledShare = 0.15

/**
 * A new member, and ids of theirs in the pool. Most have one of everything; a third have nothing yet, so that what is
 * done once only can still be done.
 * @param chance from 0 to 1: which of these it is
 */
export async function prepareMember(house: DeskHouse, pool: Pool, chance: number): Promise<Person> {
  const member = await house.enrol()
  for (const noun of ['members', 'service', 'verifications', 'withdrawal-accounts'])
    pool.note(noun, 'id', member.id)
  pool.note('messages', 'to', member.account)
  pool.note('messages', 'to', 'all')
  pool.note('orders', 'to', String(house.clock.now()))
  pool.note('password-requests', 'id', member.id)
  pool.note('verification', 'frontUploadId', await house.upload(member, 'id_front'))
  pool.note('verification', 'backUploadId', await house.upload(member, 'id_back'))
  const picture = await house.upload(member, 'service')
  pool.note('uploads', 'id', picture)
  pool.note('service', 'uploadId', picture)
  pool.note('deposits', 'proofUploadId', await house.upload(member, 'deposit_proof'))
  if (chance < 1 / 3) return member

  const keep = (noun: string, reply: Reply): void => {
    if (reply.status !== 201) throw new Error(reply.text)
    pool.remember(noun, reply.text)
  }
  // What the fuzz did as the desk must not bar the next member.
  await house.desk('POST', '/site/open')
  await house.desk('POST', '/products/BTCUSDT/open')
  keep('fund', await member.post('/fund/deposits', { amount: '20.00' }))
  keep('service', await member.send('POST', '/service/messages', { body: 'Hello' }))
  keep('withdrawal-accounts', await member.send('POST', '/withdrawal-account', bank))
  await house.submit(member)
  await house.desk('POST', `/verifications/${member.id}/approve`)
  keep('withdrawals', await member.post('/withdrawals', { amount: '20.00', transactionPassword }))
  keep('orders', await member.post<Order>('/orders', orderOf(house)))
  if (chance > 1 - settledShare) await house.clock.advance(66_000)
  return member
}

const orderOf = (house: DeskHouse) => ({
  productId: 'BTCUSDT',
  direction: 'up',
  amount: '10.00',
  seconds: 60,
  rateBp: 8500,
  validUntil: house.clock.now() + 20_000,
})
