// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest'
import type { ListedStaff, StaffRole } from '../../../../contract/office/staff.ts'
import type { ActLogEntry } from '../../../../office/pages/people/actLogColumns.tsx'
import type { Proposal } from '../../../../contract/office/fourEyes.ts'
import {
  address,
  alerts,
  buttons,
  click,
  dialog,
  enter,
  field,
  file,
  links,
  lost,
  minutesAgo,
  now,
  openOffice,
  openRow,
  press,
  refused,
  rows,
  settle,
  text,
  toasts,
  type CallName,
  type OfficeAnswers,
} from '../../../support/officeSetup.tsx'

const list = <T,>(...items: T[]) => ({ items, nextCursor: null })
const person = (id: string, part: Partial<ListedStaff> = {}): ListedStaff => ({
  id,
  name: `name-${id}`,
  role: 'support',
  status: 'active',
  createdAt: minutesAgo(60),
  lastSeenAt: minutesAgo(2),
  version: 1,
  records: { opened: 0, max: 60 },
  ...part,
})
const proposal: Proposal = {
  id: 'p1',
  act: 'staff.create',
  subject: { kind: 'staff', id: 'x' },
  memberId: null,
  params: {},
  note: null,
  proposedBy: 'lin',
  proposedAt: now,
  expiresAt: now + 86_400_000,
  status: 'open',
  decidedBy: null,
  decidedAt: null,
  reason: null,
}
const enrolment = { code: 'abc/1', expiresAt: now + 86_400_000 }
const other = person('s2', { name: 'chen', records: { opened: 60, max: 60 } })
const me = person('s1', { name: 'lin', role: 'admin' })

describe('the staff', () => {
  const open = (answers: OfficeAnswers = {}, role: StaffRole = 'admin') =>
    openOffice(
      '/staff',
      { 'staff.list': list(other, me, person('s3', { status: 'invited', lastSeenAt: null })), ...answers },
      { role },
    )

  it('is listed with role, state and records', async () => {
    await open()
    expect(rows('Staff')[0]).toMatch(
      /^chen \| Customer service \| Active \| 24 Nov 2026, 11:58:00 \| 60 of 60/,
    )
    expect(rows('Staff')[2]).toMatch(/^name-s3 \| Customer service \| Invited/)
  })

  type Case = [string, string, CallName, unknown, unknown, string]
  const done = { staff: other, enrolment: null, proposal: null }
  it.each<Case>([
    [
      'Change role',
      'o',
      'staff.role',
      { staff: other, enrolment: null, proposal },
      { role: 'finance' },
      'Proposed. Someone else has to decide. chen Undo',
    ],
    [
      'Change role',
      'o',
      'staff.role',
      done,
      { role: 'finance' },
      'Role changed. Their sessions have ended. chen Undo',
    ],
    ['Disable', 'd', 'staff.disable', done, undefined, 'Disabled. chen'],
    [
      'Reset second factor',
      'x',
      'staff.reset-factors',
      done,
      undefined,
      'Reset. Their sessions have ended. chen',
    ],
    ['New set-up link', 'e', 'staff.enrol', { ...done, enrolment }, undefined, 'New link issued. chen'],
  ])('%s (%s)', async (label, key, call, answer, body, said) => {
    const desk = await open({ [call]: answer })
    await openRow('Staff')
    await press(key)
    expect(dialog()).toBe(label)
    if (body !== undefined) await press('1')
    await click(label)
    expect(desk.acts()).toEqual([[call, 's2', ...(body === undefined ? [] : [body])]])
    expect(toasts()).toEqual([said])
    expect(text('main').includes('Set-up link for chen')).toBe(call === 'staff.enrol')
  })

  it('a role is chosen first, which shows the present one; making an admin takes the name', async () => {
    const desk = await open({ 'staff.role': done })
    await openRow('Staff')
    await press('o')
    expect(document.activeElement?.closest('[role=radiogroup]')).not.toBeNull()
    expect(document.querySelector('[role=radiogroup] :checked')).toBeNull()
    expect(text('[role=dialog]')).toContain('Role nowCustomer service')
    await click('Change role')
    expect(text('[role=dialog]')).toContain('Required')
    await press('4')
    expect(text('[role=dialog]')).toContain('chen could then manage staff, limits and the site.')
    await click('Change role')
    expect(desk.acts()).toEqual([])
    await enter('Type the username to continue', 'chen')
    await click('Change role')
    expect(desk.acts()).toEqual([['staff.role', 's2', { role: 'admin' }]])
  })

  it('a new link for a disabled person takes the name', async () => {
    const desk = await open({ 'staff.list': list({ ...other, status: 'disabled' }), 'staff.enrol': done })
    await openRow('Staff')
    await press('e')
    await click('New set-up link')
    expect(desk.acts()).toEqual([])
    await enter('Type the username to continue', 'chen')
    await click('New set-up link')
    expect(desk.acts()).toEqual([['staff.enrol', 's2']])
  })

  it('says that nobody else may decide what is proposed', async () => {
    const alone: Proposal = { ...proposal, nobodyElse: true }
    await open({ 'staff.role': { staff: other, enrolment: null, proposal: alone } })
    await openRow('Staff')
    await press('o')
    await press('1')
    await click('Change role')
    expect(toasts()[0]).toContain('Proposed, but nobody else who is active may decide it.')
  })

  it('says why not', async () => {
    await open({ 'staff.disable': refused(409, 'CONFLICT') })
    await openRow('Staff')
    await press('d')
    await click('Disable')
    expect(alerts()).toEqual(['Someone else has already decided this, or it has changed.'])
  })

  it('offers nothing for the own account', async () => {
    await open()
    await openRow('Staff', 1)
    expect(buttons()).toEqual(['Add staff'])
  })

  it('is only read by compliance', async () => {
    await open({}, 'compliance')
    await openRow('Staff')
    expect(buttons()).toEqual([])
  })

  it.each([
    ['nobody', list<ListedStaff>(), 'Nothing here.', []],
    ['a failure', lost, '', ['You’re offline. Check your connection and try again.']],
  ])('shows %s', async (_, answer, empty, said) => {
    await open({ 'staff.list': answer })
    await settle(3000)
    expect(text('main').includes('Nothing here.')).toBe(empty !== '')
    expect(alerts()).toEqual(said)
  })
})

