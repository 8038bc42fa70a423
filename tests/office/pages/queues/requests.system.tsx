// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import type { StaffRole } from '../../../../contract/office/staff.ts'
import {
  approvedWithdrawal,
  deposit,
  listed,
  passwordRequest,
  proposal,
  verification,
  withdrawal,
  type Shown,
} from '../../../support/officeRequests.ts'
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
  links,
  lost,
  now,
  openOffice,
  plainFacts,
  press,
  refused,
  settle,
  text,
  toasts,
  wideLimits,
  type CallName,
  type OfficeAnswers,
} from '../../../support/officeSetup.tsx'

/** One row for each kind of request: who decides it, and what is sent and shown when it is accepted or rejected. */
type Kind = {
  queue: string
  id: string
  role: StaffRole
  show: OfficeAnswers
  accept: { key: string; label: string; call: CallName; done: string; answer: unknown; text?: string }
  reject: { call: CallName; answer: unknown }
}
const kinds: Kind[] = [
  {
    queue: 'deposits',
    id: 'd1',
    role: 'finance',
    show: { 'deposits.show': deposit },
    accept: {
      key: 'a',
      label: 'Confirm receipt',
      call: 'deposits.approve',
      done: 'Credited.',
      answer: { ...deposit, status: 'successful' },
    },
    reject: { call: 'deposits.reject', answer: deposit },
  },
  {
    queue: 'withdrawals',
    id: 'w1',
    role: 'finance',
    show: { 'withdrawals.show': withdrawal },
    accept: {
      key: 'a',
      label: 'Approve',
      call: 'withdrawals.approve',
      done: 'Approved.',
      answer: approvedWithdrawal,
    },
    reject: { call: 'withdrawals.reject', answer: withdrawal },
  },
  {
    queue: 'payments',
    id: 'w1',
    role: 'finance',
    show: { 'withdrawals.show': approvedWithdrawal },
    accept: {
      key: 'p',
      label: 'Mark as paid',
      call: 'withdrawals.pay',
      done: 'Payment recorded.',
      answer: { ...approvedWithdrawal, status: 'successful' },
      text: 'ICBC 20261124-0007',
    },
    reject: { call: 'withdrawals.reject', answer: withdrawal },
  },
  {
    queue: 'verifications',
    id: 'v1',
    role: 'compliance',
    show: { 'verifications.show': verification },
    accept: {
      key: 'a',
      label: 'Verify',
      call: 'verifications.approve',
      done: 'Verified.',
      answer: { ...verification, status: 'verified' },
    },
    reject: { call: 'verifications.reject', answer: verification },
  },
  {
    queue: 'password-requests',
    id: 'r1',
    role: 'support',
    show: { 'password-requests.show': passwordRequest },
    accept: {
      key: 'a',
      label: 'Approve',
      call: 'password-requests.approve',
      done: 'Approved.',
      answer: { ...passwordRequest, status: 'successful' },
    },
    reject: { call: 'password-requests.reject', answer: passwordRequest },
  },
]
const openKind = ({ queue, id, role, show }: Kind, answers: OfficeAnswers = {}) =>
  openOffice(
    `/${queue}/${id}`,
    { 'queues.show': { items: [listed(id)], nextCursor: null }, ...show, ...answers },
    { role },
  )
const showCall = ({ show }: Kind): CallName => Object.keys(show)[0] as CallName

