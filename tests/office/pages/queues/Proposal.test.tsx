// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import type { Declined, Proposal } from '../../../../contract/office/fourEyes.ts'
import type { StaffRole } from '../../../../contract/office/staff.ts'
import { deposit, listed, passwordRequest, withdrawal } from '../../../support/officeRequests.ts'
import {
  address,
  alerts,
  buttons,
  click,
  enter,
  facts,
  field,
  links,
  lost,
  minutesAgo,
  now,
  openOffice,
  plainFacts,
  press,
  refused,
  rows,
  settle,
  text,
  toasts,
  type OfficeAnswers,
} from '../../../support/officeSetup.tsx'

const freeze: Proposal & { declined: Declined[] } = {
  id: 'p1',
  act: 'members.freeze',
  subject: { kind: 'member', id: 'm1' },
  memberId: 'm1',
  params: { reason: 'theft_reported', tellMember: true },
  note: null,
  proposedBy: 'wang',
  proposedAt: minutesAgo(30),
  expiresAt: now + 86_400_000,
  status: 'open',
  decidedBy: null,
  decidedAt: null,
  reason: null,
  declined: [],
}
const open = (
  part: Partial<typeof freeze> = {},
  answers: OfficeAnswers = {},
  role: StaffRole = 'compliance',
) => {
  const proposal = { ...freeze, ...part }
  const { id, act, memberId, proposedBy, proposedAt } = proposal
  const item = {
    id,
    no: null,
    memberId,
    account: memberId === null ? null : 'zhang.wei',
    language: 'en' as const,
    amount: null,
    method: null,
    hasPicture: null,
    country: null,
    unread: null,
    preview: null,
    act,
    params: proposal.params,
    approvedBy: null,
    dangers: [],
    secondDeclined: null,
    proposedBy,
    proposedAt,
    createdAt: proposedAt,
    claim: null,
  }
  return openOffice(
    '/proposals/p1',
    {
      'queues.show': { items: [item], nextCursor: null },
      'proposals.list': { items: [proposal], nextCursor: null },
      'withdrawals.show': { ...withdrawal, amount: '80000.00', proposal },
      'password-requests.show': { ...passwordRequest, proposal },
      ...answers,
    },
    { role },
  )
}

it('the list says what is proposed, about whom and by whom, which an open one says itself', async () => {
  await open()
  expect(rows('Approvals')).toEqual(['30 min | Freeze an account | zhang.wei'])
  await press('Escape')
  expect(rows('Approvals')).toEqual([
    '30 min | Freeze an account | zhang.wei | Theft reported by the member | wang',
  ])
})

it('is found beyond the first page, and is not called decided before the last', async () => {
  const desk = await open(
    {},
    {
      'proposals.list': ({ query }) =>
        query.cursor === undefined
          ? { items: [{ ...freeze, id: 'p0' }], nextCursor: 'more' }
          : { items: [freeze], nextCursor: null },
    },
  )
  await settle(100)
  expect(text('main section')).not.toContain('Already decided')
  expect(facts()).toMatchObject({ Action: 'Freeze an account' })
  expect(desk.sent('proposals.list').map(({ query }) => query['cursor'])).toEqual([undefined, 'more'])
})

it.each<[string, Partial<Proposal>, StaffRole, Record<string, string>, string | undefined]>([
  [
    'a freeze',
    {},
    'compliance',
    { Action: 'Freeze an account', Reason: 'Theft reported by the member', 'Notify the member': 'yes' },
    '#/members/m1',
  ],
  [
    'a withdrawal',
    {
      act: 'withdrawals.approve',
      subject: { kind: 'withdrawal', id: 'w1' },
      params: { no: 'W-261124-3F9A', amount: '80000.00' },
    },
    'finance',
    { Action: 'Approve a withdrawal', Number: 'W-261124-3F9A', Amount: '80,000.00 USD' },
    '#/withdrawals/w1',
  ],
  [
    'a new password',
    { act: 'password-requests.approve', subject: { kind: 'password-request', id: 'r1' }, params: {} },
    'support',
    { Action: 'Approve a new password' },
    '#/password-requests/r1',
  ],
  [
    'a new member of staff',
    {
      act: 'staff.create',
      subject: { kind: 'staff', id: 's9' },
      memberId: null,
      params: { name: 'chen', role: 'finance' },
    },
    'admin',
    { Action: 'Add staff', Name: 'chen', Role: 'Finance' },
    '#/staff',
  ],
  [
    'a limit',
    {
      act: 'limits.withdrawals',
      subject: { kind: 'limit', id: 'withdrawals' },
      memberId: null,
      params: { twoPersonsAbove: '5000.00' },
    },
    'admin',
    { Action: 'Change the second-approval amount', 'Second approval needed above, per member': '5,000.00' },
    '#/limits',
  ],
  [
    'an unbinding, which has no screen',
    { act: 'withdrawal-accounts.unbind', subject: { kind: 'withdrawal-account', id: 'wa1' }, params: {} },
    'support',
    { Action: 'Remove a withdrawal account' },
    undefined,
  ],
])('%s is shown with what it would do', async (_, part, role, shown, path) => {
  await open(part, {}, role)
  const { Action: act = '', ...said } = shown
  expect(text('main section h2')).toBe(act)
  expect(facts()).toMatchObject({ 'Proposed by': 'wang', Proposed: '24 Nov 2026, 11:30:00', ...said })
  expect(links().includes('View details')).toBe(path !== undefined)
  if (path !== undefined) expect(document.querySelector(`main section a[href="${path}"]`)).not.toBeNull()
})