describe('a new member of staff', () => {
  const add = async (answers: OfficeAnswers) => {
    const desk = await openOffice('/staff', { 'staff.list': list(me), ...answers }, { role: 'admin' })
    await press('+')
    expect(document.activeElement).toBe(field('Name'))
    await enter('Name', ' wu.lei ')
    await enter('Role', 'Compliance')
    await click('Add staff')
    return desk
  }

  it('gets a link, shown once', async () => {
    const desk = await add({
      'staff.create': { staff: person('s4', { name: 'wu.lei' }), enrolment, proposal: null },
    })
    expect(desk.acts()).toEqual([['staff.create', { name: 'wu.lei', role: 'compliance' }]])
    expect(toasts()).toEqual(['Added. wu.lei'])
    expect(text('[role=status]')).toContain('/office/#/enrol/abc%2F1')
    await click('Close')
    expect(text('main')).not.toContain('abc%2F1')
  })

  it('waits for a second person', async () => {
    await add({ 'staff.create': { staff: null, enrolment: null, proposal } })
    expect(toasts()).toEqual(['Proposed. Someone else has to decide. wu.lei Undo'])
    expect(text('main')).not.toContain('Set-up link')
  })

  it('is kept in the form if it was not sent', async () => {
    await add({ 'staff.create': lost })
    expect(alerts()).toEqual(['You’re offline. Check your connection and try again.'])
    expect(field('Name').value).toBe(' wu.lei ')
  })
})