describe.each(kinds)('a request of $queue', (kind) => {
  const { queue, id, accept, reject } = kind
  const accepting = async (answers: OfficeAnswers) => {
    const desk = await openKind(kind, answers)
    await press(accept.key)
    if (accept.text !== undefined) await enter('Bank reference', accept.text)
    return desk
  }
  // An approval that may take two persons has room for a note.
  const takesNote = accept.call.endsWith('.approve') && queue !== 'verifications'
  const reference = accept.text === undefined ? [] : [{ reference: accept.text }]
  const sent = [accept.call, id, ...(takesNote ? [{}] : reference)]

  it('is accepted by its key and Enter, and the next one is taken', async () => {
    const desk = await accepting({ [accept.call]: accept.answer })
    expect(dialog()).toBe(accept.label)
    await press('Enter')
    expect(desk.acts()).toEqual([sent, ['queues.next', queue]])
    expect(toasts().join()).toContain(accept.done)
    expect(dialog()).toBeNull()
    expect(address()).toBe(`/${queue}`)
  })

  it('is not accepted by a key without the second press', async () => {
    const desk = await openKind(kind, {})
    await press(accept.key, 'Escape')
    expect(dialog()).toBeNull()
    expect(desk.acts()).toEqual([])
    expect(address()).toBe(`/${queue}/${id}`)
  })

  it('says that a colleague was faster, although it is decided when it is read again', async () => {
    const desk = await accepting({ [accept.call]: refused(409, 'CONFLICT') })
    const { [showCall(kind)]: open } = desk.answers as Record<string, object>
    const status = queue === 'verifications' ? 'rejected' : 'failed'
    Object.assign(desk.answers, {
      [showCall(kind)]: { ...open, status, decidedBy: 'wang', decidedAt: now, reason: 'duplicate' },
    })
    await press('Enter')
    expect(alerts()).toEqual(['Someone else has already decided this, or it has changed.'])
    await press('Escape')
    expect(facts()).toMatchObject({ 'Decided by': 'wang', Reason: 'duplicate' })
    expect(buttons()).not.toContain(accept.label)
  })

  it('names its member after it has left the queue, never by an id', async () => {
    await openKind(kind, { 'queues.show': { items: [], nextCursor: null } })
    expect(text('main section header')).toContain('zhang.wei')
    await goTo('/')
    await openKind(kind, { 'queues.show': { items: [], nextCursor: null }, 'members.facts': lost })
    expect(text('main section header')).not.toContain('m1')
  })

  it('is read again every 15 seconds while it is open: changes show, and what is written stays', async () => {
    const desk = await openKind(kind)
    await press('r')
    await enter('Reason shown to the member', 'In my own words')
    const before = desk.sent(showCall(kind)).length
    const { [showCall(kind)]: open } = desk.answers as Record<string, object>
    Object.assign(desk.answers, {
      'members.facts': { ...plainFacts, closedAt: now },
      [showCall(kind)]: { ...open, decidedBy: 'wang', decidedAt: now },
    })
    await settle(15_000)
    expect(desk.sent(showCall(kind)).length).toBe(before + 1)
    expect(field('Reason shown to the member').value).toBe('In my own words')
    await press('Escape')
    expect(facts()).toMatchObject({ 'Decided by': 'wang', Closed: expect.stringContaining('ago') as string })
  })

  it('is rejected with a sentence in the member’s language', async () => {
    const desk = await openKind(kind, { [reject.call]: reject.answer })
    expect(text('main section header')).toContain('Uses English')
    await press('r')
    expect(dialog()).toBe('Reject')
    await press('1')
    const { value } = field('Reason shown to the member')
    expect(value).toMatch(/^[A-Z][a-z ]/)
    // Another language than the member's says so.
    await enter('The member’s language', '日本語')
    expect(text('[role=dialog]')).toContain('Uses English')
    await enter('The member’s language', 'English')
    expect(text('[role=dialog]')).not.toContain('Uses English')
    await click('Reject')
    expect(desk.acts()).toEqual([
      [reject.call, id, { reason: value }],
      ['queues.next', queue],
    ])
    expect(toasts().join()).toContain('Rejected. The member is sent the reason. zhang.wei')
  })

  it('offers nothing to those who may only look', async () => {
    const may = [accept.call, reject.call]
    await openOffice(`/${queue}/${id}`, kind.show, { role: kind.role, without: may })
    expect(buttons()).not.toContain('Reject')
    expect(buttons()).not.toContain(accept.label)
  })
})

