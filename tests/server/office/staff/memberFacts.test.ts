import { beforeAll, expect, it } from 'vitest'
import type { Deposit } from '../../../../contract/deposits.ts'
import type { MemberFacts } from '../../../../contract/office/memberFacts.ts'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import { hourMs } from '../../../../contract/time.ts'
import { call, type MemberClient } from '../../../support/apiCalls.ts'
import { bankAccount } from '../../../support/payments.ts'
import { createStaff } from '../../../support/staffClient.ts'
import { loginPassword, transactionPassword } from '../../../support/testMembers.ts'
import { withVenue } from '../../../support/withVenue.ts'

type Member = MemberClient & { account: string; phone: string }
let member: Member
let other: Member
const venue = await withVenue({ settings: { withdrawalRestMs: 48 * hourMs } })
const { clock, sessions } = venue
beforeAll(async () => {
  member = await venue.registerMember()
  other = await venue.registerMember()
})

/** Time, after which everybody logs in again. */
const pass = async (ms: number) => {
  await clock.jumpBy(ms)
  for (const one of [member, other]) Object.assign(one, await venue.openSession(one.id))
}
const factsOf = async ({ id }: MemberClient): Promise<MemberFacts> => {
  const { body } = await venue.office<MemberFacts>('GET', `/members/${id}/facts`)
  expect(officeRoutes.members.facts.answer.parse(body)).toEqual(body)
  return body
}
it('a new member has no changes, pauses or duplicates, and each look is a row of the act log', async () => {
  const facts = await factsOf(member)
  expect(facts).toMatchObject({
    account: member.account,
    phone: member.phone,
    verifiedName: null,
    deposited: { count: 0, amount: '0.00' },
    awaiting: { count: 0, amount: '0.00' },
    withdrawn: { count: 0, amount: '0.00' },
    owed: { count: 0, amount: '0.00' },
    lastPaidAt: null,
    boundAt: null,
    changes: [],
    frozen: null,
    proposals: [],
    restsUntil: null,
    excludedUntil: null,
    sameCard: [],
    sameDevice: [],
    latestNote: null,
    noteCount: 0,
    writesIn: null,
    verification: 'none',
    waiting: [],
    recent: [],
  })
  const { rows } = await venue.database.pool.query(
    'SELECT actor, act, subject_kind, member_id FROM audit ORDER BY id DESC LIMIT 1',
  )
  expect(rows).toEqual([{ actor: 'mei', act: 'view', subject_kind: 'facts', member_id: member.id }])
})

it('has the latest note of the staff, and how many there are', async () => {
  const sue = await createStaff(venue, 'support')
  for (const body of ['Called', 'Do not approve'])
    expect((await sue.post(`/members/${other.id}/notes`, { body })).status).toBe(201)
  const { latestNote, noteCount } = await factsOf(other)
  expect(latestNote).toMatchObject({ by: sue.staff.name, body: 'Do not approve', at: clock.now() })
  expect(noteCount).toBe(2)
})

it('has the language that the script of the newest words gives away, also beside the record', async () => {
  const write = async (body: string) =>
    expect((await member.post('/service/messages', { body })).status).toBe(201)
  await write('我的充值还没到账')
  expect((await factsOf(member)).writesIn).toBe('zh-CN')
  await write('ฝากเงินไม่เข้า')
  expect((await factsOf(member)).writesIn).toBe('th')
  const { body } = await venue.office('GET', `/members/${member.id}`)
  expect(body).toMatchObject({ writesIn: 'th' })
  await write('Hello?')
  expect((await factsOf(member)).writesIn).toBeNull()
})

it('the first account is no change; another one is, and so is a new password', async () => {
  await member.send('POST', '/withdrawal-account', bankAccount)
  const bound = await factsOf(member)
  expect(bound).toMatchObject({ boundAt: clock.now(), changes: [] })
  expect(bound.restsUntil).toBeGreaterThan(clock.now())

  await pass(60 * hourMs)
  expect((await factsOf(member)).restsUntil).toBe(null)
  await venue.office('POST', `/withdrawal-accounts/${member.id}/unbind`, { body: {} })
  await pass(hourMs)
  await member.send('POST', '/withdrawal-account', bankAccount)
  expect((await factsOf(member)).changes).toEqual([{ what: 'withdrawal_account', at: clock.now() }])

  await pass(hourMs)
  await member.send('POST', '/auth/password-requests', {
    kind: 'transaction',
    oldPassword: transactionPassword,
    newPassword: '730518',
    confirmPassword: '730518',
  })
  const listed = await venue.office<{ items: { id: string }[] }>('GET', '/password-requests')
  for (const { id } of listed.body.items)
    await venue.office('POST', `/password-requests/${id}/approve`, { body: {} })
  expect((await factsOf(member)).changes.map(({ what }) => what)).toEqual([
    'transaction_password',
    'withdrawal_account',
  ])
})

