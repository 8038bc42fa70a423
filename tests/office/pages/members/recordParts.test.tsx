// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import type { MemberEvent } from '../../../../contract/office/memberHistory.ts'
import type { officeRoutes } from '../../../../contract/office/routes.ts'
import type { StaffRole } from '../../../../contract/office/staff.ts'
import type { RouteReply } from '../../../../contract/route.ts'
import { deposit, withdrawal } from '../../../support/officeRequests.ts'
import {
  address,
  alerts,
  buttons,
  click,
  dialog,
  enter,
  facts,
  field,
  goTo,
  lost,
  minutesAgo,
  openOffice,
  openRow,
  press,
  refused,
  rows,
  settle,
  text,
  type OfficeAnswers,
} from '../../../support/officeSetup.tsx'

const none = {
  maxStake: null,
  maxDailyLoss: null,
  maxWeeklyLoss: null,
  maxMonthlyLoss: null,
  maxDailyDeposit: null,
  maxWeeklyDeposit: null,
  maxMonthlyDeposit: null,
  excludedUntil: null,
}
const member: RouteReply<typeof officeRoutes.members.show> = {
  id: 'm1',
  account: 'zhang.wei',
  nickname: 'zhang.wei',
  phoneMasked: '+86 138****5678',
  level: 3,
  creditScore: 100,
  verification: 'verified',
  openingCode: 'K7',
  hasWithdrawalAccount: true,
  createdAt: minutesAgo(60 * 24),
  closedAt: null,
  contactEmail: null,
  name: '张伟',
  phone: '+86 13812345678',
  openedWith: 'UPTICK',
  language: 'en',
  writesIn: null,
  assets: {
    total: '5300.00',
    available: '4000.00',
    held: '800.00',
    openStakes: '0.00',
    fund: '500.00',
    accountPnl: '-120.50',
    todayPnl: '10.00',
    version: 4,
  },
  limits: { active: none, pending: [] },
  frozen: null,
  takesTwo: false,
  proposals: [],
}
const list = <T,>(...items: T[]) => ({ items, nextCursor: null })
const open = (tab: string, answers: OfficeAnswers = {}, role: StaffRole = 'compliance', more = '') =>
  openOffice(`/members/m1?tab=${tab}${more}`, { 'members.show': member, ...answers }, { role })

describe('who a member is', () => {
  it('is said by name, without a nickname that is the account, and with a dash for what is missing', async () => {
    await open('overview')
    expect(facts()).toMatchObject({
      'Verified name': '张伟',
      Verification: 'Verified',
      Email: '—',
      'Opened with': 'UPTICK',
    })
    expect(facts()).not.toHaveProperty('Nickname')
  })

  const identity = {
    document: { number: '310101199001010011', nationality: 'CN' },
    payTo: withdrawal.payTo,
  }
  it('shows ID and withdrawal account when asked for, once', async () => {
    const desk = await open('overview', { 'members.identity': identity })
    expect(desk.sent('members.identity')).toEqual([])
    await press('i')
    expect(facts()).toMatchObject({
      'ID number': '310101199001010011',
      'Country or region of the document': 'China',
      'Account holder': '张伟',
      Bank: 'Bank of China',
    })
    await settle(10_000)
    expect(desk.sent('members.identity')).toHaveLength(1)
  })

  it.each<[StaffRole, boolean]>([
    ['support', false],
    ['finance', true],
  ])('%s is offered it: %s', async (role, offered) => {
    await open('overview', {}, role)
    expect(buttons().includes('Show')).toBe(offered)
  })

  it.each([
    [{ document: null, payTo: null }, [], 'No ID or withdrawal account.'],
    [lost, ['You’re offline. Check your connection and try again.'], ''],
  ])('says so if there is none or it cannot be read', async (answer, said, shown) => {
    await open('overview', { 'members.identity': answer })
    await click('Show')
    await settle(3000)
    expect(alerts()).toEqual(said)
    expect(text('main')).toContain(shown)
  })
})

describe('the timeline', () => {
  const event = (part: Partial<MemberEvent>): MemberEvent => ({
    id: 'opened.m1',
    kind: 'opened',
    at: minutesAgo(60),
    no: null,
    amount: null,
    status: null,
    what: null,
    subject: null,
    by: null,
    params: {},
    title: null,
    ...part,
  })
  const events = [
    event({
      id: 'act.9',
      kind: 'act',
      what: 'approve',
      by: 'fay',
      subject: { kind: 'deposit', id: 'd1' },
      no: 'D-1',
      amount: '20.00',
    }),
    event({
      id: 'notice.1',
      kind: 'notice',
      what: 'depositSuccessful',
      params: { no: 'D-1', amount: '20.00' },
    }),
    event({ id: 'notice.2', kind: 'notice', what: 'desk', title: 'Your letter' }),
    event({ id: 'notice.3', kind: 'notice', what: 'newer-than-this-page' }),
    event({ id: 'deposit.d1', kind: 'deposit', no: 'D-1', amount: '20.00', status: 'successful' }),
    event({ id: 'login.l1', kind: 'login', what: 'Firefox on Linux' }),
    event({
      id: 'password-request.r1',
      kind: 'password-request',
      what: 'transaction',
      status: 'under_review',
    }),
    event({ id: 'verification.v1', kind: 'verification', status: 'verified' }),
    event({}),
  ]

  it('says in words what happened', async () => {
    await open('timeline', { 'members.timeline': list(...events) })
    expect(rows('Timeline').map((row) => row.split(' | ').slice(1).join(' | '))).toEqual([
      'Approved: Deposit D-1 | 20.00 | fay',
      'Message to the member: Deposit of 20.00 USD successful',
      'Message to the member: Your letter',
      'Message to the member: newer-than-this-page',
      'Deposit requested: D-1 | 20.00 | Successful',
      'Login from a new device: Firefox on Linux',
      'New password requested: Transaction password | Under review',
      'Verification submitted | Verified',
      'Account opened',
    ])
  })

  it('opens a request in the record, and stays if there is none', async () => {
    await open(
      'timeline',
      {
        'members.timeline': list(...events),
        'deposits.show': deposit,
        'deposits.list': list(deposit),
        'withdrawals.list': list<never>(),
        'verifications.list': list<never>(),
      },
      'finance',
    )
    await openRow('Timeline', 8)
    expect(address()).toContain('tab=timeline')
    await openRow('Timeline', 0)
    expect(address()).toBe('/members/m1?tab=requests&request=deposits+d1')
  })

  it.each([
    ['nothing', list<MemberEvent>(), 'Nothing here.', []],
    ['a failure', refused(429, 'RECORDS_LIMIT', { params: { max: 3 } }), '', [expect.any(String)]],
  ])('shows %s', async (_, answer, empty, said) => {
    await open('timeline', { 'members.timeline': answer })
    expect(text('main')).toContain(empty)
    expect(alerts()).toEqual(said)
  })
})

