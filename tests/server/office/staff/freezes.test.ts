import { beforeAll, expect, it } from 'vitest'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import type { WaitingAct } from '../../../../contract/office/fourEyes.ts'
import type { Freeze } from '../../../../contract/office/freeze.ts'
import { routes } from '../../../../contract/routes.ts'
import type { Route } from '../../../../contract/route.ts'
import type { Message } from '../../../../contract/content.ts'
import type { StatusReport } from '../../../../contract/status.ts'
import { dayMs } from '../../../../contract/time.ts'
import type { Withdrawal } from '../../../../contract/withdrawals.ts'
import { call, type ListAnswer } from '../../../support/apiCalls.ts'
import { bankAccount } from '../../../support/payments.ts'
import { countLockWaits, withPostgres } from '../../../support/postgres.ts'
import { orderRequest, tickOnce } from '../../../support/orders.ts'
import { createStaff, type StaffClient } from '../../../support/staffClient.ts'
import { transactionPassword } from '../../../support/testMembers.ts'
import { withVenue } from '../../../support/withVenue.ts'

let ann: StaffClient
let ben: StaffClient
const venue = await withVenue({ asRoles: true })
beforeAll(async () => {
  await staff()
})
const staff = async () => {
  ;[ann, ben] = [await createStaff(venue, 'compliance'), await createStaff(venue, 'compliance')]
}

type Answer = { freeze: Freeze | null; proposal: object | null }
const freezeBy = (who: StaffClient, id: string, body: object = { reason: 'theft_reported' }) =>
  who.post<Answer>(`/members/${id}/freeze`, body)
/** Two persons freeze an account. */
const freeze = async (id: string, body?: object) => {
  expect((await freezeBy(ann, id, body)).body).toMatchObject({ freeze: null, proposal: { status: 'open' } })
  await ben.get(`/members/${id}/facts`)
  return freezeBy(ben, id, body)
}

it('two persons freeze an account for 14 days; the member gets a message, and the sessions end once', async () => {
  const member = await venue.createMember()
  const { body } = await freeze(member.id)
  expect(officeRoutes.members.freeze.answer.parse(body)).toEqual(body)
  const until = venue.clock.now() + 14 * dayMs
  expect(body.freeze).toMatchObject({ memberId: member.id, reason: 'theft_reported', until, renewals: 0 })
  expect((await member.get('/me')).status).toBe(401)
  const again = await venue.openSession(member.id)
  expect((await again.get('/me')).status).toBe(200)
  const { body: messages } = await again.get<ListAnswer<Message>>('/messages')
  expect(messages.items[0]).toMatchObject({
    key: 'accountFrozen',
    params: { reason: 'theft_reported', until: String(until) },
  })
  expect((await freezeBy(ann, member.id)).code).toBe('CONFLICT')
})

it('the record shows what is proposed about the account, by whom, until it is decided', async () => {
  const member = await venue.registerMember()
  await member.send('POST', '/withdrawal-account', bankAccount)
  const record = async () => {
    const { body } = await ben.get<{ takesTwo: boolean; proposals: WaitingAct[] }>(`/members/${member.id}`)
    expect(officeRoutes.members.show.answer.parse(body)).toEqual(body)
    return body
  }
  expect(await record()).toMatchObject({ takesTwo: true, proposals: [] })
  await freezeBy(ann, member.id)
  await ann.post(`/withdrawal-accounts/${member.id}/unbind`)
  const how = { proposedBy: ann.staff.name, proposedAt: venue.clock.now() }
  const { proposals } = await record()
  expect(proposals).toHaveLength(2)
  for (const act of ['members.freeze', 'withdrawal-accounts.unbind'])
    expect(proposals).toContainEqual(expect.objectContaining({ act, ...how }))
  const { id } = proposals.find(({ act }) => act === 'members.freeze')!
  await ben.post(`/proposals/${id}/decline`, { reason: 'A joke' })
  expect((await record()).proposals).toMatchObject([{ act: 'withdrawal-accounts.unbind' }])
})

it('a frozen member reads everything and changes nothing; the calls of the contract say which', async () => {
  const member = await venue.createVerifiedMember()
  const place = () => member.post<Withdrawal>('/withdrawals', { amount: '10.00', transactionPassword })
  const [placed, approved] = [await place(), await place()]
  await venue.withdrawals.office.approve(approved.body.id, 'x')
  const until = (await freeze(member.id, { reason: 'death' })).body.freeze!.until
  const own = await venue.openSession(member.id)
  const refused = Object.values(routes as Record<string, Route>).filter(({ unlessFrozen }) => unlessFrozen)
  expect(refused.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      '/orders',
      '/deposits',
      '/withdrawals',
      '/withdrawal-account',
      '/fund/deposits',
      '/fund/withdrawals',
    ]),
  )
  for (const { method, path } of refused) {
    const answer = method === 'POST' ? await own.post(path, {}) : await own.send(method, path, {})
    expect([path, answer.status, answer.code, answer.params]).toEqual([
      path,
      423,
      'ACCOUNT_FROZEN',
      { until },
    ])
  }
  expect((await own.get('/withdrawals')).status).toBe(200)
  const finance = await createStaff(venue, 'finance')
  await finance.get(`/withdrawals/${placed.body.id}`)
  expect((await finance.post(`/withdrawals/${placed.body.id}/approve`)).code).toBe('ACCOUNT_FROZEN')
  const pay = () => finance.post(`/withdrawals/${approved.body.id}/pay`, { reference: 'B' })
  expect((await pay()).code).toBe('ACCOUNT_FROZEN')
  expect((await ann.post<Answer>(`/members/${member.id}/unfreeze`)).body.freeze).toMatchObject({
    endedBy: ann.staff.name,
  })
  await finance.get(`/withdrawals/${approved.body.id}`)
  expect((await pay()).status).toBe(200)
  expect((await own.get<ListAnswer<Message>>('/messages')).body.items.map(({ key }) => key)).toContain(
    'accountUnfrozen',
  )
  expect((await ann.post(`/members/${member.id}/unfreeze`)).status).toBe(404)
})