it('the removal of a withdrawal account says which one, and what was noted last about the member', async () => {
  const note = { id: 'n1', at: minutesAgo(40), by: 'night.help', body: 'Called: the card was lost.' }
  const unbind = {
    act: 'withdrawal-accounts.unbind',
    subject: { kind: 'withdrawal-account', id: 'wa1' },
    params: {},
  } as const
  const answers: OfficeAnswers = {
    'members.facts': { ...plainFacts, latestNote: note, noteCount: 1 },
    'members.identity': { document: null, payTo: withdrawal.payTo },
  }
  await open(unbind, answers)
  expect(facts()).toMatchObject({
    'Account holder': '张伟',
    'Card or account number': '6217 8888 0000 1234',
    'Latest note': expect.stringContaining('night.help') as string,
  })
  expect(text('main section')).toContain('Called: the card was lost.')
  // A role that does not see payees is asked nothing about them.
  const desk = await open(unbind, answers, 'support')
  expect(desk.sent('members.identity')).toEqual([])
  expect(text('main section')).toContain('Called: the card was lost.')
})

it('another one confirms it with A and Enter', async () => {
  const confirmed = { proposal: { ...freeze, status: 'confirmed' as const }, result: { freeze: null } }
  const desk = await open({}, { 'proposals.confirm': confirmed })
  expect(text('main section')).toContain('wang proposed this. You’re the second person.')
  expect(buttons()).toContain('Confirm as the second person')
  await press('a')
  expect(text('[role=dialog]')).toContain('Freeze an account')
  await press('Enter')
  expect(desk.acts()).toEqual([
    ['proposals.confirm', 'p1'],
    ['queues.next', 'proposals'],
  ])
  expect(toasts().join()).toContain('Confirmed. zhang.wei')
})

it('declining a deposit says that the amount stays credited', async () => {
  await openOffice('/deposits/d1', {
    'queues.show': { items: [listed('d1')], nextCursor: null },
    'deposits.show': {
      ...deposit,
      status: 'successful',
      awaitsSecondPerson: true,
      proposal: { ...freeze, act: 'deposits.approve', subject: { kind: 'deposit', id: 'd1' } },
    },
  })
  await press('r')
  expect(text('[role=dialog]')).toContain('The amount stays credited.')
  expect(text('[role=dialog]')).toContain('the deposit stays in the queue.')
})

it('a deposit whose second approval was declined says by whom and why', async () => {
  await openOffice('/deposits/d1', {
    'deposits.show': {
      ...deposit,
      status: 'successful',
      awaitsSecondPerson: true,
      declined: [
        {
          act: 'deposits.approve',
          proposedBy: 'wang',
          decidedBy: 'mei',
          decidedAt: now,
          reason: 'Same receipt',
        },
      ],
    },
  })
  expect(text('main section')).toContain('Credited. mei declined the second approval: Same receipt')
})

it('raising the limit is typed by the second person too, who sees both amounts before and after', async () => {
  const params = {
    twoPersonsAboveBefore: '1000.00',
    twoPersonsAbove: '50000.00',
    twoPersonsAboveInAllBefore: '10000.00',
    twoPersonsAboveInAll: '500000.00',
  }
  const part = { act: 'limits.withdrawals', subject: { kind: 'limit', id: 'withdrawals' } } as const
  const confirmed = { proposal: { ...freeze, ...part, params, status: 'confirmed' as const }, result: null }
  const desk = await open({ ...part, memberId: null, params }, { 'proposals.confirm': confirmed }, 'admin')
  expect(facts()).toMatchObject({
    'Second approval needed above, per member': '1,000.00 → 50,000.00',
    'Second approval needed above, in total': '10,000.00 → 500,000.00',
  })
  await press('a', 'Enter')
  expect(desk.acts()).toEqual([])
  await enter('Type the amount to continue', '50000')
  await press('Enter')
  expect(desk.acts()[0]).toEqual(['proposals.confirm', 'p1'])
  expect(alerts()).toEqual([])
})