describe('the act log', () => {
  const entry: ActLogEntry = {
    id: 'a1',
    at: minutesAgo(1),
    actor: 'wang',
    act: 'approve',
    subject: { kind: 'deposit', id: 'd1', name: 'D-261124-7K2Q' },
    memberId: 'm1',
    account: 'zhang.wei',
    amount: '1200.00',
    details: { reason: 'Checked by phone', found: 2, by: 'account name' },
  }
  const open = (address = '/audit', role: StaffRole = 'compliance', answers: OfficeAnswers = {}) =>
    openOffice(
      address,
      {
        'audit.list': list(entry, {
          ...entry,
          id: 'a2',
          act: 'unheard-of',
          memberId: null,
          account: null,
          details: {},
        }),
        ...answers,
      },
      { role },
    )
  const asked = (desk: Awaited<ReturnType<typeof open>>) =>
    desk.sent('audit.list').map(({ query: { limit, ...query } }) => {
      expect(limit).toBe('50')
      return query
    })

  it('says who did what to whom; an act without words by its name', async () => {
    await open()
    expect(rows('Act log')).toEqual([
      '24 Nov 2026, 11:59:00 | wang | Approved | Deposit D-261124-7K2Q | zhang.wei | 1,200.00 | Reason: “Checked by phone” · Found: 2 · By: username, name',
      '24 Nov 2026, 11:59:00 | wang | unheard-of | Deposit D-261124-7K2Q | 1,200.00',
    ])
    expect(document.querySelector('[title="d1"]')?.textContent).toBe('Deposit D-261124-7K2Q')
  })

  it('says times, passwords and what was called in words', async () => {
    const details = { kind: 'login', recovery: true, called: true, until: now }
    await open('/audit', 'compliance', { 'audit.list': list({ ...entry, details }) })
    expect(rows('Act log')[0]).toMatch(
      /Password: Login password · Forgotten: yes · Member called: yes · Until: 24 Nov 2026, 12:00:00$/,
    )
  })

  it.each([
    ['R77 · Approved by: clerk2', '“R77 · Approved by: clerk2”'],
    ['R77” · Approved by: “clerk2', '“R77" · Approved by: "clerk2”'],
    ['R-77/4', 'R-77/4'],
  ])('tells what a person wrote, %s, from what the venue did', async (reference, shown) => {
    await open('/audit', 'compliance', { 'audit.list': list({ ...entry, details: { reference } }) })
    expect(rows('Act log')[0]).toMatch(new RegExp(`: ${shown}$`))
  })

  it('says the dangers of then, and no ids', async () => {
    const details = { dangers: 'otherPayee sameCard', awaits: 'second person', staff: 'b7-uuid' }
    await open('/audit', 'compliance', { 'audit.list': list({ ...entry, details }) })
    expect(rows('Act log')[0]).toMatch(/Dangers then: Other payee, Shared card · Awaits: a second person$/)
  })

  it('sums up whose rows they are and which', async () => {
    const sums = [
      { actor: 'wang', act: 'approve', count: 41 },
      { actor: 'lin', act: 'approve', count: 3 },
      { actor: 'wang', act: 'reject', count: 1 },
    ]
    await open('/audit', 'compliance', { 'audit.list': { ...list(entry), sums } })
    expect(text('[aria-label="Actions by person"]')).toBe('wang Approved: 41 · Rejected: 1lin Approved: 3')
  })

  it.each<[StaffRole, boolean]>([
    ['compliance', true],
    ['admin', false],
  ])('leads %s to the member only if the role may see it', async (role, leads) => {
    await open('/audit', role)
    expect(rows('Act log')[0]).toContain('zhang.wei')
    expect(links().includes('zhang.wei')).toBe(leads)
  })

  it('is filtered from the address on', async () => {
    const desk = await open('/audit?member=m1&act=view')
    expect(field('Action').value).toBe('view')
    expect(asked(desk)).toEqual([{ member: 'm1', act: 'view' }])
  })

  const withoutViews = { views: 'without' }

  it('begins with the views if the address says so', async () => {
    expect(asked(await open('/audit?views=all'))).toEqual([{}])
  })

  it('shows who looked at whom if that is switched on, which the address keeps, or chosen', async () => {
    const desk = await open()
    expect(asked(desk)).toEqual([withoutViews])
    await click('Show views')
    await settle(300)
    expect(asked(desk).at(-1)).toEqual({})
    expect(address()).toBe('/audit?views=all')
    await click('Show views')
    expect(address()).toBe('/audit')
    await enter('Action', 'Views only')
    await settle(300)
    expect(asked(desk).at(-1)).toEqual({ act: 'view' })
  })

  it('is filtered by a pasted number', async () => {
    const desk = await open()
    await enter('Number or username', ' D-261124-7K2Q ')
    await settle(300)
    expect(asked(desk).at(-1)).toEqual({ id: 'D-261124-7K2Q', ...withoutViews })
  })

  it('is filtered by what is chosen and typed, which the address keeps', async () => {
    const desk = await open()
    await enter('Kind', 'Deposit')
    await enter('Person', ' wang')
    await enter('From', '2026/11/23')
    await enter('To', '2026-11-2')
    await enter('To', '2026-11-24')
    await enter('To', '2026-11-99')
    expect(field('To').getAttribute('aria-invalid')).toBe('true')
    await enter('To', '20261124')
    await settle(300)
    const day = (date: string) => String(Date.parse(`${date}T00:00:00+08:00`))
    expect(asked(desk)).toEqual([
      withoutViews,
      { kind: 'deposit', actor: 'wang', from: day('2026-11-23'), to: day('2026-11-25'), ...withoutViews },
    ])
    expect(address()).toBe('/audit?kind=deposit&actor=wang&from=2026-11-23&to=2026-11-24')
  })

  it('goes on to older rows', async () => {
    const desk = await open('/audit', 'compliance', {
      'audit.list': ({ query }) =>
        query.cursor === undefined
          ? { items: [entry], nextCursor: 'a1' }
          : list({ ...entry, id: 'a0', actor: 'lin' }),
    })
    await click('Load more')
    expect(rows('Act log')[1]).toContain('lin')
    expect(asked(desk).at(-1)).toEqual({ cursor: 'a1', ...withoutViews })
  })

  it.each([
    ['nothing', list<ActLogEntry>(), 'Nothing here.', []],
    ['a failure', refused(403, 'FORBIDDEN'), '', ['Your role doesn’t allow this.']],
  ])('shows %s', async (_, answer, empty, said) => {
    await open('/audit', 'admin', { 'audit.list': answer })
    expect(text('main').includes('Nothing here.')).toBe(empty !== '')
    expect(alerts()).toEqual(said)
  })
})

