import { strFromU8, unzipSync } from 'fflate'
import { afterAll, expect, it } from 'vitest'
import { minor } from '../../../../contract/units.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { placeOrder, tickOnce } from '../../../support/orders.ts'
import { addPasskey, addTotp } from '../../../support/passkeys.ts'
import { bankAccount, bankDetails, transactionPassword } from '../../../support/payments.ts'
import { loginPassword } from '../../../support/testMembers.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue({ asRoles: true, settings: { rateLimits: true } })
const { database } = venue
afterAll(async () => {
  expect(venue.reportedErrors).toEqual([])
})

const lists = [
  'orders',
  'ledger',
  'fund-record',
  'fund-earnings',
  'deposits',
  'withdrawals',
  'price-alerts',
  'messages',
  'customer-service',
  'logins',
  'devices',
  'passkeys',
]
const download = (member: Pick<MemberClient, 'sid'>) =>
  venue.app.inject({ method: 'GET', url: '/api/me/export', headers: { cookie: `sid=${member.sid}` } })
async function archiveOf(member: Pick<MemberClient, 'sid'>): Promise<Record<string, string>> {
  const answer = await download(member)
  expect(answer.statusCode).toBe(200)
  const files = unzipSync(new Uint8Array(answer.rawPayload))
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]))
}
const rowsOf = (files: Record<string, string>, name: string) =>
  JSON.parse(files[`${name}.json`]!) as Record<string, unknown>[]

/** A member with something in every list. */
async function busyMember() {
  const member = await venue.registerMember()
  await member.send('PATCH', '/me', {
    nickname: 'Canary Nick',
    contactEmail: 'canary@example.org',
    password: loginPassword,
  })
  await addPasskey(member, { name: 'Canary phone' })
  await addTotp(member, venue.clock.now())
  await member.send('POST', '/withdrawal-account', bankAccount)
  await venue.submitVerification(member)
  await venue.verifications.office.approve(member.id, 'mei')
  tickOnce(venue)
  await placeOrder(venue, member)
  await member.post('/fund/deposits', { amount: '25.00' })
  await member.post('/deposits', { methodId: 'practice', amount: '50.00' })
  await member.post('/withdrawals', { amount: '20.00', transactionPassword })
  await member.post('/price-alerts', { productId: 'TEST', kind: 'below', price: '95.00' })
  await member.send('POST', '/service/messages', { body: '=Canary question' })
  return member
}

it('has all that a member sees, as JSON and as CSV, and only that member’s', async () => {
  const member = await busyMember()
  const other = await busyMember()
  const files = await archiveOf(member)
  const names = ['profile', ...lists].flatMap((name) => [`${name}.json`, `${name}.csv`])
  expect(Object.keys(files).toSorted()).toEqual(names.toSorted())
  expect(JSON.parse(files['profile.json']!)).toMatchObject({
    account: member.account,
    nickname: 'Canary Nick',
    contactEmail: 'canary@example.org',
    verification: 'verified',
    held: '20.00',
    recoveryCodesLeft: 10,
    limits: { maxStake: null },
  })
  expect(files['profile.csv']).toContain('"nickname","Canary Nick"\r\n')
  expect(rowsOf(files, 'orders')).toMatchObject([{ productId: 'TEST', amount: '10.00', seconds: 30 }])
  expect(rowsOf(files, 'ledger').map(({ type }) => type)).toEqual([
    'withdrawal_hold',
    'deposit',
    'fund_in',
    'stake',
    'grant',
  ])
  const [hold, deposited, fundIn, stake] = rowsOf(files, 'ledger')
  expect([hold?.['held'], fundIn?.['fund'], stake?.['productId']]).toEqual(['20.00', '25.00', 'TEST'])
  expect([hold?.['no'], deposited?.['no'], stake?.['no']]).not.toContain(null)
  expect(rowsOf(files, 'price-alerts')).toMatchObject([{ productId: 'TEST', kind: 'below', price: '95.00' }])
  expect(rowsOf(files, 'passkeys')).toMatchObject([{ name: 'Canary phone', lastUsedAt: null }])
  expect(rowsOf(files, 'logins')).toMatchObject([{ method: 'password', result: 'succeeded' }])
  expect(files['customer-service.csv']).toContain('"\'=Canary question"')
  for (const name of ['fund-record', 'deposits', 'withdrawals', 'messages', 'devices'])
    expect(rowsOf(files, name), name).not.toEqual([])
  expect(JSON.stringify(files)).not.toContain(other.account)
})

it('has no hash, no sealed or masked value, no id', async () => {
  const member = await busyMember()
  const text = JSON.stringify(await archiveOf(member))
  const { rows } = await database.pool.query(
    `SELECT m.id AS member, password_hash, transaction_password_hash, phone_hash, credential_id, o.id AS order, key,
       (SELECT max(id) FROM session s WHERE s.member_id = m.id) AS session
     FROM member m JOIN orders o ON o.member_id = m.id JOIN member_passkey ON owner_id = m.id WHERE m.id = $1`,
    [member.id],
  )
  for (const value of Object.values(rows[0] as Record<string, string>)) expect(text).not.toContain(value)
  for (const secret of [member.phone, bankDetails.cardNumber, '110101199003074610', '王小明', member.token])
    expect(text).not.toContain(secret)
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/)
})

it('is not stored on its way, needs a session, and marks nothing as read', async () => {
  const member = await venue.createMember()
  const answer = await download(member)
  expect(answer.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="my-data.zip"',
  })
  expect((await download({ sid: 'none' })).statusCode).toBe(401)
  await member.send('POST', '/service/messages', { body: 'hello' })
  await venue.service.office.reply(member.id, { body: 'hello too' }, 'mei')
  await archiveOf(member)
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS read FROM service_message WHERE member_id = $1 AND sender = 'desk' AND read_at IS NOT NULL`,
    [member.id],
  )
  expect(rows).toEqual([{ read: 0 }])
})

it('reads long lists page by page, each row once', async () => {
  const member = await venue.createMember(minor(1_000_000))
  await database.db.transaction(async (tx) => {
    for (let round = 0; round < 250; round += 1) {
      const legs = { available: minor(1), external: minor(-1) }
      await venue.ledger.post(tx, { memberId: member.id, type: 'deposit', legs })
    }
  })
  const files = await archiveOf(member)
  const balances = rowsOf(files, 'ledger').map(({ balanceAfter }) => Number(balanceAfter))
  expect(balances).toHaveLength(251)
  expect(balances).toEqual(balances.toSorted((a, b) => b - a))
  expect(files['ledger.csv']!.trim().split('\r\n')).toHaveLength(252)
})

it('is rate limited by member', async () => {
  const member = await venue.createMember()
  for (let round = 0; round < 5; round += 1) expect((await download(member)).statusCode).toBe(200)
  const refused = await download(member)
  expect([refused.statusCode, refused.json<{ error: { code: string } }>().error.code]).toEqual([
    429,
    'RATE_LIMITED',
  ])
  expect((await download(await venue.createMember())).statusCode).toBe(200)
})