describe('any request', () => {
  const [kind] = kinds as [Kind]
  const open = (answers: OfficeAnswers = {}) => openKind(kind, answers)

  it.each([
    [
      'a colleague works on it',
      refused(409, 'CLAIMED', { params: { by: 'wang', until: now } }),
      'wang is working on this.',
    ],
    ['one has proposed it oneself', refused(409, 'SECOND_PERSON'), 'Another person must decide this.'],
    ['the role lost the call', refused(403, 'FORBIDDEN'), 'Your role doesn’t allow this.'],
    ['the network is lost', lost, 'You’re offline. Check your connection and try again.'],
  ])('stays open with the reason if %s, and can be sent again', async (_, answer, said) => {
    const desk = await open({ 'deposits.approve': answer })
    await press('a')
    await press('Enter')
    expect(dialog()).toBe('Confirm receipt')
    expect(alerts()).toEqual([said])
    Object.assign(desk.answers, { 'deposits.approve': kind.accept.answer })
    await click('Confirm receipt')
    const sent = ['deposits.approve', 'd1', {}]
    expect(desk.acts()).toEqual([sent, sent, ['queues.next', 'deposits']])
  })

  it('keeps the reason in own words if it was not sent', async () => {
    const desk = await open({ 'deposits.reject': lost })
    await press('r')
    await enter('Reason shown to the member', ' Please call us. ')
    await click('Reject')
    expect(alerts()).toEqual(['You’re offline. Check your connection and try again.'])
    expect(field('Reason shown to the member').value).toBe(' Please call us. ')
    expect(desk.acts()).toEqual([['deposits.reject', 'd1', { reason: 'Please call us.' }]])
  })

  it('keeps a reason in own words until it is sent', async () => {
    const desk = await open({ 'deposits.reject': deposit })
    await press('r')
    await enter('Reason shown to the member', 'Please call us.')
    await press('Escape', 'Escape')
    expect(address()).toBe('/deposits')
    await goTo('/deposits/d1')
    await press('r')
    expect(field('Reason shown to the member').value).toBe('Please call us.')
    await click('Reject')
    expect(desk.acts()[0]).toEqual(['deposits.reject', 'd1', { reason: 'Please call us.' }])
    await goTo('/deposits/d1')
    await press('r')
    expect(field('Reason shown to the member').value).toBe('')
  })

  it('is not rejected without a reason', async () => {
    const desk = await open()
    await press('r', 'Enter')
    expect(text('[role=dialog]')).toContain('Required')
    expect(desk.acts()).toEqual([])
  })

  it.each([
    [refused(404, 'NOT_FOUND'), 'Not found.'],
    [refused(403, 'FORBIDDEN'), 'Your role doesn’t allow this.'],
    [lost, 'You’re offline. Check your connection and try again.'],
  ])('that cannot be read says why', async (answer, said) => {
    await open({ 'deposits.show': answer })
    await settle(3000)
    expect(alerts()).toEqual([said])
    expect(buttons()).not.toContain('Reject')
  })

  it('leads to its member with m', async () => {
    await open({ 'members.show': refused(404, 'NOT_FOUND') })
    expect(links()).toContain('zhang.wei')
    await press('m')
    expect(address()).toBe('/members/m1')
  })
})