describe('the files of a day', () => {
  const open = (answers: OfficeAnswers = {}) =>
    openOffice('/audit', { 'audit.list': list(), ...answers }, { role: 'admin' })

  it.each([
    ['Staff actions (CSV)', 'accounting.actions', 'actions'],
    ['Money movements (CSV)', 'accounting.movements', 'movements'],
  ] as const)('%s is saved under its day', async (name, call, saved) => {
    const names: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download)
    })
    const desk = await open({ [call]: file('text/csv', 'a,b') })
    expect(field('Business day').value).toBe('2026-11-24')
    await enter('Business day', '2026-11-23')
    await click(name)
    expect(desk.sent(call)).toMatchObject([{ query: { day: '2026-11-23' } }])
    expect(names).toEqual([`${saved}-2026-11-23.csv`])
  })

  it('what the staff did follows the filters of the list, and the movements do not', async () => {
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    const desk = await open({
      'accounting.actions': file('text/csv', 'a,b'),
      'accounting.movements': file('text/csv', 'a,b'),
    })
    await enter('Person', 'wang')
    await settle(300)
    await click('Staff actions (CSV)')
    await click('Money movements (CSV)')
    const day = '2026-11-24'
    expect(desk.sent('accounting.actions').map(({ query }) => query)).toEqual([
      { day, actor: 'wang', views: 'without' },
    ])
    expect(desk.sent('accounting.movements').map(({ query }) => query)).toEqual([{ day }])
  })

  it('says why there is none', async () => {
    await open({ 'accounting.actions': lost })
    await click('Staff actions (CSV)')
    expect(alerts()).toEqual(['You’re offline. Check your connection and try again.'])
  })
})