it('a log-in on another device than the first is a change, and a shared address of the internet a duplicate', async () => {
  const local = { device: 'Chrome', ip: '192.168.0.7' }
  await sessions.open(member.id, local)
  await sessions.open(other.id, local)
  expect((await factsOf(member)).sameDevice).toEqual([])
  const remote = { device: 'Chrome', ip: '203.0.113.7' }
  await sessions.open(member.id, remote)
  await sessions.open(other.id, { ...remote, device: 'Safari' })
  expect((await factsOf(member)).sameDevice).toEqual([])
  await sessions.open(other.id, remote)
  expect((await factsOf(member)).sameDevice).toEqual([{ id: other.id, account: other.account, name: null }])
  const body = { account: member.account, password: loginPassword }
  expect((await call(venue.app, 'POST', '/auth/login', { body })).status).toBe(200)
  expect((await factsOf(member)).changes[0]).toEqual({ what: 'new_device', at: clock.now() })
})

it('the same card at another member is named, however it is typed; the same name alone is not', async () => {
  const { cardNumber } = bankAccount
  await other.send('POST', '/withdrawal-account', { ...bankAccount, cardNumber: '6217 0000 1111 2222' })
  expect((await factsOf(member)).sameCard).toEqual([])
  await venue.office('POST', `/withdrawal-accounts/${other.id}/unbind`, { body: {} })
  const typed = cardNumber.replaceAll(' ', '')
  await other.send('POST', '/withdrawal-account', { ...bankAccount, accountName: 'Other', cardNumber: typed })
  expect((await factsOf(member)).sameCard).toEqual([{ id: other.id, account: other.account, name: null }])
})

it('sums are of what was credited, paid and is asked for; a request has the sum of its day', async () => {
  await pass(60 * hourMs)
  await venue.submitVerification(member)
  await venue.office('POST', `/verifications/${member.id}/approve`, { body: {} })
  await member.post('/deposits', { methodId: 'practice', amount: '500.00' })
  await pass(hourMs)
  const secret = { transactionPassword: '730518' }
  const ask = async (amount: string) => {
    await clock.jumpBy(1)
    return (await member.post<{ id: string }>('/withdrawals', { amount, ...secret })).body.id
  }
  const paid = await ask('40.00')
  await venue.office('POST', `/withdrawals/${paid}/approve`, { body: {} })
  await pass(25 * hourMs)
  const open = await ask('30.00')
  const refused = await ask('20.00')
  await venue.office('POST', `/withdrawals/${refused}/reject`, { body: { reason: 'No' } })
  await pass(hourMs)
  await ask('10.00')
  const facts = await factsOf(member)
  expect(facts).toMatchObject({
    verifiedName: '王小明',
    deposited: { count: 1, amount: '500.00' },
    withdrawn: { count: 1, amount: '40.00' },
    owed: { count: 2, amount: '40.00' },
  })
  expect(facts.recent.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['withdrawal', '10.00'],
    ['withdrawal', '20.00'],
    ['withdrawal', '30.00'],
    ['withdrawal', '40.00'],
    ['deposit', '500.00'],
  ])
  expect(facts.lastPaidAt).toBeLessThan(clock.now() - 24 * hourMs)
  const shown = await venue.office<{ inDay: unknown }>('GET', `/withdrawals/${open}`)
  expect(shown.body.inDay).toEqual({ count: 2, amount: '40.00' })
})

it('a document that another member was verified with is named', async () => {
  const compliance = await createStaff(venue, 'compliance')
  await venue.submitVerification(other)
  const { body } = await compliance.get<{ sameNumber: unknown }>(`/verifications/${other.id}`)
  expect(body.sameNumber).toEqual([{ id: member.id, account: member.account, name: '王小明' }])
})

it('has what waits, of what the role may list', async () => {
  const own = await venue.registerMember()
  await venue.submitVerification(own)
  await clock.jumpBy(1)
  const { body: deposit } = await own.post<Deposit>('/deposits', {
    methodId: 'practice-review',
    amount: '5.00',
  })
  const { verification, waiting } = await factsOf(own)
  expect(verification).toBe('under_review')
  expect(waiting.map(({ queue, no }) => [queue, no])).toEqual([
    ['verifications', null],
    ['deposits', deposit.no],
  ])
  await own.send('POST', '/auth/password-requests', {
    kind: 'transaction',
    oldPassword: transactionPassword,
    newPassword: '730518',
    confirmPassword: '730518',
  })
  const queuesFor = async (role: 'support' | 'finance') =>
    (await (await createStaff(venue, role)).get<MemberFacts>(`/members/${own.id}/facts`)).body.waiting
      .map(({ queue }) => queue)
      .toSorted()
  expect(await queuesFor('finance')).toEqual(['deposits', 'verifications'])
  expect(await queuesFor('support')).toEqual(['deposits', 'password-requests', 'verifications'])
})