describe('what a clerk compares', () => {
  it.each<[string, Partial<Shown<'deposits'>>, string]>([
    ['a deposit without a proof', { proofUploadId: null }, 'No proof of payment: needs two approvals.'],
    [
      'a deposit with a proof seen before',
      {
        sameProof: [
          {
            id: 'd9',
            no: 'D-261101-AAAA',
            memberId: 'm9',
            account: 'li.na',
            status: 'failed',
            createdAt: now,
          },
        ],
      },
      'The same picture was also used for: D-261101-AAAA',
    ],
    [
      'a credited deposit',
      { awaitsSecondPerson: true, status: 'successful', proposal },
      'Credited by one person.',
    ],
  ])('%s', async (_, part, said) => {
    await openOffice('/deposits/d1', { 'deposits.show': { ...deposit, ...part } })
    expect(text('main section')).toContain(said)
  })

  it('a deposit: its amount, way, and proof with the clerk’s name', async () => {
    const bank = { id: 'bank-cny', kind: 'bank' as const, currency: 'CNY', min: '1.00', max: '9000.00' }
    const limits = { 'limits.show': { ...wideLimits, deposits: [bank] } }
    const desk = await openOffice('/deposits/d1', { 'deposits.show': deposit, ...limits })
    expect(facts()).toMatchObject({
      Amount: '1,200.00 USD',
      Method: 'Bank (CNY)',
      Status: 'Under review',
      Submitted: '24 Nov 2026, 11:20:00',
    })
    expect(desk.sent('uploads.show')).toMatchObject([{ params: { id: 'u1' } }])
    expect(text('figure')).toContain('Proof of payment')
  })

  it.each<[string, Partial<Shown<'withdrawals'>>, string[]]>([
    ['the same names', {}, ['张伟 张伟', 'The two names are the same.']],
    ['other names', { verifiedName: '李娜', nameMatches: false }, ['The two names differ. Check them.']],
    [
      'no verified name',
      { verifiedName: null, nameMatches: false },
      ['Not verified', 'The two names differ. Check them.'],
    ],
  ])('a withdrawal with %s', async (_, part, said) => {
    await openOffice('/withdrawals/w1', { 'withdrawals.show': { ...withdrawal, ...part } })
    for (const sentence of said.slice(-1)) expect(text('main section')).toContain(sentence)
    expect(facts()).toMatchObject({
      Bank: 'Bank of China',
      'Card or account number': '6217 8888 0000 1234',
      'Country or region': 'China',
      'Account address (branch)': 'Nanjing Road 1, Shanghai',
    })
  })

  it('a withdrawal to an address with a tag', async () => {
    const payTo = {
      type: 'crypto' as const,
      accountName: 'Zhang Wei',
      nationality: 'SG',
      currency: 'USDT',
      currencyAddress: 'TQ5Wd4hYkzW9sA6bC7dE8fG9hJ1kL2mN3p',
      memo: '778899',
    }
    await openOffice('/withdrawals/w1', { 'withdrawals.show': { ...withdrawal, payTo } })
    expect(facts()).toMatchObject({
      Currency: 'USDT',
      'Country or region': 'Singapore',
      'Currency address': payTo.currencyAddress,
      'Memo or tag': '778899',
    })
  })

  it('a verification: its name and number beside both photos, which are gone after their time', async () => {
    const role = { role: 'compliance' as const }
    const desk = await openOffice('/verifications/v1', { 'verifications.show': verification }, role)
    expect(facts()).toMatchObject({
      Name: '张伟',
      'ID number': '310101199001010011',
      'Country or region': 'China',
    })
    expect(desk.sent('uploads.show').map(({ params }) => params['id'])).toEqual(['u2', 'u3'])
    desk.answers['verifications.show'] = { ...verification, photosRemovedAt: now }
    await settle(3000)
    await press('Escape')
    await openOffice('/verifications/v1', desk.answers, role)
    expect(text('main section')).toContain('The photos were deleted when their retention period ended.')
  })

  it('a deposit for a role that does not work on deposits: the request, without the queue and its acts', async () => {
    const desk = await openOffice('/deposits/d1', { 'deposits.show': deposit }, { role: 'support' })
    expect(facts()).toMatchObject({ Amount: '1,200.00 USD' })
    expect(buttons().filter((name) => /Approve|Reject/.test(name))).toEqual([])
    expect(desk.sent('queues.show')).toEqual([])
    expect(alerts()).toEqual([])
  })

  it('a picture that cannot be read', async () => {
    await openOffice('/deposits/d1', { 'deposits.show': deposit, 'uploads.show': refused(404, 'NOT_FOUND') })
    expect(alerts()).toEqual(['Not found.'])
  })

  it('a picture: larger, smaller and turned', async () => {
    await openOffice('/deposits/d1', { 'deposits.show': deposit })
    expect(text('figcaption')).toContain('Whole picture')
    const zoom = (): string => /\d+%/.exec(text('figcaption'))?.[0] ?? ''
    await click('Zoom in')
    expect(zoom()).toBe('100%')
    await click('Zoom in')
    expect(zoom()).toBe('150%')
    await click('Zoom out')
    await click('Zoom out')
    expect(text('figcaption')).toContain('Whole picture')
    await click('Rotate')
    expect(document.querySelector('canvas')?.style.transform).toBe('rotate(90deg)')
  })
})