it('a freeze that the member must not know of sends no message', async () => {
  const member = await venue.createMember()
  const how = { reason: 'order_of_authority', tellMember: false }
  await freeze(member.id, how)
  const own = await venue.openSession(member.id)
  expect((await own.get<ListAnswer<Message>>('/messages')).body.items).toEqual([])
  expect((await own.post('/withdrawals', {})).code).toBe('ACCOUNT_FROZEN')
})

it('the public status counts frozen accounts by reason', async () => {
  await venue.clock.advance(11_000)
  const { body } = await call<StatusReport>(venue.app, 'GET', '/status')
  expect(body.frozen).toEqual({ theft_reported: 1, death: 0, order_of_authority: 1 })
})

it('a frozen member gets the answers again that were given before, and nothing new', async () => {
  await venue.clock.advance(60_000)
  tickOnce(venue)
  const member = await venue.createVerifiedMember()
  const calls = [
    ['/orders', orderRequest(venue)],
    ['/withdrawals', { amount: '10.00', transactionPassword }],
  ] as const
  const first = []
  for (const [path, body] of calls) {
    const key = venue.random.uuid()
    first.push({ path, body, key, answer: await member.post(path, body, key) })
  }
  expect(first.map(({ answer }) => answer.status)).toEqual([201, 201])
  await freeze(member.id)
  const own = await venue.openSession(member.id)
  for (const { path, body, key, answer } of first) {
    const again = await own.post(path, body, key)
    expect([path, again.status, again.replayed, again.text]).toEqual([path, 201, true, answer.text])
    expect(await own.post(path, { ...body, amount: '11.00' }, key)).toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
    })
    expect(await own.post(path, body)).toMatchObject({ status: 423, code: 'ACCOUNT_FROZEN' })
  }
})

it('a freeze ends by itself, is renewed by two persons, and is never longer in the database', async () => {
  const member = await venue.createMember()
  await freeze(member.id)
  venue.clock.leap(13 * dayMs)
  await staff()
  const renew = (who: StaffClient) => who.post<Answer>(`/members/${member.id}/renew-freeze`)
  expect((await renew(ann)).body.proposal).not.toBeNull()
  expect((await renew(ann)).code).toBe('SECOND_PERSON')
  const until = venue.clock.now() + 14 * dayMs
  await ben.get(`/members/${member.id}/facts`)
  expect((await renew(ben)).body.freeze).toMatchObject({ renewals: 1, until })
  const own = await venue.openSession(member.id)
  expect((await own.post('/withdrawals', {})).params).toEqual({ until })
  const write = (set: string) =>
    venue.database.pool.query(`UPDATE member_freeze SET ${set} WHERE member_id = '${member.id}'`)
  await expect(write('until_at = until_at + 1')).rejects.toMatchObject({ code: '23001' })
  await expect(write(`renewals = renewals + 1, until_at = until_at + ${30 * dayMs}`)).rejects.toMatchObject({
    code: '23514',
  })
  await expect(write(`reason = 'death'`)).rejects.toMatchObject({ code: '23001' })
  venue.clock.leap(14 * dayMs)
  const later = await venue.openSession(member.id)
  expect((await later.post('/withdrawals', {})).code).not.toBe('ACCOUNT_FROZEN')
  await staff()
  expect((await freeze(member.id)).body.freeze).toMatchObject({ renewals: 0 })
})

it('nobody freezes for another reason', async () => {
  const member = await venue.createMember()
  expect((await freezeBy(ann, member.id, { reason: 'won too much' })).status).toBe(400)
})

const postgres = await withPostgres('freezes')
postgres.describe('a freeze and a payment at the same moment', () => {
  it.each(['approve', 'pay', 'approve and pay with the key'] as const)(
    '%s waits for the freeze, and is refused',
    async (act) => {
      const own = await withVenue({ database: postgres.database() })
      const member = await own.createVerifiedMember()
      const placed = await member.post<Withdrawal>('/withdrawals', {
        amount: '10.00',
        transactionPassword,
      })
      const { id } = placed.body
      if (act === 'pay') await own.withdrawals.office.approve(id, 'x')
      const finance = await createStaff(own, 'finance')
      await finance.get(`/withdrawals/${id}`)
      const send = () => {
        if (act === 'pay') return finance.post(`/withdrawals/${id}/pay`, { reference: 'B' })
        return act === 'approve'
          ? finance.post(`/withdrawals/${id}/approve`)
          : own.office('POST', `/withdrawals/${id}/approve`)
      }
      let sent: ReturnType<typeof send> | undefined
      await own.freezes.freeze(member.id, { reason: 'theft_reported', tellMember: true }, 'ann', async () => {
        sent = send()
        await expect.poll(() => countLockWaits(own.database)).toBe(1)
      })
      expect((await sent)?.code).toBe('ACCOUNT_FROZEN')
      expect(await own.withdrawals.office.show(id)).toMatchObject({ status: 'under_review' })
    },
  )
})