it('another one declines it with a reason, which is kept if it was not sent', async () => {
  const desk = await open({}, { 'proposals.decline': lost })
  await press('r', 'Enter')
  expect(text('[role=dialog]')).toContain('Required')
  await enter('Reason', 'The caller was not the member.')
  await press('Enter')
  expect(alerts()).toEqual(['You’re offline. Check your connection and try again.'])
  expect(field('Reason').value).toBe('The caller was not the member.')
  desk.answers['proposals.decline'] = { proposal: { ...freeze, status: 'declined' } }
  await click('Decline')
  const sent = ['proposals.decline', 'p1', { reason: 'The caller was not the member.' }]
  expect(desk.acts()).toEqual([sent, sent, ['queues.next', 'proposals']])
  expect(toasts().join()).toContain('Declined. zhang.wei')
})

it('one’s own can only be taken back', async () => {
  const cancelled = { proposal: { ...freeze, status: 'cancelled' as const } }
  const desk = await open({ proposedBy: 'lin' }, { 'proposals.cancel': cancelled })
  expect(text('main section')).toContain('You proposed this. Someone else has to decide.')
  expect(buttons()).not.toContain('Confirm as the second person')
  expect(buttons()).not.toContain('Claim')
  await press('x', 'Enter')
  expect(desk.acts()[0]).toEqual(['proposals.cancel', 'p1'])
  expect(toasts().join()).toContain('Cancelled. zhang.wei')
})

it('is read again every 15 seconds while it is open: it says so when a colleague has decided it', async () => {
  const desk = await open()
  expect(buttons()).toContain('Confirm as the second person')
  Object.assign(desk.answers, {
    'proposals.list': { items: [], nextCursor: null },
    'members.facts': { ...plainFacts, closedAt: now },
  })
  await settle(15_000)
  expect(buttons()).not.toContain('Confirm as the second person')
  expect(text('section h2')).toContain('Already decided')
  expect(facts()).toHaveProperty('Closed')
})

it('says that a colleague was faster', async () => {
  const desk = await open({}, { 'proposals.confirm': refused(409, 'CONFLICT') })
  await press('a')
  desk.answers['proposals.list'] = { items: [], nextCursor: null }
  await press('Enter')
  expect(alerts()).toEqual(['Someone else has already decided this, or it has changed.'])
  await press('Escape')
  expect(text('main section')).toContain('Already decided')
})

it('the link of a confirmed recovery is shown before the next one is taken', async () => {
  const link = 'https://uptick.example/#/recover/abc'
  const desk = await open(
    { act: 'password-requests.approve', subject: { kind: 'password-request', id: 'r1' }, params: {} },
    { 'proposals.confirm': { proposal: { ...freeze, status: 'confirmed' }, result: { link } } },
    'support',
  )
  await press('a', 'Enter')
  expect(text('[role=status]')).toContain(link)
  expect(desk.acts()).toHaveLength(1)
  await click('Close')
  expect(desk.acts()[1]).toEqual(['queues.next', 'proposals'])
})

it.each([
  ['that has gone', { items: [], nextCursor: null }, 'Already decided', []],
  ['that cannot be read', lost, 'Approvals', ['You’re offline. Check your connection and try again.']],
])('one %s says so', async (_, answer, title, said) => {
  await open({}, { 'proposals.list': answer })
  await settle(3000)
  expect(text('main section h2')).toBe(title)
  expect(alerts()).toEqual(said)
  await press('Escape')
  expect(address()).toBe('/proposals')
})

it('says once who proposed a request, when, and of how much', async () => {
  await open(
    {
      act: 'withdrawals.approve',
      subject: { kind: 'withdrawal', id: 'w1' },
      params: { no: 'W-261124-3F9A', amount: '80000.00' },
    },
    {},
    'finance',
  )
  const labels = [...document.querySelectorAll('main section dt')].map(({ textContent }) => textContent)
  expect(labels).toEqual(
    expect.arrayContaining(['Proposed by', 'Proposed', 'Amount', 'Number', 'Proposal ends']),
  )
  for (const label of ['Proposed by', 'Proposed', 'Amount'])
    expect(labels.filter((one) => one === label)).toHaveLength(1)
})

