// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import type { officeRoutes } from '../../../../contract/office/routes.ts'
import type { StaffRole } from '../../../../contract/office/staff.ts'
import type { productRoutes } from '../../../../contract/products.ts'
import type { RouteReply } from '../../../../contract/route.ts'
import { sampleOrder } from '../../../support/sampleOrder.ts'
import { sampleProof } from '../../../support/sampleProof.ts'
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
  now,
  openOffice,
  openRow,
  options,
  press,
  refused,
  rows,
  settle,
  text,
  toasts,
  type CallName,
  type OfficeAnswers,
} from '../../../support/officeSetup.tsx'

type Movement = RouteReply<typeof officeRoutes.members.ledger>['items'][number]
type Member = RouteReply<typeof officeRoutes.members.show>

const listed: RouteReply<typeof officeRoutes.members.list>['items'][number] = {
  marks: [],
  id: 'm1',
  account: 'zhang.wei',
  nickname: 'Wei',
  phoneMasked: '+86 138****5678',
  level: 3,
  creditScore: 100,
  verification: 'verified',
  openingCode: 'K7',
  hasWithdrawalAccount: true,
  createdAt: minutesAgo(60 * 24),
  closedAt: null,
}
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
const member: Member = {
  ...listed,
  contactEmail: 'wei@example.com',
  name: '张伟',
  phone: '+86 13812345678',
  openedWith: 'K7',
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
const freeze = {
  id: 'f1',
  memberId: 'm1',
  reason: 'theft_reported' as const,
  from: minutesAgo(60),
  until: now + 14 * 86_400_000,
  renewals: 0,
  tellMember: true,
  endedAt: null,
  endedBy: null,
}
const proposal = {
  id: 'p1',
  act: 'members.freeze' as const,
  subject: { kind: 'member', id: 'm1' },
  memberId: 'm1',
  params: {},
  note: null,
  proposedBy: 'lin',
  proposedAt: now,
  expiresAt: now + 86_400_000,
  status: 'open' as const,
  decidedBy: null,
  decidedAt: null,
  reason: null,
}
const list = <T,>(...items: T[]) => ({ items, nextCursor: null })
const open = (
  part: Partial<Member> = {},
  answers: OfficeAnswers = {},
  role: StaffRole = 'compliance',
  tab = 'overview',
) => openOffice(`/members/m1?tab=${tab}`, { 'members.show': { ...member, ...part }, ...answers }, { role })

describe('the list of members', () => {
  const open = (answers: OfficeAnswers) => openOffice('/members', answers, { role: 'support', isWhole: true })

  it('shows nobody’s details until one is opened', async () => {
    const desk = await open({ 'members.list': list(listed), 'members.show': member })
    expect(rows('Members')).toEqual([
      'zhang.wei | Wei | +86 138****5678 | Verified | Added | 23 Nov 2026, 12:00:00',
    ])
    await press('j')
    expect(desk.sent('members.show')).toEqual([])
    await press('Enter')
    expect(address()).toBe('/members/m1')
  })

  it('says what a member may not do, and lists only such members, as the address says', async () => {
    const desk = await open({
      'members.list': list({ ...listed, marks: ['frozen', 'rests'] }),
      'members.show': member,
    })
    expect(rows('Members')[0]).toMatch(/^zhang\.wei Frozen Withdrawals paused \| Wei/)
    await enter('State', 'Frozen')
    await enter('Username begins with', 'zh')
    await settle(300)
    expect(address()).toBe('/members?account=zh&mark=frozen')
    await goTo('/members/m1')
    await goTo('/members?account=zh&mark=frozen')
    expect(field('Username begins with').value).toBe('zh')
    expect(desk.sent('members.list').at(-1)?.query).toMatchObject({ account: 'zh', mark: 'frozen' })
  })

  it('says which accounts are closed', async () => {
    await open({
      'members.list': list({ ...listed, phoneMasked: '', closedAt: now, marks: ['closed'] }),
    })
    expect(rows('Members')).toEqual(['zhang.wei Closed | Wei | Verified | Added | 23 Nov 2026, 12:00:00'])
  })

  it('asks once for what was typed, when the typing rests', async () => {
    const desk = await open({ 'members.list': list(listed) })
    for (const typed of ['z', 'zh', 'zha ']) await enter('Username begins with', typed)
    await settle(300)
    expect(desk.sent('members.list').map(({ query }) => query['account'])).toEqual([undefined, 'zha'])
  })

  it.each([
    ['is empty', list<typeof listed>(), 'Nothing here.', []],
    ['cannot be read', lost, '', ['You’re offline. Check your connection and try again.']],
    [
      'was opened too often',
      refused(429, 'RECORDS_LIMIT', { params: { retryAfterMs: 60_000 } }),
      '',
      [expect.any(String)],
    ],
  ])('says so if it %s', async (_, answer, empty, said) => {
    await open({ 'members.list': answer })
    await settle(3000)
    expect(text('main').includes('Nothing here.')).toBe(empty !== '')
    expect(alerts()).toEqual(said)
  })
})

describe('the overview', () => {
  it('shows who it is and what is in the account', async () => {
    await open()
    expect(text('h1')).toBe('zhang.wei · 张伟')
    expect(facts()).toMatchObject({
      Nickname: 'Wei',
      Phone: '+86 13812345678',
      Email: 'wei@example.com',
      Total: '5,300.00',
      'Account P&L': '−120.50',
      'Today’s P&L': '+10.00',
      'Maximum stake': 'None',
    })
  })

  it('shows the own limits, and those that come later', async () => {
    const limits = {
      active: { ...none, maxStake: '50.00' },
      pending: [{ field: 'maxStake' as const, value: '200.00', effectiveAt: now + 3_600_000 }],
    }
    await open({ limits })
    expect(facts()['Maximum stake']).toBe('50.00200.00 (from 24 Nov 2026, 13:00:00)')
  })

  it('shows until when the account is frozen, and when it was closed', async () => {
    await open({ frozen: freeze, closedAt: minutesAgo(5), phone: null })
    expect(text('header')).toContain('Frozen until 8 Dec 2026, 12:00:00')
    expect(facts()).toMatchObject({ Closed: '24 Nov 2026, 11:55:00', Phone: '—' })
  })

  it.each([
    [refused(404, 'NOT_FOUND'), 'Not found.'],
    [refused(403, 'FORBIDDEN'), 'Your role doesn’t allow this.'],
    [lost, 'You’re offline. Check your connection and try again.'],
  ])('that cannot be read says why', async (answer, said) => {
    await open({}, { 'members.show': answer })
    await settle(3000)
    expect(alerts()).toEqual([said])
    expect(buttons()).not.toContain('Freeze')
  })
})

describe('what each role sees', () => {
  const tabs = (): string[] =>
    [...document.querySelectorAll('[role=tab]')].map(({ firstChild }) => firstChild!.textContent!)

  it.each<[StaffRole, number, string[]]>([
    ['support', 9, ['Freeze', 'End sessions', 'Remove withdrawal account', 'Write a message']],
    ['finance', 7, []],
    ['compliance', 9, ['Freeze', 'End sessions', 'Revoke verification', 'Remove withdrawal account']],
  ])('%s: %i parts and the own actions', async (role, parts, actions) => {
    await open({}, {}, role)
    expect(tabs()).toHaveLength(parts)
    const all = new Set([
      'Freeze',
      'End sessions',
      'Revoke verification',
      'Remove withdrawal account',
      'Write a message',
    ])
    expect(buttons().filter((name) => all.has(name))).toEqual(actions)
    expect(text('main header').includes('Access log')).toBe(role === 'compliance')
  })

  it('opens a part by its digit', async () => {
    await open({}, { 'members.sessions': { items: [] } }, 'support')
    await press('6')
    expect(address()).toBe('/members/m1?tab=sessions')
    expect(text('main')).toContain('Nothing here.')
  })
})

describe('an action', () => {
  type Case = [string, string, Partial<Member>, CallName, unknown, unknown, string]
  it.each<Case>([
    [
      'Freeze',
      'f',
      {},
      'members.freeze',
      { freeze: null, proposal },
      { reason: 'theft_reported', tellMember: true },
      'Proposed. Someone else has to decide. Undo',
    ],
    [
      'Freeze',
      'f',
      {},
      'members.freeze',
      { freeze, proposal: null },
      { reason: 'theft_reported', tellMember: true },
      'Frozen. Undo',
    ],
    [
      'Renew the freeze',
      'f',
      { frozen: freeze },
      'members.renew-freeze',
      { freeze, proposal: null },
      undefined,
      'Renewed.',
    ],
    ['Unfreeze', 'z', { frozen: freeze }, 'members.unfreeze', { freeze }, undefined, 'Unfrozen.'],
    ['End sessions', 'e', {}, 'members.end-sessions', { ended: 2 }, undefined, 'All sessions have ended.'],
    [
      'Remove withdrawal account',
      'b',
      {},
      'withdrawal-accounts.unbind',
      { id: 'wa1', memberId: 'm1', proposal },
      undefined,
      'Proposed. Someone else has to decide. Undo',
    ],
  ])('%s (%s)', async (label, key, part, call, answer, body, done) => {
    const desk = await open(part, { [call]: answer })
    await press(key)
    expect(dialog()).toBe(label)
    if (label === 'Freeze') await press('1')
    await click(label)
    expect(desk.acts()).toEqual([[call, 'm1', ...(body === undefined ? [] : [body])]])
    expect(toasts()).toEqual([done])
    expect(desk.sent('members.show')).toHaveLength(2)
  })

  it('Revoke verification, with a reason', async () => {
    const desk = await open({}, { 'verifications.revoke': refused(409, 'CONFLICT') })
    await press('t', '2')
    const { value } = field('Reason shown to the member')
    await click('Revoke verification')
    expect(desk.acts()).toEqual([['verifications.revoke', 'm1', { reason: value }]])
    expect(alerts()).toEqual(['Someone else has already decided this, or it has changed.'])
  })

  it('freezes by a digit and Enter, and begins at Back', async () => {
    const desk = await open({}, { 'members.freeze': { freeze: null, proposal } })
    await press('f')
    expect(document.activeElement?.textContent).toBe('Back')
    await press('Enter')
    expect([dialog(), desk.acts()]).toEqual([null, []])
    await press('f', '3', 'Enter')
    const body = { reason: 'order_of_authority', tellMember: true }
    expect(desk.acts()).toEqual([['members.freeze', 'm1', body]])
  })

  it('freezes for no reason that was not chosen', async () => {
    const desk = await open()
    await press('f')
    await click('Freeze')
    expect([text('[role=dialog]').includes('Required'), desk.acts()]).toEqual([true, []])
  })

  it.each([
    ['f', {}, 'Logs zhang.wei out everywhere'],
    ['f', { frozen: freeze }, 'zhang.wei stays frozen for 14 days from then on.'],
    ['b', {}, 'zhang.wei can then add another account.'],
  ])('%s says before that it is only a proposal, where two persons decide', async (key, part, effect) => {
    await open({ ...part, takesTwo: true })
    await press(key)
    expect(text('[role=dialog]')).toContain(`You only propose this: nothing changes until a second person`)
    expect(text('[role=dialog]')).toContain(effect)
  })

  it.each([
    ['f', {}],
    ['f', { frozen: freeze }],
    ['b', {}],
  ])('%s says nothing of a second person where one suffices', async (key, part) => {
    await open(part)
    await press(key)
    expect(text('[role=dialog]')).not.toContain('propose')
  })

  it('that waits for another person is shown at the top, with a link, and is not proposed again', async () => {
    const { id, proposedBy, proposedAt, expiresAt } = { ...proposal, proposedBy: 'wang' }
    const waits = { id, proposedBy, proposedAt, expiresAt }
    const proposals = [
      { ...waits, act: 'members.freeze' as const },
      { ...waits, id: 'p2', act: 'withdrawal-accounts.unbind' as const },
    ]
    await open({ takesTwo: true, proposals }, { 'proposals.list': list() })
    expect(text('main')).toContain('Freeze an account: wang proposed this on ')
    expect(text('main')).toContain('Remove a withdrawal account: wang proposed this on ')
    await press('f', 'b')
    expect(dialog()).toBeNull()
    expect(text('[role=status]')).toContain(
      'Freeze an account: already proposed by wang. Remove a withdrawal account: already proposed by wang.',
    )
    await click('Open the proposal')
    expect(address()).toBe('/proposals/p1')
  })

  it('does not become another one if a colleague was faster', async () => {
    const desk = await open({}, { 'members.freeze': refused(409, 'CONFLICT') })
    await press('f', '1')
    desk.answers['members.show'] = { ...member, frozen: freeze }
    await click('Freeze')
    expect(dialog()).toBe('Freeze')
    expect(alerts()).toEqual(['Someone else has already decided this, or it has changed.'])
  })
})

describe('a message to the member', () => {
  const write = async (answers: OfficeAnswers) => {
    const desk = await open({}, answers, 'support')
    await press('w')
    await enter('The member’s language', 'English')
    await enter('Title', 'Your deposit')
    await enter('Text', 'It has arrived.')
    return desk
  }

  it('is sent in the language chosen', async () => {
    const desk = await write({ 'messages.send': { sent: 1 } })
    await click('Write a message')
    expect(desk.acts()).toEqual([
      ['messages.send', { to: 'm1', title: 'Your deposit', body: 'It has arrived.', lang: 'en' }],
    ])
    expect(toasts()).toEqual(['Sent.'])
    expect(dialog()).toBeNull()
  })

  it('is in the language of the member’s app unless another one is chosen', async () => {
    const desk = await open({ language: 'th' }, { 'messages.send': { sent: 1 } }, 'support')
    expect(facts()).toMatchObject({ Language: 'ไทย' })
    await press('w')
    await enter('Title', 'สวัสดี')
    await enter('Text', 'สวัสดี')
    expect(text('[role=dialog]')).not.toContain('Uses')
    await click('Write a message')
    expect(desk.acts()).toEqual([['messages.send', { to: 'm1', title: 'สวัสดี', body: 'สวัสดี', lang: 'th' }]])
  })

  it('is sent once its language is chosen if the member’s is unknown', async () => {
    const desk = await open({ language: null }, { 'messages.send': { sent: 1 } }, 'support')
    await press('w')
    await enter('Title', 'Hallo')
    await enter('Text', 'Guten Tag')
    await click('Write a message')
    expect(desk.acts()).toEqual([])
    expect(document.activeElement).toBe(field('The member’s language'))
    await enter('The member’s language', 'Deutsch')
    await click('Write a message')
    expect(desk.acts()).toEqual([
      ['messages.send', { to: 'm1', title: 'Hallo', body: 'Guten Tag', lang: 'de' }],
    ])
  })

  it('is kept if it was not sent', async () => {
    await write({ 'messages.send': lost })
    await click('Write a message')
    expect(alerts()).toEqual(['You’re offline. Check your connection and try again.'])
    expect(field('Text').value).toBe('It has arrived.')
  })
})

describe('the parts of the record', () => {
  it('capital record: each movement with its cause', async () => {
    const entry: Movement = {
      id: 'l1',
      at: minutesAgo(3),
      type: 'withdrawal_hold' as const,
      amount: '-800.00',
      balanceAfter: '4000.00',
      held: '800.00',
      fund: '0.00',
      ref: { kind: 'withdrawal', id: 'w1', no: 'W-261124-3F9A', productId: null },
    }
    const grant: Movement = {
      ...entry,
      id: 'l2',
      type: 'grant' as const,
      amount: '10.00',
      ref: { ...entry.ref, kind: 'member' },
    }
    await open({}, { 'members.ledger': list(entry, grant) }, 'finance', 'ledger')
    expect(rows('Transactions')[0]).toContain('−800.00 | 4,000.00 | Withdrawal W-261124-3F9A')
    expect(rows('Transactions')[1]).toMatch(/\+10\.00 \| 4,000\.00$/)
  })

  it('balance fund', async () => {
    const fund = {
      total: '900.00',
      confirmed: '800.00',
      pending: '100.00',
      yesterdayEarnings: '0.03',
      totalEarnings: '0.10',
      per10k: '0.4818',
      rate7dBp: 178,
      depositsLeft: 4,
      withdrawalsLeft: 2,
      fastLeft: '300.00',
      cutoffAt: now,
      resetAt: now,
      nextConfirmOn: '2026-11-25',
      nextEarningOn: '2026-11-25',
      nextCreditOn: '2026-11-26',
      version: 3,
    }
    await open({}, { 'members.fund': fund }, 'finance', 'fund')
    expect(facts()).toMatchObject({
      Confirmed: '800.00',
      Pending: '100.00',
      'Fast limit left today': '300.00',
    })
  })

  it('sessions', async () => {
    const session = {
      id: 'x1',
      device: 'Safari, iPhone',
      ip: '203.0.113.7',
      createdAt: minutesAgo(90),
      lastSeenAt: minutesAgo(1),
    }
    await open({}, { 'members.sessions': { items: [session] } }, 'support', 'sessions')
    expect(rows('Sessions')).toEqual([
      'Safari, iPhone | 203.0.113.7 | 24 Nov 2026, 10:30:00 | 24 Nov 2026, 11:59:00',
    ])
  })

  it.each([
    ['orders', 'members.orders'],
    ['ledger', 'members.ledger'],
    ['fund', 'members.fund'],
    ['sessions', 'members.sessions'],
    ['thread', 'service.show'],
  ] as const)('%s: what cannot be read says why, and not that there is nothing', async (tab, call) => {
    await open({}, { [call]: lost }, 'support', tab)
    await settle(3000)
    expect(alerts()).toEqual(['You’re offline. Check your connection and try again.'])
    expect(text('main')).not.toMatch(/Nothing here|No messages yet/)
  })
})

describe('the requests of a member', () => {
  const decided = {
    memberId: 'm1',
    decidedAt: minutesAgo(1),
    decidedBy: 'wang',
    reason: 'duplicate',
    version: 2,
  }
  const answers: OfficeAnswers = {
    'deposits.list': list({
      ...decided,
      id: 'd1',
      no: 'D-1',
      amount: '1200.00',
      methodId: 'bank',
      status: 'failed',
      awaitsSecondPerson: false,
      createdAt: minutesAgo(9),
      proofUploadId: null,
      confirmedAt: null,
      confirmedBy: null,
      reversed: null,
    }),
    'withdrawals.list': list({
      ...decided,
      id: 'w1',
      no: 'W-1',
      amount: '800.00',
      account: { id: 'wa1', type: 'bank' },
      status: 'failed',
      reference: null,
      timeline: [],
      createdAt: minutesAgo(9),
      approvedAt: null,
      approvedBy: null,
    }),
    'verifications.list': list({
      ...decided,
      id: 'v1',
      status: 'rejected',
      nationality: 'CN',
      frontUploadId: 'u1',
      backUploadId: 'u2',
      photosRemovedAt: null,
      submittedAt: minutesAgo(9),
    }),
    'password-requests.list': list({
      ...decided,
      id: 'r1',
      kind: 'login',
      recovery: true,
      provenBy: null,
      status: 'failed',
      createdAt: minutesAgo(9),
    }),
    'deposits.show': refused(404, 'NOT_FOUND'),
    'withdrawals.show': refused(404, 'NOT_FOUND'),
    'verifications.show': refused(404, 'NOT_FOUND'),
    'password-requests.show': refused(404, 'NOT_FOUND'),
  }
  const tables = ['Deposits', 'Withdrawals', 'Verifications', 'Password requests']

  it.each<[StaffRole, number]>([
    ['support', 4],
    ['finance', 3],
    ['compliance', 4],
  ])('%s sees those that the role may read', async (role, count) => {
    const desk = await open({}, answers, role, 'requests')
    expect(tables.flatMap(rows)).toHaveLength(count)
    expect(rows('Deposits')[0]).toContain('D-1 | 1,200.00 | Rejected')
    expect(rows('Deposits')[0]).toContain('wang')
    expect(desk.sent('deposits.list')[0]?.query['memberId']).toBe('m1')
  })

  it.each<[StaffRole, string, string]>([
    ['support', 'Deposits', '/members/m1?tab=requests&request=deposits+d1'],
    ['support', 'Withdrawals', '/members/m1?tab=requests'],
    ['support', 'Verifications', '/members/m1?tab=requests'],
    ['support', 'Password requests', '/members/m1?tab=requests&request=password-requests+r1'],
    ['compliance', 'Withdrawals', '/members/m1?tab=requests&request=withdrawals+w1'],
    ['compliance', 'Verifications', '/members/m1?tab=requests&request=verifications+v1'],
  ])('%s opens one of %s only if the role may see it', async (role, table, opened) => {
    await open({}, answers, role, 'requests')
    await openRow(table)
    expect(address()).toBe(opened)
  })
})

describe('orders', () => {
  const proof = sampleProof({ id: 'o1', no: 'UT-261124-1' })
  const { order } = proof
  const answers: OfficeAnswers = {
    'members.orders': list(order, sampleOrder({ id: 'o2', no: 'UT-261124-2', status: 'open' })),
    'orders.proof': { ...proof, more: false },
    'market.ticks': { items: [], nextCursor: null } as unknown as RouteReply<typeof productRoutes.ticks>,
  }

  it('are listed, and one’s proof is computed again in the browser', async () => {
    const desk = await open({}, answers, 'support', 'orders')
    expect(rows('Orders')[0]).toContain('UT-261124-1 | A | Buy up | 10.00')
    expect(desk.sent('orders.proof')).toEqual([])
    await openRow('Orders')
    await settle(1000)
    expect(facts()).toMatchObject({ Product: 'A', Amount: '10.00', Rate: '85%' })
    expect(text('main section')).toContain('Exit price')
    expect(document.querySelectorAll('[aria-label=Correct]').length).toBeGreaterThan(3)
    await click('Close')
    expect(text('main')).not.toContain('Exit price')
  })

  it.each([
    ['listed', 'o1', 0],
    ['older than those listed', 'o9', 1],
  ])('one that is %s is opened by the address', async (_, id, reads) => {
    const older = {
      order: sampleOrder({ id: 'o9', no: 'UT-260101-9' }),
      memberId: 'm1',
      account: 'zhang.wei',
    }
    const desk = await openOffice(
      `/members/m1?tab=orders&order=${id}`,
      { 'members.show': member, ...answers, 'orders.show': older },
      { role: 'support' },
    )
    expect(text('section h2')).toBe(id === 'o9' ? 'UT-260101-9' : 'UT-261124-1')
    expect(desk.sent('orders.show')).toHaveLength(reads)
    await click('Close')
    expect(text('section h2')).toBe('')
    // A search for the same order opens it again, because the address has changed.
    expect(address()).toBe('/members/m1?tab=orders')
  })

  it('have no proof before they end', async () => {
    const desk = await open({}, answers, 'support', 'orders')
    await openRow('Orders', 1)
    expect(text('main section')).toContain('The proof is available once the order has ended.')
    expect(desk.sent('orders.proof')).toEqual([])
  })

  it('say why a proof cannot be read', async () => {
    await open({}, { ...answers, 'orders.proof': lost }, 'support', 'orders')
    await openRow('Orders')
    await settle(3000)
    expect(alerts()).toEqual(['You’re offline. Check your connection and try again.'])
  })
})

describe('the conversation', () => {
  const message = (id: string, body: string, from: 'member' | 'desk' = 'member') => ({
    id,
    from,
    body,
    uploadId: null,
    at: minutesAgo(9),
    read: true,
  })
  const answers: OfficeAnswers = {
    'service.show': list(message('2', 'One moment, please.', 'desk'), message('1', 'Where is my deposit?')),
    'service.reply': message('3', 'It has arrived.', 'desk'),
  }
  const read = (): string[] => [...document.querySelectorAll('ol li')].map((one) => one.textContent)

  it('shows the messages, oldest first', async () => {
    await open({}, answers, 'support', 'thread')
    expect(read()).toEqual([
      expect.stringMatching(/^Member .*Where is my deposit\?$/),
      expect.stringMatching(/^Customer service .*One moment, please\.$/),
    ])
  })

  it('goes back to earlier ones', async () => {
    const desk = await open(
      {},
      {
        'service.show': ({ query }) =>
          query.cursor === undefined
            ? { items: [message('2', 'new')], nextCursor: '2' }
            : list(message('1', 'old')),
      },
      'support',
      'thread',
    )
    await click('Earlier messages')
    expect(read().map((one) => one.slice(-3))).toEqual(['old', 'new'])
    expect(desk.sent('service.show').at(-1)?.query['cursor']).toBe('2')
  })

  it('sends a reply with Ctrl and Enter, and clears it', async () => {
    const desk = await open({}, answers, 'support', 'thread')
    await press('r')
    expect(document.activeElement).toBe(field('Reply'))
    await enter('Reply', ' It has arrived. ')
    await press('Ctrl+Enter')
    expect(desk.acts()).toEqual([['service.reply', 'm1', { body: 'It has arrived.' }]])
    expect(field('Reply').value).toBe('')
  })

  it('keeps the reply if it was not sent', async () => {
    await open({}, { ...answers, 'service.reply': lost }, 'support', 'thread')
    await enter('Reply', 'It has arrived.')
    await click('Send')
    expect(alerts()).toEqual(['You’re offline. Check your connection and try again.'])
    expect(field('Reply').value).toBe('It has arrived.')
  })

  it('inserts a sentence in the member’s language after what was written', async () => {
    await open({ language: 'de' }, answers, 'support', 'thread')
    expect(text('main')).not.toContain('Uses')
    await enter('Reply', 'Guten Tag.')
    await press('Ctrl+/')
    await click('Hello, how can we help you?')
    expect(field('Reply').value).toMatch(/^Guten Tag\.\n\p{L}+/u)
    expect(field('Reply').value).not.toContain('Hello')
  })

  it('inserts a sentence in the language of the member’s script if that of the app is not known', async () => {
    await open({ language: null, writesIn: 'zh-CN' }, answers, 'support', 'thread')
    await press('Ctrl+/', 'Enter')
    expect(field('Reply').value).toBe('您好，请问有什么可以帮您？')
  })

  it('finds a sentence by words of it, by keyboard', async () => {
    await open({ language: 'de' }, answers, 'support', 'thread')
    await press('Ctrl+/')
    expect(document.activeElement).toBe(field('Find a ready-made reply'))
    await enter('Find a ready-made reply', 'HELP hello')
    expect(buttons().filter((name) => name.startsWith('Hello'))).toHaveLength(1)
    expect(options()).toHaveLength(1)
    await press('Enter')
    expect(document.activeElement).toBe(field('Reply'))
    expect(field('Reply').value).toMatch(/^\p{L}+/u)
    expect(field('Find a ready-made reply').value).toBe('')
    const all = options().length
    await press('Ctrl+/', 'ArrowDown', 'Enter')
    expect(field('Reply').value.split('\n')).toHaveLength(2)
    await enter('Find a ready-made reply', 'nothing of the kind')
    expect(options()).toEqual([])
    expect(text('main')).toContain('No ready-made reply has these words.')
    await press('Escape')
    expect(document.activeElement).toBe(field('Reply'))
    expect(options()).toHaveLength(all)
  })

  it('keeps half a reply over another page until it is sent', async () => {
    await open({}, answers, 'support', 'thread')
    await enter('Reply', 'We are looking')
    const away = async () => {
      await goTo('/members/m1')
      await goTo('/members/m1?tab=thread')
    }
    await away()
    expect(field('Reply').value).toBe('We are looking')
    await press('r', 'Ctrl+Enter')
    expect(field('Reply').value).toBe('')
    await away()
    expect(field('Reply').value).toBe('')
  })

  it('leaves the reply with Escape, so that keys work again', async () => {
    await open({}, answers, 'support', 'thread')
    await press('r', 'Escape')
    expect(document.activeElement).toBe(document.body)
    expect(address()).toContain('/members/m1')
  })

  it('opens at the newest message, and counts what comes while an earlier one is read', async () => {
    const desk = await open({}, answers, 'support', 'thread')
    const box = document.querySelector<HTMLElement>('[role=log]')!
    const sizes = { scrollHeight: 2000, clientHeight: 400 }
    for (const [name, value] of Object.entries(sizes))
      Object.defineProperty(box, name, { value, configurable: true })
    const come = async (...bodies: string[]) => {
      const old = desk.answers['service.show'] as ReturnType<typeof list<ReturnType<typeof message>>>
      desk.answers['service.show'] = list(...bodies.map((body) => message(body, body)), ...old.items)
      await settle(5000)
    }
    await come('first')
    expect(box.scrollTop).toBe(2000)
    box.scrollTop = 100
    box.dispatchEvent(new Event('scroll'))
    await come('third', 'second')
    expect(box.scrollTop).toBe(100)
    expect(text('[role=status]')).toContain('2 new messages')
    await click('2 new messages')
    expect(box.scrollTop).toBe(2000)
    expect(buttons()).not.toContain('2 new messages')
  })

  it('says that there are no messages, and sends no empty reply', async () => {
    const desk = await open(
      {},
      { ...answers, 'service.show': list<ReturnType<typeof message>>() },
      'support',
      'thread',
    )
    expect(text('main')).toContain('No messages yet.')
    await press('r', 'Ctrl+Enter')
    expect(desk.acts()).toEqual([])
  })
})
