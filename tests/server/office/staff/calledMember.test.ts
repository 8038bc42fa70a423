import { expect, it } from 'vitest'
import { call, type ListAnswer } from '../../../support/apiCalls.ts'
import { createStaff } from '../../../support/staffClient.ts'
import { testFence } from '../../../support/testFence.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue({})

const forgotten = async (): Promise<string> => {
  const member = await venue.registerMember()
  const body = { kind: 'login', account: member.account, phone: member.phone }
  await call(venue.app, 'POST', '/auth/recoveries', { body })
  await venue.passwordRecovery.deliver(testFence)
  const open = await venue.office<ListAnswer<{ id: string; memberId: string }>>(
    'GET',
    '/password-requests?status=under_review&limit=100',
  )
  return open.body.items.find(({ memberId }) => memberId === member.id)!.id
}
const newestDetails = async (act: string): Promise<unknown> => {
  const { rows } = await venue.database.pool.query<{ details: string }>(
    'SELECT details FROM audit WHERE act = $1 ORDER BY id DESC LIMIT 1',
    [act],
  )
  return JSON.parse(rows[0]!.details)
}

it('nobody approves a forgotten password without having called, and the act log says who did', async () => {
  const path = `/password-requests/${await forgotten()}/approve`
  const refused = { status: 400, code: 'VALIDATION' }
  expect(await venue.office('POST', path, { body: {} })).toMatchObject(refused)
  expect((await venue.office('POST', path, { body: { called: true } })).status).toBe(200)
  expect(await newestDetails('approve')).toEqual({ kind: 'login', recovery: true, called: true })
})

it('the second person is told that the first one called, and confirms it by either call', async () => {
  const [ann, sue] = [await createStaff(venue, 'support'), await createStaff(venue, 'support')]
  const path = `/password-requests/${await forgotten()}`
  for (const one of [ann, sue]) await one.get(path)
  expect((await ann.post(`${path}/approve`, {})).code).toBe('VALIDATION')
  const proposed = await ann.post<{ proposal: object }>(`${path}/approve`, { called: true })
  expect(proposed.body.proposal).toMatchObject({ params: { called: true }, proposedBy: ann.staff.name })
  expect(await newestDetails('propose')).toMatchObject({ act: 'password-requests.approve', called: true })
  await sue.get(path)
  expect(await sue.post(`${path}/approve`, {})).toMatchObject({ status: 200, body: { proposal: null } })
  expect(await newestDetails('approve')).toEqual({ kind: 'login', recovery: true, called: true })
})
