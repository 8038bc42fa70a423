import type { Order } from '../../../contract/orders.ts'
import type { FuzzPool } from './fuzzPool.ts'
import type { MemberClient, Reply } from '../../support/apiCalls.ts'
import { transactionPassword } from '../../support/testMembers.ts'
import type { TickingVenue } from '../../support/tickingVenue.ts'

export type FuzzMember = MemberClient & { account: string; phone: string }

const bank = {
  type: 'bank',
  accountName: 'Ann Lee',
  nationality: 'CN',
  bank: 'First Bank',
  cardNumber: '6222021234567890',
  accountAddress: 'Shanghai',
  transactionPassword,
}

/** The share of members with a settled order, which takes a minute of market time. */
const settledShare = 0.15

/**
 * Creates a member and adds their ids to the pool. Most have one of everything; a third have nothing yet, so that
 * requests that succeed only once can still succeed.
 * @param chance from 0 to 1: selects which of these it is
 */
export async function prepareMember(
  venue: TickingVenue,
  pool: FuzzPool,
  chance: number,
): Promise<FuzzMember> {
  const member = await venue.registerMember()
  for (const noun of ['members', 'service', 'verifications', 'withdrawal-accounts'])
    pool.add(noun, 'id', member.id)
  pool.add('messages', 'to', member.account)
  pool.add('messages', 'to', 'all')
  pool.add('orders', 'to', String(venue.clock.now()))
  pool.add('password-requests', 'id', member.id)
  pool.add('verification', 'frontUploadId', await venue.upload(member, 'id_front'))
  pool.add('verification', 'backUploadId', await venue.upload(member, 'id_back'))
  const picture = await venue.upload(member, 'service')
  pool.add('uploads', 'id', picture)
  pool.add('service', 'uploadId', picture)
  pool.add('deposits', 'proofUploadId', await venue.upload(member, 'deposit_proof'))
  if (chance < 1 / 3) return member

  const addIds = (noun: string, reply: Reply): void => {
    if (reply.status !== 201) throw new Error(reply.text)
    pool.addFromAnswer(noun, reply.text)
  }
  // What the fuzzer did as the office must not block the next member.
  await venue.office('POST', '/site/open')
  await venue.office('POST', '/products/BTCUSDT/open')
  addIds('fund', await member.post('/fund/deposits', { amount: '20.00' }))
  addIds('service', await member.send('POST', '/service/messages', { body: 'Hello' }))
  addIds('withdrawal-accounts', await member.send('POST', '/withdrawal-account', bank))
  await venue.submitVerification(member)
  await venue.office('POST', `/verifications/${member.id}/approve`)
  addIds('withdrawals', await member.post('/withdrawals', { amount: '20.00', transactionPassword }))
  addIds('orders', await member.post<Order>('/orders', orderRequest(venue)))
  if (chance > 1 - settledShare) await venue.clock.advance(66_000)
  return member
}

const orderRequest = (venue: TickingVenue) => ({
  productId: 'BTCUSDT',
  direction: 'up',
  amount: '10.00',
  seconds: 60,
  rateBp: 8500,
  validUntil: venue.clock.now() + 20_000,
})