/** A request that waits for a second person. */
const approving = (noun: 'withdrawals' | 'password-requests') => ({
  ...proposal,
  act: `${noun}.approve` as const,
})

describe('the second person', () => {
  it('confirms a deposit that the first one credited', async () => {
    const awaiting = { ...deposit, status: 'successful' as const, awaitsSecondPerson: true, proposal }
    const desk = await openOffice('/deposits/d1', {
      'deposits.show': awaiting,
      'deposits.approve': {
        ...awaiting,
        awaitsSecondPerson: false,
        proposal: { ...proposal, status: 'confirmed' },
      },
    })
    expect(facts()).toMatchObject({ 'Proposed by': 'wang', Proposed: '24 Nov 2026, 11:30:00' })
    expect(text('main section')).toContain('wang approved this. You’re the second person.')
    expect(buttons()).not.toContain('Reject')
    await press('a', 'Enter')
    expect(desk.acts()[0]).toEqual(['deposits.approve', 'd1', {}])
    expect(toasts().join()).toContain('Confirmed.')
  })

  const waiting: [string, StaffRole, OfficeAnswers][] = [
    [
      'deposits/d1',
      'finance',
      { 'deposits.show': { ...deposit, status: 'successful', awaitsSecondPerson: true, proposal } },
    ],
    [
      'withdrawals/w1',
      'finance',
      { 'withdrawals.show': { ...withdrawal, proposal: approving('withdrawals') } },
    ],
    [
      'password-requests/r1',
      'support',
      { 'password-requests.show': { ...passwordRequest, proposal: approving('password-requests') } },
    ],
  ]

  it.each(waiting)('confirms or declines what waits in %s', async (path, role, show) => {
    const declined = { 'proposals.decline': { proposal: { ...proposal, status: 'declined' as const } } }
    const desk = await openOffice(`/${path}`, { ...show, ...declined }, { role })
    expect(text('main section')).toContain('wang approved this. You’re the second person.')
    const acts = ['Confirm as the second person', 'Decline']
    expect(buttons().filter((name) => /Confirm|Approve|Decline|Reject/.test(name))).toEqual(acts)
    await press('a')
    expect(text('[role=dialog]')).toContain('This can’t be undone.')
    await press('Escape', 'r')
    await enter('Reason', 'The caller was not the member.')
    await press('Enter')
    const reason = { reason: 'The caller was not the member.' }
    expect(desk.acts()[0]).toEqual(['proposals.decline', 'p1', reason])
  })

  it.each(waiting)('is another one than who proposed what waits in %s', async (path, role, show) => {
    const [[call, shown] = ['', {}]] = Object.entries(show as Record<string, object>)
    const own = { ...shown, proposal: { ...proposal, proposedBy: 'lin' } }
    const desk = await openOffice(
      `/${path}`,
      { [call]: own, 'proposals.cancel': { proposal: { ...proposal, status: 'cancelled' } } },
      { role },
    )
    expect(text('main section')).toContain('You proposed this. Someone else has to decide.')
    expect(buttons().filter((name) => /Confirm|Approve|Decline|Reject/.test(name))).toEqual([])
    await press('x', 'Enter')
    expect(desk.acts()[0]).toEqual(['proposals.cancel', 'p1'])
  })

  it('is asked again for a deposit that was credited and then declined', async () => {
    const credited = { ...deposit, status: 'successful' as const, awaitsSecondPerson: true, takesTwo: true }
    const desk = await openOffice('/deposits/d1', {
      'deposits.show': credited,
      'deposits.approve': { ...credited, proposal },
    })
    await press('a')
    expect(text('[role=dialog]')).toContain('A second person decides.')
    expect(text('[role=dialog]')).not.toContain('This can’t be undone.')
    await press('Enter')
    expect(desk.acts()[0]).toEqual(['deposits.approve', 'd1', {}])
    expect(toasts().join()).toContain('Proposed. Someone else has to decide.')
  })

  it('takes a credited deposit back, for the reason that the first one gave', async () => {
    const credited = { ...deposit, status: 'successful' as const, awaitsSecondPerson: true, takesTwo: true }
    const rejection = { ...proposal, act: 'deposits.reject' as const, params: { reason: 'It never came' } }
    const desk = await openOffice('/deposits/d1', {
      'deposits.show': { ...credited, proposal: rejection },
      'proposals.confirm': { proposal: rejection, result: null },
    })
    expect(text('main section')).toContain('wants to reject this: It never came. You’re the second person.')
    await press('a', 'Enter')
    // What takes something away has the focus on Back.
    expect(desk.acts()).toEqual([])
    await press('a')
    await click('Reject as the second person')
    expect(desk.acts()[0]).toEqual(['proposals.confirm', 'p1'])
  })

  it.each(kinds.filter(({ queue }) => queue === 'withdrawals' || queue === 'password-requests'))(
    'is needed for a request of $queue: the first one only proposes',
    async (kind) => {
      const answer = { ...(Object.values(kind.show)[0] as object), proposal }
      await openKind(kind, { [kind.accept.call]: answer })
      await press('a', 'Enter')
      expect(toasts().join()).toContain('Proposed. Someone else has to decide.')
    },
  )
})