const ofWithdrawal = {
  act: 'withdrawals.approve',
  subject: { kind: 'withdrawal', id: 'w1' },
  params: { no: 'W-261124-3F9A', amount: '800.00' },
} as const
const confirmed = { proposal: { ...freeze, status: 'confirmed' as const }, result: null }

it('the second person sees payee, member and dangers as the first one did, and types the amount too', async () => {
  const shown = { ...withdrawal, verifiedName: '李娜', nameMatches: false }
  const answers = { 'withdrawals.show': shown, 'proposals.confirm': confirmed }
  const desk = await open(ofWithdrawal, answers, 'finance')
  const danger = 'The money would go to 张伟, but the verified name is 李娜.'
  expect(text('main section')).toContain(danger)
  expect(facts()).toMatchObject({
    'Card or account number': '6217 8888 0000 1234',
    Deposited: '6,000.00 (3 requests)',
    'Withdrawal account changed': 'Never',
  })
  await press('a', 'Enter')
  expect(text('[role=dialog]')).toContain(danger)
  expect(text('[role=dialog]')).toContain('zhang.wei · W-261124-3F9A · 800.00')
  expect(desk.acts()).toEqual([])
  await enter('Type the amount to continue', '800')
  await press('Enter')
  expect(desk.acts()[0]).toEqual(['proposals.confirm', 'p1'])
})

it('a deposit is confirmed once its proof has been shown', async () => {
  const credited = { ...deposit, status: 'successful' as const, awaitsSecondPerson: true }
  const act = { act: 'deposits.approve', subject: { kind: 'deposit', id: 'd1' } } as const
  const desk = await open(
    { ...act, params: { no: deposit.no, amount: deposit.amount } },
    { 'deposits.show': credited, 'uploads.show': lost, 'proposals.confirm': confirmed },
    'finance',
  )
  expect(text('main section')).toContain('The picture can’t be shown, so you can only reject this request.')
  await press('a', 'Enter')
  expect(desk.acts()).toEqual([])
})

it('what it is about must be readable before it is confirmed', async () => {
  const desk = await open(
    ofWithdrawal,
    { 'withdrawals.show': lost, 'proposals.confirm': confirmed },
    'finance',
  )
  await settle(3000)
  await press('a', 'Enter')
  expect(desk.acts()).toEqual([])
  expect(alerts()).toEqual(['You’re offline. Check your connection and try again.'])
})

const before = {
  act: 'withdrawals.approve' as const,
  proposedBy: 'wang',
  decidedBy: 'mei',
  decidedAt: minutesAgo(60),
  reason: 'No such payment',
}
it.each<[string, () => Promise<unknown>]>([
  ['of an act on a member', () => open({ declined: [before] })],
  [
    'of a withdrawal',
    () =>
      open(
        { act: 'withdrawals.approve', subject: { kind: 'withdrawal', id: 'w1' } },
        { 'withdrawals.show': { ...withdrawal, declined: [before] } },
        'finance',
      ),
  ],
])('a proposal %s says who declined the same before, and why', async (_, opens) => {
  await opens()
  expect(text('main section')).toContain('mei already declined this, proposed by wang: No such payment')
})

it('a withdrawal says who wanted to reject it, and who declined that', async () => {
  const declined = [{ ...before, act: 'withdrawals.reject' as const, reason: 'The card is open' }]
  await openOffice('/withdrawals/w1', { 'withdrawals.show': { ...withdrawal, declined } })
  expect(text('main section')).toContain(
    'wang wanted to reject this, and mei declined that: The card is open',
  )
})

it('who confirms a new member of staff reads the link that sets the account up, and the next proposal waits', async () => {
  const proposal = {
    ...freeze,
    act: 'staff.create' as const,
    subject: { kind: 'staff', id: 'mei' },
    memberId: null,
    params: { name: 'mei', role: 'support' },
  }
  const enrolment = { code: 'abc/1', expiresAt: now + 86_400_000 }
  await open(
    proposal,
    {
      'proposals.confirm': {
        proposal: { ...proposal, status: 'confirmed', decidedBy: 'lin', decidedAt: now },
        result: { staff: { name: 'mei' }, enrolment },
      },
    },
    'admin',
  )
  await press('a', 'Enter')
  expect(text('[role=status]')).toContain('Set-up link for mei')
  expect(text('[role=status]')).toContain('/office/#/enrol/abc%2F1')
  expect(address()).toBe('/proposals/p1')
})