describe('notes of the staff', () => {
  const note = { id: 'n1', at: minutesAgo(30), by: 'sue', body: 'Waits for the letter of the bank' }

  it('are listed with who wrote them and when', async () => {
    await open('notes', { 'members.notes': list(note) })
    expect(text('main ol li')).toBe('sue · 24 Nov 2026, 11:30:00Waits for the letter of the bank')
  })

  it('are written by keyboard, and kept until they are saved', async () => {
    const desk = await open(
      'notes',
      { 'members.notes': list(), 'members.note': { ...note, id: 'n2' } },
      'support',
    )
    expect(text('main')).toContain('No notes yet.')
    await press('r')
    expect(document.activeElement).toBe(field('New note'))
    await enter('New note', 'Called')
    await press('Escape')
    expect(document.activeElement).not.toBe(field('New note'))
    await goTo('/members/m1?tab=overview')
    await goTo('/members/m1?tab=notes')
    expect(field('New note').value).toBe('Called')
    desk.answers['members.notes'] = list(note)
    await press('r', 'Ctrl+Enter')
    expect(desk.acts()).toEqual([['members.note', 'm1', { body: 'Called' }]])
    expect(field('New note').value).toBe('')
    expect(text('main ol')).toContain('sue')
  })

  it('are typed at once when their tab is chosen: no letter is a key', async () => {
    const desk = await open('overview', { 'members.notes': list() }, 'support')
    await press('9')
    expect(document.activeElement).toBe(field('New note'))
    await press('p', 'v', 'f')
    expect(dialog()).toBeNull()
    expect(desk.acts()).toEqual([])
  })

  it('are only read once the account is closed', async () => {
    await openOffice(
      '/members/m1?tab=notes',
      { 'members.show': { ...member, closedAt: minutesAgo(5) }, 'members.notes': list(note) },
      { role: 'support' },
    )
    expect(text('main ol')).toContain('sue')
    expect(buttons()).not.toContain('Save note')
  })

  it('stay written if they could not be saved', async () => {
    await open('notes', { 'members.notes': list(), 'members.note': lost })
    await enter('New note', 'Called')
    await click('Save note')
    expect(alerts()).toEqual(['You’re offline. Check your connection and try again.'])
    expect(field('New note').value).toBe('Called')
  })
})

describe('a request of the member', () => {
  const answers = {
    'deposits.list': list(deposit),
    'withdrawals.list': list<never>(),
    'verifications.list': list<never>(),
    'deposits.show': deposit,
  }

  it('opens beside the others, and Escape closes it without losing the record', async () => {
    await open('requests', answers, 'finance')
    await openRow('Deposits')
    expect(address()).toBe('/members/m1?tab=requests&request=deposits+d1')
    expect(text('h1')).toContain('zhang.wei')
    expect(text('h2')).toContain(deposit.no)
    expect(text('section header')).toContain('zhang.wei')
    await press('Escape')
    expect(address()).toBe('/members/m1?tab=requests')
    expect(rows('Deposits')).toHaveLength(1)
  })

  it('an address that names none, or one of another role, opens none', async () => {
    await open('requests', answers, 'finance', '&request=nothing')
    expect(text('main')).not.toContain('Confirm receipt')
    await goTo('/members/m1?tab=requests&request=verifications%20v1')
    expect(text('main')).not.toContain('ID number')
  })
})

it.each<[StaffRole, string[]]>([
  ['support', ['1', '2', '3', '4', '5', '6', '7', '8', '9']],
  ['finance', ['1', '2', '3', '4', '5', '8', '9']],
])('each part has the same digit for %s as for any role', async (role, digits) => {
  await open('overview', { 'members.notes': list(), 'members.timeline': list() }, role)
  expect([...document.querySelectorAll('[role=tab] kbd')].map(({ textContent }) => textContent)).toEqual(
    digits,
  )
  await press('8')
  expect(address()).toContain('tab=timeline')
})

it('the address opens the dialog of an action, as the palette does', async () => {
  await openOffice('/members/m1?act=member.endSessions', { 'members.show': member }, { role: 'support' })
  expect(dialog()).toBe('End sessions')
  await click('Back')
  expect(dialog()).toBeNull()
})
