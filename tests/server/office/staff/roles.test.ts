import { beforeAll, describe, expect, it } from 'vitest'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import { callRoles, callsOf, type OfficeCallName } from '../../../../contract/office/roles.ts'
import { staffRoles, type StaffRole } from '../../../../contract/office/staff.ts'
import type { Route } from '../../../../contract/route.ts'
import { createStaff, openOfficeCall, type StaffClient } from '../../../support/staffClient.ts'
import { withVenue } from '../../../support/withVenue.ts'

const clients = new Map<StaffRole, StaffClient>()
const venue = await withVenue({ ticking: true })
beforeAll(async () => {
  for (const role of staffRoles) clients.set(role, await createStaff(venue, role))
})

const calls = Object.entries(officeRoutes).flatMap(([noun, verbs]) =>
  Object.entries(verbs as Record<string, Route>).map(([verb, route]) => ({
    name: `${noun}.${verb}` as OfficeCallName,
    route,
  })),
)
const combinations = staffRoles.flatMap((role) => calls.map((call) => ({ role, ...call })))

/** What no call of the office may be named after, for any role. */
const forbidden = /tick|price|result|settle|rate|balance|order.*(move|edit|set)|payee|pay-to/i

it('the table of roles is that of the calls, and every call has a role', () => {
  expect(Object.keys(callRoles).sort()).toEqual(calls.map(({ name }) => name).sort())
  for (const { name } of calls) expect(callRoles[name].length, name).toBeGreaterThan(0)
})

it('no call writes a tick, a result, a rate, a balance or a payee', () => {
  for (const { name, route } of calls) {
    if (route.method === 'GET') continue
    expect(name).not.toMatch(forbidden)
    const fields = Object.keys((route.body as { shape?: object } | undefined)?.shape ?? {})
    expect(
      fields.filter((field) => forbidden.test(field) || field === 'amount' || field === 'status'),
    ).toEqual([])
  }
})

it('decisions about money, persons and the staff are in different hands', () => {
  const both = (a: OfficeCallName, b: OfficeCallName) =>
    callRoles[a].filter((role) => callRoles[b].includes(role))
  expect(both('deposits.approve', 'verifications.approve')).toEqual([])
  expect(both('withdrawals.approve', 'verifications.approve')).toEqual([])
  expect(both('withdrawals.approve', 'withdrawal-accounts.unbind')).toEqual([])
  expect(both('withdrawals.approve', 'staff.create')).toEqual([])
  expect(both('withdrawals.approve', 'password-requests.approve')).toEqual([])
})

describe('each role and each call', () => {
  it('are tried: what is outside the role is refused before anything is read, and changes nothing', async () => {
    expect(combinations.length).toBeGreaterThanOrEqual(200)
    const rows = async () =>
      (await venue.database.pool.query(`SELECT count(*) FROM audit WHERE act <> 'refused'`)).rows[0]
    const before = await rows()
    const beyond: string[] = []
    for (const { role, name, route } of combinations) {
      if (callRoles[name].includes(role)) continue
      const answer = await clients
        .get(role)!
        .call(route.method, route.path.replace(':id', 'none'), route.method === 'GET' ? {} : { body: {} })
      if (answer.status !== 403 || answer.code !== 'FORBIDDEN')
        beyond.push(`${role} ${name}: ${answer.status}`)
    }
    expect(beyond).toEqual([])
    expect(await rows()).toEqual(before)
  })

  it('what is inside the role is not refused', async () => {
    const refused: string[] = []
    for (const { role, name, route } of combinations) {
      if (!callRoles[name].includes(role) || route.method !== 'GET') continue
      const { code } = await clients.get(role)!.get(route.path.replace(':id', 'none'))
      // An export without its day is invalid, and no id is `none`: both are found out behind the guard.
      if (code !== undefined && code !== 'NOT_FOUND' && code !== 'VALIDATION')
        refused.push(`${role} ${name}: ${code}`)
    }
    expect(refused).toEqual([])
  })

  it('without a session or with a member’s, every call is refused', async () => {
    const member = await venue.registerMember()
    const headers = { cookie: `sid=${member.sid}; staff=${member.sid}`, 'x-csrf-token': member.token }
    for (const { name, route } of calls) {
      const path = route.path.replace(':id', 'none')
      for (const own of [{}, headers]) {
        const { status } = await openOfficeCall(venue.app, route.method, path, { headers: own })
        expect([name, status]).toEqual([name, 401])
      }
    }
  })

  it('the session names the calls of its role', async () => {
    for (const role of staffRoles) {
      const { body } = await clients.get(role)!.get<{ calls: string[] }>('/session')
      expect(body.calls).toEqual(callsOf(role))
    }
  })
})

it('a role sees only the pictures of its work', async () => {
  const member = await venue.registerMember()
  const seenBy = async (purpose: 'id_front' | 'deposit_proof' | 'service') => {
    const id = await venue.upload(member, purpose)
    const seen: StaffRole[] = []
    for (const role of ['support', 'finance', 'compliance'] as const)
      if ((await clients.get(role)!.get(`/uploads/${id}`)).status === 200) seen.push(role)
    return seen
  }
  expect(await seenBy('id_front')).toEqual(['compliance'])
  expect(await seenBy('deposit_proof')).toEqual(['finance'])
  expect(await seenBy('service')).toEqual(['support', 'compliance'])
})

it('support writes to single members only', async () => {
  const member = await venue.registerMember()
  const send = (role: StaffRole, to: string) =>
    clients.get(role)!.post('/messages', { to, title: 'A', body: 'B' })
  expect((await send('support', member.id)).status).toBe(201)
  expect((await send('support', 'all')).code).toBe('FORBIDDEN')
  expect((await send('content', 'all')).status).toBe(201)
})
