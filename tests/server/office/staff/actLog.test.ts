import { expect, it } from 'vitest'
import { officeRoutes } from '../../../../contract/office/routes.ts'
import { minor } from '../../../../contract/units.ts'
import { businessDay, dayMs } from '../../../../contract/time.ts'
import { createStaff, openAndApprove } from '../../../support/staffClient.ts'
import { zone } from '../../../support/testVenue.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue({ asRoles: true })
const { database } = venue
const lea = await createStaff(venue, 'compliance', 'lea')
const sue = await createStaff(venue, 'support', 'sue')
const member = await venue.registerMember()

type Row = {
  at: number
  actor: string
  act: string
  memberId: string | null
  subject: { kind: string; id: string }
}
const rows = async (query: string): Promise<Row[]> => {
  const answer = await lea.get<{ items: Row[] }>(`/audit?limit=100&${query}`)
  expect(answer.status).toBe(200)
  return answer.body.items
}

it('is filtered by who, what, whom and when, all at once', async () => {
  await sue.get(`/members/${member.account}`)
  await lea.get(`/members/${member.id}`)
  await sue.post(`/members/${member.id}/level`, { level: 2 })
  const other = await venue.registerMember()
  await sue.get(`/members/${other.id}`)

  expect(new Set((await rows('actor=sue')).map(({ actor }) => actor))).toEqual(new Set(['sue']))
  // A supervisor sees who looked at whom, by the member's account too.
  const looked = await rows(`act=view&member=${member.account}`)
  expect(looked.map(({ actor, memberId }) => [actor, memberId])).toEqual([
    ['lea', member.id],
    ['sue', member.id],
  ])
  expect(await rows(`act=view&member=${member.id}&actor=sue`)).toHaveLength(1)
  const now = venue.clock.now()
  const newest = looked[0]!.at
  expect(await rows(`act=view&member=${member.id}&from=${newest}&to=${now + 1}`)).not.toHaveLength(0)
  expect(await rows(`from=${now + 1}`)).toEqual([])
  expect(await rows(`to=${now - dayMs}`)).toEqual([])
  expect((await rows('kind=staff')).every(({ subject }) => subject.kind === 'staff')).toBe(true)
  expect((await sue.get('/audit')).code).toBe('FORBIDDEN')
})

it('leaves out who looked at whom if that is asked for, and nothing else', async () => {
  await sue.get(`/members/${member.id}`)
  const [all, acts] = [await rows(''), await rows('views=without')]
  expect(acts).toEqual(all.filter(({ act }) => act !== 'view'))
  expect(acts.length).toBeLessThan(all.length)
})

it('finds a person by a part of the name, and sums up whose rows and which these are', async () => {
  await sue.get(`/members/${member.id}`)
  type Answer = {
    items: { actor: string; act: string }[]
    sums: { actor: string; act: string; count: number }[]
  }
  const { body } = await lea.get<Answer>('/audit?actor=SU&act=view&limit=1')
  expect(officeRoutes.audit.list.answer.parse(body)).toEqual(body)
  const all = (await lea.get<Answer>('/audit?limit=100&actor=sue&act=view')).body.items
  expect(body.sums).toEqual([{ actor: 'sue', act: 'view', count: all.length }])
  expect((await lea.get<Answer>('/audit?actor=nobody')).body).toMatchObject({ items: [], sums: [] })
})

