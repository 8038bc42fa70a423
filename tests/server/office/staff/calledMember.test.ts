import { describe, expect, it } from 'vitest'
import { call, type ListAnswer } from '../../../support/apiCalls.ts'
import { createStaff } from '../../../support/staffClient.ts'
import { testFence } from '../../../support/testFence.ts'
import { withVenue } from '../../../support/withVenue.ts'
import { recoveryQueryOf } from '../../../support/recoveryLink.ts'

const venue = await withVenue({})

type Approved = { link?: string; firstCode?: string; proposal: { id: string } | null }

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

describe('neither of two persons can set the password alone', () => {
  const newPassword = 'battery staple 9'
  const complete = (body: object) =>
    call(venue.app, 'POST', '/auth/recoveries/complete', {
      body: { newPassword, confirmPassword: newPassword, ...body },
    })
  /** What each of the two is given: a code to read out, and a link. */
  const decide = async () => {
    const [sue, ann] = [await createStaff(venue, 'support'), await createStaff(venue, 'compliance')]
    const path = `/password-requests/${await forgotten()}`
    await sue.get(path)
    const proposed = (await sue.post<Approved>(`${path}/approve`, { called: true })).body
    await ann.get(path)
    const confirmed = (await ann.post<Approved>(`${path}/approve`, {})).body
    const query = recoveryQueryOf(confirmed.link)
    return { proposed, confirmed, code: query.get('code')!, calls: query.get('calls'), sue, ann, path }
  }

  it('the first one gets a code, the second one a link that needs it', async () => {
    const { proposed, confirmed, code, calls, path, sue } = await decide()
    expect(proposed.firstCode).toMatch(/^\d{8}$/)
    expect([proposed.link, confirmed.firstCode, calls]).toEqual([undefined, undefined, '2'])
    const fields = (firstCode: string) => ({ status: 400, fields: { firstCode } })
    expect(await complete({ code })).toMatchObject(fields('REQUIRED'))
    const wrong = String((Number(proposed.firstCode) + 1) % 1e8).padStart(8, '0')
    expect(await complete({ code, firstCode: wrong })).toMatchObject(fields('INVALID'))
    // Nothing that others read has it.
    const { rows } = await venue.database.pool.query(
      'SELECT a.details, p.params FROM audit a, proposal p UNION ALL SELECT r::text, c::text FROM password_request r, password_recovery_code c',
    )
    expect(JSON.stringify([rows, (await sue.get(path)).body])).not.toContain(proposed.firstCode)
    expect((await complete({ code, firstCode: proposed.firstCode!.replace(/(.{4})/, '$1 ') })).status).toBe(
      200,
    )
  })

  it('the link ends after five wrong codes', async () => {
    const { proposed, code } = await decide()
    const wrong = proposed.firstCode === '00000000' ? '00000001' : '00000000'
    for (let tried = 0; tried < 5; tried += 1)
      expect((await complete({ code, firstCode: wrong })).status).toBe(400)
    expect((await complete({ code, firstCode: proposed.firstCode })).code).toBe('RECOVERY_CODE_INVALID')
  })

  it('a proposal made again has a code of its own', async () => {
    const [sue, ann] = [await createStaff(venue, 'support'), await createStaff(venue, 'support')]
    const path = `/password-requests/${await forgotten()}`
    await sue.get(path)
    const first = (await sue.post<Approved>(`${path}/approve`, { called: true })).body
    await sue.post(`/proposals/${first.proposal!.id}/cancel`)
    await sue.get(path)
    const second = (await sue.post<Approved>(`${path}/approve`, { called: true })).body
    await ann.get(path)
    const confirmed = await ann.post<{ result: Approved }>(`/proposals/${second.proposal!.id}/confirm`)
    const code = recoveryQueryOf(confirmed.body.result.link).get('code')
    expect((await complete({ code, firstCode: first.firstCode })).status).toBe(400)
    expect((await complete({ code, firstCode: second.firstCode })).status).toBe(200)
  })

  it('the code of a proposal that was taken back does not go with the link of the next one', async () => {
    const [sue, ann] = [await createStaff(venue, 'support'), await createStaff(venue, 'support')]
    const path = `/password-requests/${await forgotten()}`
    await sue.get(path)
    const first = (await sue.post<Approved>(`${path}/approve`, { called: true })).body
    await sue.post(`/proposals/${first.proposal!.id}/cancel`)
    await ann.get(path)
    const second = (await ann.post<Approved>(`${path}/approve`, { called: true })).body
    await sue.get(path)
    const confirmed = (await sue.post<Approved>(`${path}/approve`, {})).body
    const code = recoveryQueryOf(confirmed.link).get('code')
    expect((await complete({ code, firstCode: first.firstCode })).status).toBe(400)
    expect((await complete({ code, firstCode: second.firstCode })).status).toBe(200)
  })
})