describe('a forgotten password', () => {
  const forgotten = { ...passwordRequest, kind: 'login' as const, recovery: true }
  const link = 'https://uptick.example/#/recover/abc'

  it('gives a link, shown until it is closed, and only then the next request', async () => {
    const desk = await openOffice(
      '/password-requests/r1',
      {
        'password-requests.show': forgotten,
        'password-requests.approve': {
          ...forgotten,
          status: 'successful',
          link,
          linkExpiresAt: now + 1_800_000,
        },
      },
      { role: 'support' },
    )
    expect(facts()).toMatchObject({ Password: 'Login password', 'Current password': 'Forgotten' })
    await press('a')
    await click('I called the registered number …5678 and the member answered.')
    await press('Enter')
    expect(text('[role=status]')).toContain(link)
    expect(desk.acts()).toHaveLength(1)
    await click('Close')
    expect(desk.acts()[1]).toEqual(['queues.next', 'password-requests'])
  })

  it('gives who proposes it a code to read out, shown while the proposal is open', async () => {
    const own = { ...proposal, act: 'password-requests.approve' as const, proposedBy: 'lin' }
    let status: 'open' | 'cancelled' | undefined
    const shown = () => ({ ...forgotten, takesTwo: true, proposal: status ? { ...own, status } : null })
    const desk = await openOffice(
      '/password-requests/r1',
      {
        'password-requests.show': shown,
        'password-requests.approve': () => {
          status = 'open'
          return { ...shown(), firstCode: '12345678' }
        },
        'proposals.cancel': () => {
          status = 'cancelled'
          return { proposal: { ...own, status } }
        },
      },
      { role: 'support' },
    )
    await press('a')
    await click('I called the registered number …5678 and the member answered.')
    await press('Enter')
    expect(text('[role=status]')).toContain('1234 5678')
    expect(text('[role=status]')).not.toContain('Copy link')
    await press('x', 'Enter')
    expect(desk.acts()[1]).toEqual(['proposals.cancel', 'p1'])
    expect(text('main')).not.toContain('1234 5678')
  })
})

it('who let it be paid is on a request after it was paid: the one who proposed it too', async () => {
  await openOffice('/withdrawals/w1', {
    'queues.show': { items: [], nextCursor: null },
    'withdrawals.show': {
      ...approvedWithdrawal,
      status: 'successful',
      decidedBy: 'bo',
      confirmed: { proposedBy: 'mei', proposedAt: approvedWithdrawal.createdAt },
    },
  })
  expect(facts()).toMatchObject({ 'Proposed by': 'mei', 'Approved by': 'wang', 'Decided by': 'bo' })
})