it('the files of a business day have what the staff did, and every movement of money in balance', async () => {
  const paid = await venue.createVerifiedMember(minor(200_000))
  const day = businessDay(venue.clock.now(), zone)
  const actions = await lea.get(`/accounting/actions?day=${day}`)
  expect(actions.headers['content-type']).toContain('text/csv')
  expect(actions.headers['content-disposition']).toContain(`actions-${day}.csv`)
  const [head, ...lines] = actions.text.trimEnd().split('\r\n')
  expect(head).toContain('"actor","act"')
  const { rows: count } = await database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM audit WHERE act <> 'export'`,
  )
  expect(lines.filter((line) => !line.includes('"export"'))).toHaveLength(count[0]!.n)
  expect(lines.some((line) => line.includes('"sue","view","member"'))).toBe(true)

  const cells = (line: string) => line.slice(1, -1).split('","')
  const movements = (await lea.get(`/accounting/movements?day=${day}`)).text.trimEnd().split('\r\n')
  expect(cells(movements[0]!).join(' ')).toBe(
    'at account memberId id type amount available held stakes fund house grants external refKind refId',
  )
  const { rows: postings } = await database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM posting',
  )
  expect(movements).toHaveLength(postings[0]!.n + 1)
  for (const line of movements.slice(1)) {
    const moved = cells(line)
      .slice(6, 13)
      .map((amount) => Math.round(Number(amount) * 100))
    expect(moved.reduce((sum, amount) => sum + amount, 0)).toBe(0)
  }
  expect(movements.some((line) => line.includes(paid.id))).toBe(true)
  // Each export is recorded, other days are empty, and what is no day is refused.
  expect((await rows('act=export')).map(({ actor }) => actor)).toEqual(['lea', 'lea'])
  expect((await lea.get('/accounting/movements?day=2001-01-01')).text.trimEnd().split('\r\n')).toHaveLength(1)
  for (const wrong of ['', '2026-13-01', '2026-1-1', 'today'])
    expect((await lea.get(`/accounting/movements?day=${wrong}`)).code).toBe('VALIDATION')
  expect((await sue.get(`/accounting/movements?day=${day}`)).code).toBe('FORBIDDEN')
})

it('the file of what the staff did follows the filters of the list, and names what its ids are of', async () => {
  await sue.get(`/members/${member.id}`)
  const day = businessDay(venue.clock.now(), zone)
  const file = async (query: string) =>
    (await lea.get(`/accounting/actions?day=${day}${query}`)).text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.slice(1, -1).split('","'))
  const [head, ...some] = await file(`&actor=su&act=view&member=${member.id}`)
  expect(head?.slice(0, 4)).toEqual(['id', 'at (UTC)', 'actor', 'act'])
  expect(head?.slice(-2)).toEqual(['subject', 'member'])
  expect(some.length).toBeGreaterThan(0)
  for (const cells of some) {
    expect(cells.slice(2, 4)).toEqual(['sue', 'view'])
    expect(cells.at(-1)).toBe(member.account)
  }
  expect((await file('')).length).toBeGreaterThan(some.length + 1)
  const newest = (await lea.get<{ items: { details: object }[] }>('/audit?act=export')).body.items
  expect(newest.map(({ details }) => details).slice(0, 2)).toEqual([
    { what: 'actions' },
    { what: 'actions', filtered: true },
  ])
})

it('names members, requests and amounts beside their ids', async () => {
  const { id, no } = (
    await member.post<{ id: string; no: string }>('/deposits', {
      methodId: 'practice-review',
      amount: '10.00',
    })
  ).body
  const fay = await createStaff(venue, 'finance', 'fay')
  await fay.get(`/deposits/${id}`)
  type Named = { subject: object; account: string | null; amount: string | null }
  const { body } = await lea.get<{ items: Named[] }>('/audit?actor=fay&kind=deposit')
  expect(officeRoutes.audit.list.answer.parse(body)).toMatchObject(body)
  expect(body.items).toMatchObject([
    { subject: { kind: 'deposit', id, name: no }, account: member.account, amount: '10.00' },
  ])
  const ofStaff = await lea.get<{ items: Named[] }>('/audit?kind=staff&limit=1')
  expect(ofStaff.body.items).toMatchObject([{ subject: { kind: 'staff', name: 'fay' }, account: null }])
})

it('a number, as it is pasted, gets the rows of the request with its proposals, or of the member', async () => {
  const [fay, gus] = [await createStaff(venue, 'finance', 'fin'), await createStaff(venue, 'finance', 'gus')]
  const payer = await venue.registerMember()
  const place = async () =>
    (
      await payer.post<{ id: string; no: string }>('/deposits', {
        methodId: 'practice-review',
        amount: '10.00',
      })
    ).body
  const [placed, another] = [await place(), await place()]
  for (const { id } of [placed, another]) await openAndApprove(fay, `/deposits/${id}`)
  await openAndApprove(gus, `/deposits/${placed.id}`)
  const found = async (number: string) =>
    (await rows(`id=${encodeURIComponent(number)}`)).map(({ actor, act }) => `${actor} ${act}`)
  const ofRequest = ['gus approve', 'gus confirm', 'gus view', 'fin propose', 'fin approve', 'fin view']
  for (const number of [placed.no, ` ${placed.no.toLowerCase()} `, placed.id])
    expect([number, (await found(number)).toSorted()]).toEqual([number, ofRequest.toSorted()])
  const ofMember = await found(payer.account)
  expect(ofMember).toEqual(await found(payer.id))
  expect(ofMember).toEqual((await rows(`member=${payer.id}`)).map(({ actor, act }) => `${actor} ${act}`))
  expect(await rows(`id=${payer.account}&member=${member.account}`)).toEqual([])
  // Beside the other filters.
  expect((await rows(`id=${placed.no}&actor=gus&act=view`)).map(({ subject }) => subject)).toMatchObject([
    { id: placed.id },
  ])
  expect(await found('D-000000-0000')).toEqual([])
})
