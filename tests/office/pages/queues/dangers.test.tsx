// @vitest-environment happy-dom
import { act } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { MemberFacts, SecurityChange } from '../../../../contract/office/memberFacts.ts'
import {
  alone,
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
  links,
  address,
  buttons,
  click,
  dialog,
  enter,
  facts,
  field,
  file,
  goTo,
  lost,
  minutesAgo,
  now,
  openOffice,
  plainFacts,
  press,
  refused,
  settle,
  text,
  toasts,
  viewOf,
  type OfficeAnswers,
} from '../../../support/officeSetup.tsx'

const queue = { 'queues.show': { items: [listed('d1'), listed('w1')], nextCursor: null } }
const openDeposit = (part: Partial<Shown<'deposits'>> = {}, more: OfficeAnswers = {}) =>
  openOffice('/deposits/d1', {
    ...queue,
    'deposits.show': { ...deposit, ...part },
    'deposits.approve': { ...deposit, status: 'successful' },
    ...more,
  })
const openWithdrawal = (part: Partial<Shown<'withdrawals'>> = {}, more: OfficeAnswers = {}) =>
  openOffice('/withdrawals/w1', {
    ...queue,
    'withdrawals.show': { ...withdrawal, ...part },
    'withdrawals.approve': approvedWithdrawal,
    'withdrawals.pay': { ...approvedWithdrawal, status: 'successful' },
    ...more,
  })
/** How the venue says that the amount stands to what one person decides. */
const standing = (part: Partial<Shown<'deposits'>['alone']>) => ({ alone: { ...alone, ...part } })
/** The first item of the dialog. */
const first = (): string => document.querySelector('[role=dialog] form')?.firstElementChild?.textContent ?? ''
const factsOf = (part: Partial<MemberFacts>): OfficeAnswers => ({
  'members.facts': { ...plainFacts, ...part },
})
const changed = (what: SecurityChange, minutes: number) => ({
  freshChanges: [{ what, at: minutesAgo(minutes) }],
})
const sameProof = {
  id: 'd9',
  no: 'D-261101-AAAA',
  memberId: 'm9',
  account: 'li.na',
  status: 'successful' as const,
  createdAt: minutesAgo(100),
}
const amountField = 'Type the amount to continue'
const proofField = 'Type the amount that the proof shows'
/** Of a request, or of a deposit that has a proof. */
const notTheAmount = /This isn’t that amount\.|The proof must show the amount of the deposit\./
const other = { verifiedName: '李娜', nameMatches: false }

it('the payment of an approved withdrawal shows nothing of its sum, which has been approved', async () => {
  await openWithdrawal({ ...approvedWithdrawal, ...standing({ state: 'above', above: '500.00' }) })
  await press('p')
  expect(text('[role=dialog]')).not.toContain('500.00,')
  expect(text('[role=dialog]')).not.toContain(amountField)
})

it.each<[string, 'members.facts' | 'withdrawals.show']>([
  ['member’s facts', 'members.facts'],
  ['request', 'withdrawals.show'],
])('opened again, nothing is decided on the %s of the earlier opening', async (_, name) => {
  const desk = await openWithdrawal()
  await goTo('/withdrawals')
  desk.answers[name] = lost
  await goTo('/withdrawals/w1')
  await press('a')
  expect(dialog()).toBe(null)
  expect(desk.acts()).toEqual([])
})

const frozen = {
  id: 'f1',
  memberId: 'm1',
  reason: 'theft_reported' as const,
  from: minutesAgo(120),
  until: now + 3_600_000,
  renewals: 0,
  tellMember: true,
  endedAt: null,
  endedBy: null,
}
const isFrozen = 'This account is frozen until 24 Nov 2026, 13:00:00: Theft reported by the member.'

describe('a member who may do nothing', () => {
  it.each<[string, () => Promise<unknown>, string, string]>([
    [
      'frozen, with a deposit that others declined',
      () =>
        openDeposit(
          {
            declined: [
              {
                act: 'deposits.approve',
                proposedBy: 'wang',
                decidedBy: 'sue',
                decidedAt: now,
                reason: 'Not ours',
              },
            ],
          },
          factsOf({ frozen }),
        ),
      'a',
      isFrozen,
    ],
    [
      'whose withdrawals are paused',
      () => openWithdrawal({}, factsOf({ restsUntil: frozen.until })),
      'a',
      'Withdrawals of this member are paused until 24 Nov 2026, 13:00:00.',
    ],
    [
      'self-excluded, with a deposit',
      () => openDeposit({}, factsOf({ excludedUntil: frozen.until })),
      'a',
      'The member has self-excluded until 24 Nov 2026, 13:00:00.',
    ],
  ])('%s: that comes first, and Enter alone does nothing', async (_, open, key, said) => {
    const desk = (await open()) as Awaited<ReturnType<typeof openOffice>>
    expect(document.querySelector('main section ul li')?.textContent).toBe(said)
    await press(key)
    expect(document.querySelector('[role=dialog] form ul li')?.textContent).toBe(said)
    expect(document.activeElement?.getAttribute('type')).not.toBe('submit')
    await press('Enter')
    expect(desk.acts()).toEqual([])
    expect(text('[role=dialog]')).toMatch(notTheAmount)
  })

  it.each([
    ['a withdrawal that has something else wrong', other, 'a', 'Approve A'],
    ['a payment', approvedWithdrawal, 'p', 'Mark as paid P'],
  ])(
    'frozen, with %s: it says so before anything is typed, as the venue refuses it',
    async (_, part, key, label) => {
      await openWithdrawal(part, factsOf({ frozen }))
      expect(document.querySelector('main section ul li')?.textContent).toBe(isFrozen)
      expect(text('main footer')).toContain('The member’s account is frozen.')
      expect(buttons()).not.toContain(label)
      await press(key)
      expect(dialog()).toBeNull()
    },
  )

  it.each<[string, string, OfficeAnswers, 'compliance' | 'support']>([
    ['a verification', '/verifications/v1', { 'verifications.show': verification }, 'compliance'],
    ['a new password', '/password-requests/r1', { 'password-requests.show': passwordRequest }, 'support'],
  ])('%s says it too', async (_, path, shown, role) => {
    const at = path.split('/')[2]!
    const desk = await openOffice(
      path,
      { 'queues.show': { items: [listed(at)], nextCursor: null }, ...shown, ...factsOf({ frozen }) },
      { role },
    )
    await press('a', 'Enter')
    expect(first()).toBe(isFrozen)
    expect(desk.acts()).toEqual([])
  })

  it('is paid out what waits although self-excluded: that is the member’s own wish', async () => {
    const desk = await openWithdrawal({}, factsOf({ excludedUntil: frozen.until }))
    await press('a', 'Enter')
    expect(desk.acts()[0]).toEqual(['withdrawals.approve', 'w1', {}])
  })
})

describe('a request with something wrong', () => {
  it.each<[string, () => Promise<unknown>, string]>([
    [
      'another payee',
      () => openWithdrawal(other),
      'The money would go to 张伟, but the verified name is 李娜.',
    ],
    [
      'a payee who is not verified',
      () => openWithdrawal({ verifiedName: null, nameMatches: false }),
      'The money would go to 张伟, who isn’t verified.',
    ],
    [
      'an account that was changed an hour ago',
      () => openWithdrawal(changed('withdrawal_account', 60)),
      'Withdrawal account changed 1 h 00 min ago. Nothing has been paid out since.',
    ],
    [
      'a card of another member',
      () => openWithdrawal({}, factsOf({ sameCard: [{ id: 'm9', account: 'li.na', name: '李娜' }] })),
      'The same card or address is used by li.na · 李娜.',
    ],
    [
      'several requests within a day that are near the amount for two persons together',
      () =>
        openWithdrawal({
          inDay: { count: 3, amount: '2400.00' },
          ...standing({ state: 'day', above: '3000.00' }),
        }),
      '3 requests of this member within a day add up to 2,400.00. You can approve them alone up to 3,000.00 in all; beyond that a second person decides. Look at each of them.',
    ],
    ['no proof', () => openDeposit({ proofUploadId: null }), 'No proof of payment: needs two approvals.'],
    [
      'the proof of a deposit before',
      () => openDeposit({ sameProof: [sameProof] }),
      'li.na sent the same proof 1 h 00 min earlier, with D-261101-AAAA (Successful).',
    ],
    [
      'the proof of a deposit after it',
      () => openDeposit({ sameProof: [{ ...sameProof, createdAt: minutesAgo(10), status: 'under_review' }] }),
      'li.na sent the same proof 30 min later, with D-261101-AAAA (Under review).',
    ],
    [
      'a sum near the amount for two persons',
      () => openWithdrawal(standing({ state: 'near', above: '1000.00' })),
      '800.00 is close to 1,000.00, above which two people must decide.',
    ],
    [
      'a sum above it',
      () => openDeposit(standing({ state: 'above', above: '1000.00' })),
      '1,200.00 is above 1,000.00, so a second person must approve it too.',
    ],
    [
      'a sum near it with what one decided alone',
      () => openWithdrawal(standing({ state: 'near', above: '2000.00', ofMember: '900.00' })),
      'With 900.00 that you decided alone for this member in 24 hours, 800.00 is close to 2,000.00, above which two people must decide.',
    ],
    [
      'a sum above it with what one decided alone in all',
      () =>
        openWithdrawal(
          standing({ state: 'above', aboveInAll: '5000.00', inAll: '4500.00', nearer: 'inAll' }),
        ),
      'With 4,500.00 that you decided alone in all in 24 hours, 800.00 is above 5,000.00, so a second person must approve it too.',
    ],
  ])('%s says so first, and Enter alone does nothing', async (_, open, said) => {
    const desk = (await open()) as Awaited<ReturnType<typeof openOffice>>
    expect(text('main section')).toContain(said)
    await press('a')
    expect(first()).toBe(said)
    expect([amountField, proofField]).toContain(
      (document.activeElement as HTMLInputElement).labels?.[0]?.textContent,
    )
    await press('Enter')
    expect(desk.acts()).toEqual([])
    expect(text('[role=dialog]')).toMatch(notTheAmount)
  })

  it('is accepted once its amount is typed', async () => {
    const desk = await openWithdrawal(other)
    await press('a')
    await enter(amountField, '8000.00')
    await press('Enter')
    expect(desk.acts()).toEqual([])
    await enter(amountField, '800')
    await press('Enter')
    expect(desk.acts()[0]).toEqual(['withdrawals.approve', 'w1', {}])
  })

  it('a deposit is accepted once the amount that its proof shows is typed', async () => {
    const desk = await openDeposit({ sameProof: [sameProof] })
    await press('a')
    expect(document.activeElement).toBe(field(proofField))
    expect(text('[role=dialog]')).toContain('Read it from the proof of payment.')
    await enter(proofField, '1,000')
    await press('Enter')
    expect(desk.acts()).toEqual([])
    expect(text('[role=dialog]')).toContain(
      'The proof must show the amount of the deposit. If it shows another one, reject the deposit.',
    )
    await enter(proofField, '１，２００')
    await press('Enter')
    expect(desk.acts()[0]).toEqual(['deposits.approve', 'd1', {}])
  })

  it('of a deposit without a proof, its own amount is typed', async () => {
    await openDeposit({ proofUploadId: null })
    await press('a')
    expect(document.activeElement).toBe(field(amountField))
  })

  it('is not paid on the reference alone', async () => {
    const desk = await openWithdrawal({ ...approvedWithdrawal, ...other })
    await press('p')
    await enter('Bank reference', 'ICBC 7')
    await press('Enter')
    expect(desk.acts()).toEqual([])
    await enter(amountField, '800.00')
    await press('Enter')
    expect(desk.acts()[0]).toEqual(['withdrawals.pay', 'w1', { reference: 'ICBC 7' }])
  })

  it('can be rejected as any other', async () => {
    await openWithdrawal(other)
    await press('r')
    expect(text('[role=dialog]')).not.toContain(amountField)
  })
})

describe('a sum above what one person decides', () => {
  const above = standing({ state: 'above', above: '500.00' })
  const credited =
    'The deposit is credited at once: the member can trade with it. The member can’t withdraw it, or what it wins, until a second person confirms.'
  it.each<[string, () => Promise<unknown>, string]>([
    ['a deposit', () => openDeposit({ takesTwo: true, ...above }), credited],
    ['a deposit without proof', () => openDeposit({ proofUploadId: null, takesTwo: true }), credited],
    [
      'a withdrawal',
      () => openWithdrawal({ takesTwo: true, ...above }),
      'is above 500.00, so a second person must approve it too.',
    ],
    ['a declined withdrawal', () => openWithdrawal({ takesTwo: true }), 'A second person decides.'],
  ])('%s: the first person reads what happens now, not that it is final', async (_, open, said) => {
    await open()
    await press('a')
    expect(text('[role=dialog]')).toContain(said)
    expect(text('[role=dialog]')).not.toContain('This can’t be undone.')
  })

  it('of a deposit, the notice says that it is credited and not withdrawable yet', async () => {
    const desk = await openDeposit({ takesTwo: true })
    desk.answers['deposits.approve'] = {
      ...deposit,
      status: 'successful',
      awaitsSecondPerson: true,
      proposal: { ...proposal, proposedBy: 'lin' },
    }
    await press('a', 'Enter')
    expect(toasts().join()).toContain(
      'Credited. The member can’t withdraw it until a second person confirms. zhang.wei · D-261124-7K2Q',
    )
  })

  it('is proposed, and its button says so', async () => {
    await openWithdrawal({ takesTwo: true, ...above })
    expect(buttons()).toContain('Propose approval')
    expect(buttons()).not.toContain('Approve')
  })

  it('the second person reads who approved it', async () => {
    await openWithdrawal({ proposal: { ...proposal, act: 'withdrawals.approve' }, ...above })
    const said = '800.00 is above 500.00, and wang approved it.'
    expect(text('main section')).toContain(said)
    expect(text('main section')).toContain('wang approved this. You’re the second person.')
    await press('a')
    expect(dialog()).toBe('Confirm as the second person')
    expect(first()).toBe(said)
  })
})

it('what waits for a second person stands apart from what one decided alone', async () => {
  const sums = { ofMember: '600.00', inAll: '1600.00', above: '3000.00', aboveInAll: '9000.00' }
  await openWithdrawal(standing({ ...sums, waiting: { count: 2, amount: '7000.00' } }))
  expect(facts()).toMatchObject({
    'You decided alone for this member, in 24 hours': '600.00 of 3,000.00',
    'You decided alone in all, in 24 hours': '1,600.00 of 9,000.00',
    'You proposed, waiting for a second person': '7,000.00 (2 requests)',
  })
})

describe('a request with nothing wrong', () => {
  it.each([
    ['a deposit', openDeposit, 'zhang.wei · D-261124-7K2Q · 1,200.00'],
    ['a withdrawal', openWithdrawal, 'zhang.wei · W-261124-3F9A · 800.00'],
  ])('%s: the dialog names it, and its button has the focus', async (_, open, named) => {
    await open()
    await press('a')
    expect(first()).toBe(named)
    expect(document.activeElement?.getAttribute('type')).toBe('submit')
    await press('Escape', 'r')
    expect(text('[role=dialog]')).toContain(named)
  })

  it('is decided although the limits cannot be read: the venue applies them', async () => {
    const desk = await openWithdrawal({}, { 'limits.show': lost })
    await settle(4000)
    await press('a', 'Enter')
    expect(desk.acts()[0]).toEqual(['withdrawals.approve', 'w1', {}])
  })
})

describe('what has not been shown', () => {
  it('cannot be decided before: a proof', async () => {
    let show = (): void => undefined
    const picture = { width: 4, height: 3, close: () => undefined }
    vi.stubGlobal('createImageBitmap', () => new Promise((resolve) => (show = () => resolve(picture))))
    await openDeposit()
    await press('a')
    await press('r')
    expect(dialog()).toBeNull()
    expect(text('[role=status]')).toContain('You can decide once everything is shown.')
    show()
    await settle()
    await press('a')
    expect(dialog()).toBe('Confirm receipt')
  })

  it('cannot be accepted before enough of it was in view, but rejected: a proof below the edge', async () => {
    const tells: ((height: number) => void)[] = []
    class Observer {
      constructor(tell: IntersectionObserverCallback) {
        tells.push((height) => tell([viewOf(height)], this as unknown as IntersectionObserver))
      }
      observe(): void {}
      disconnect(): void {}
    }
    vi.stubGlobal('IntersectionObserver', Observer)
    await openDeposit()
    for (const height of [0, 159]) {
      await act(async () => tells[0]?.(height))
      await press('a')
      expect(dialog()).toBeNull()
      expect(text('[role=status]')).toContain('Scroll until you have seen each picture.')
    }
    await press('r')
    expect(dialog()).toBe('Reject')
    await press('Escape')
    await act(async () => tells[0]?.(160))
    await press('a')
    expect(dialog()).toBe('Confirm receipt')
  })

  it('cannot be accepted, but rejected: photos of which one cannot be read', async () => {
    await openOffice(
      '/verifications/v1',
      {
        'queues.show': { items: [listed('v1')], nextCursor: null },
        'verifications.show': verification,
        'uploads.show': ({ params }) =>
          params.id === 'u3' ? refused(404, 'NOT_FOUND') : file('image/png', 'picture'),
      },
      { role: 'compliance' },
    )
    await click('Verify')
    await press('a')
    expect(dialog()).toBeNull()
    expect(text('[role=status]')).toContain('you can only reject this request')
    await press('r')
    expect(dialog()).toBe('Reject')
  })
})

describe('the focus ring', () => {
  it.each(['a', 'c', 'd', 'l', 'm', 'p', 'r', 's', 'x'])(
    'is what %s acts on: another row than the open one opens first',
    async (key) => {
      const desk = await openWithdrawal()
      const [row] = document.querySelectorAll<HTMLElement>('[data-rows] > tr')
      row?.focus()
      await press(key)
      expect(dialog()).toBeNull()
      expect(address()).toBe('/withdrawals/d1')
      expect(desk.acts()).toEqual([])
    },
  )

  it('is what a letter opens first, also if nothing is open; the next press decides it', async () => {
    await openWithdrawal()
    await goTo('/withdrawals')
    document.querySelector<HTMLElement>('[data-rows] > tr')?.focus()
    await press('a')
    expect(address()).toBe('/withdrawals/d1')
    expect(dialog()).toBeNull()
    await press('a')
    expect(dialog()).toBe('Approve')
    expect(buttons()).toContain('Back')
  })
})

describe('a change that a thief could have made', () => {
  it('that the venue does not count is none', async () => {
    const desk = await openWithdrawal({}, factsOf({ changes: [{ what: 'new_device', at: minutesAgo(1) }] }))
    await press('a', 'Enter')
    expect(desk.acts()[0]).toEqual(['withdrawals.approve', 'w1', {}])
  })

  it('is one before the payment too', async () => {
    const desk = await openWithdrawal({ ...approvedWithdrawal, ...changed('second_factor', 5) })
    await press('p')
    await enter('Bank reference', 'ICBC 7')
    await press('Enter')
    expect(desk.acts()).toEqual([])
    expect(first()).toContain('Second factor changed 5 min ago.')
  })
})

describe('what is known of the member', () => {
  it('is there before anything can be approved', async () => {
    const desk = await openWithdrawal({}, { 'members.facts': lost })
    await settle(3000)
    expect(text('main section')).toContain('You can decide once everything is shown.')
    await press('a', 'Enter')
    expect(desk.acts()).toEqual([])
    desk.answers['members.facts'] = plainFacts
    await settle(60_000)
    await press('Escape')
  })

  it('stands beside the request: money, changes, pauses, duplicates and the other requests', async () => {
    const own = { kind: 'withdrawal', status: 'under_review', createdAt: minutesAgo(60) } as const
    const recent = [
      { ...own, id: 'w1', no: 'W-261124-3F9A', amount: '800.00' },
      { ...own, id: 'w0', no: 'W-261101-AAAA', amount: '200.00', status: 'successful' as const },
    ]
    await openWithdrawal(
      {},
      factsOf({
        recent,
        lastPaidAt: null,
        restsUntil: minutesAgo(-60),
        sameDevice: [{ id: 'm9', account: 'li.na', name: null }],
      }),
    )
    expect(facts()).toMatchObject({
      Amount: '800.00 USD',
      Total: '5,000.00',
      'Paid out': '200.00 (1 request)',
      'Last withdrawal paid': 'None yet',
      'Withdrawals paused until': '24 Nov 2026, 13:00:00',
      'Same network and device': 'li.na',
    })
    expect(text('main [aria-label="Other requests, newest first"]')).toBe(
      'WithdrawalW-261101-AAAA200.00Successful24 Nov 2026, 11:00:00',
    )
  })
})

describe('what must not be missed, and stops nobody', () => {
  const sameDevice = [{ id: 'm9', account: 'li.na', name: null }]
  const latestNote = {
    id: 'n1',
    at: minutesAgo(40),
    by: 'sue',
    body: 'Do not approve:\nwaits for compliance',
  }
  const alike = 'Logged in from the same network with the same kind of device as li.na.'
  const noted = 'sue · 24 Nov 2026, 11:20:00 · Do not approve: waits for compliance'
  type Kind = [string, string, OfficeAnswers, 'finance' | 'compliance' | 'support', string]
  it.each<Kind>([
    ['a deposit', '/deposits/d1', { 'deposits.show': deposit }, 'finance', 'a'],
    ['a withdrawal', '/withdrawals/w1', { 'withdrawals.show': withdrawal }, 'finance', 'a'],
    ['a payment', '/payments/w1', { 'withdrawals.show': approvedWithdrawal }, 'finance', 'p'],
    ['a verification', '/verifications/v1', { 'verifications.show': verification }, 'compliance', 'a'],
    [
      'a new password',
      '/password-requests/r1',
      { 'password-requests.show': passwordRequest },
      'support',
      'a',
    ],
  ])('stands above the facts of %s, and in its dialog', async (_, path, shown, role, key) => {
    const items = [listed(path.split('/')[2]!)]
    const marks = factsOf({ sameDevice, latestNote, noteCount: 3 })
    await openOffice(path, { 'queues.show': { items, nextCursor: null }, ...shown, ...marks }, { role })
    const [mark] = document.querySelectorAll('main section [role=group] li')
    expect(mark?.textContent).toBe(alike)
    expect(facts()['Latest note']).toBe(`${noted}2 more`)
    const more = document.querySelector('main section a[href="#/members/m1?tab=notes"]')
    expect(more?.textContent).toBe('2 more')
    await press(key)
    expect(text('[role=dialog]')).toContain(alike)
    expect(text('[role=dialog]')).toContain(noted)
    expect(text('[role=dialog]')).not.toContain('to continue')
  })

  it('is nothing without another member and without a note', async () => {
    await openWithdrawal()
    expect(text('main section')).not.toContain('Logged in from')
    expect(facts()).not.toHaveProperty('Latest note')
  })
})

it('the verified name stands beside the amount of a deposit, above its receipt', async () => {
  await openDeposit()
  const [labels] = [...document.querySelectorAll('main section [role=group] dl')].map((list) =>
    [...list.querySelectorAll('dt')].map(({ textContent }) => textContent),
  )
  expect(labels?.slice(0, 3)).toEqual(['Amount', 'Method', 'Verified name'])
})

it('a request without an amount asks for the username if something is wrong', async () => {
  const desk = await openOffice(
    '/verifications/v1',
    {
      'queues.show': { items: [listed('v1')], nextCursor: null },
      'verifications.show': { ...verification, sameNumber: [{ id: 'm9', account: 'li.na', name: '李娜' }] },
      'verifications.approve': { ...verification, status: 'verified' },
    },
    { role: 'compliance' },
  )
  expect(links()).toContain('li.na · 李娜')
  await press('a', 'Enter')
  expect(first()).toBe('The same ID number is used by li.na · 李娜.')
  expect(text('[role=dialog]')).toContain('This isn’t that username.')
  expect(desk.acts()).toEqual([])
  await enter('Type the username to continue', 'Zhang.Wei')
  await press('Enter')
  expect(desk.acts()[0]).toEqual(['verifications.approve', 'v1'])
})

describe('a new password', () => {
  const open = (verifiedName: string | null, part: Partial<Shown<'password-requests'>> = {}) =>
    openOffice(
      '/password-requests/r1',
      {
        'queues.show': { items: [listed('r1')], nextCursor: null },
        'password-requests.show': { ...passwordRequest, recovery: true, takesTwo: true, ...part },
        ...factsOf({ verifiedName }),
      },
      { role: 'support' },
    )

  it('is decided by verified name, phone and what was given, after a call', async () => {
    await open('张伟')
    const call =
      'Before approving, call the registered number, +86 13812345678, and make sure that the member asked for this.'
    expect(text('main section')).toContain(call)
    expect(facts()).toMatchObject({
      'Verified name': '张伟',
      Phone: '+86 13812345678',
      'Details given': 'Username and phone, which match',
    })
    await press('a')
    expect(text('[role=dialog]')).toContain(call)
    expect(text('[role=dialog]')).toContain('A second person decides.')
    expect(text('[role=dialog]')).not.toContain('This can’t be undone.')
    expect(first()).toBe('zhang.wei')
  })

  it('that was forgotten is approved only by who says that the member answered a call', async () => {
    const called = 'I called the registered number …5678 and the member answered.'
    const desk = await open('张伟')
    desk.answers['password-requests.approve'] = { ...passwordRequest, proposal }
    await press('a')
    expect(document.activeElement).toBe(field(called))
    await press('Enter')
    await click('Propose approval')
    expect(desk.acts()).toEqual([])
    expect(text('[role=dialog]')).toContain('Required')
    await click(called)
    await click('Propose approval')
    expect(desk.acts()[0]).toEqual(['password-requests.approve', 'r1', { called: true }])
  })

  it.each([
    [{ called: true }, 'yes'],
    [{}, 'no'],
  ])(
    'that was forgotten says to the second person whether the first one called: %s',
    async (params, said) => {
      await open('张伟', { proposal: { ...proposal, act: 'password-requests.approve', params } })
      expect(facts()['Member called']).toBe(said)
      await press('a')
      expect(text('[role=dialog]')).not.toContain('I called')
    },
  )

  it.each([
    ['password', 'The current password, from a logged-in device'],
    ['passkey', 'A passkey, from a logged-in device'],
    ['code', 'An app code, from a logged-in device'],
  ] as const)('says what was given: %s', async (provenBy, said) => {
    await open('张伟', { recovery: false, provenBy })
    expect(facts()['Details given']).toBe(said)
  })

  it('of somebody who gave the old one asks for no call', async () => {
    await open('张伟', { recovery: false })
    expect(text('main section')).not.toContain('call the registered number')
    await press('a')
    expect(text('[role=dialog]')).not.toContain('I called')
  })

  it('that was forgotten becomes a link for the second person, who knows it before', async () => {
    await open('张伟', { proposal: { ...proposal, act: 'password-requests.approve' } })
    await press('a')
    expect(text('[role=dialog]')).toContain('You get a link for the member')
    expect(text('[role=dialog]')).toContain('This can’t be undone.')
  })

  it('of somebody who was never verified says so', async () => {
    await open(null)
    await press('a')
    expect(first()).toBe('The member isn’t verified, so there is no name to compare with.')
  })
})

it('a colleague’s claim closes a request beyond the first page of the queue at once', async () => {
  let by: string | null = null
  const item = () => ({ ...listed('d1'), claim: by === null ? null : { by, until: minutesAgo(-10) } })
  const desk = await openOffice('/deposits/d1', {
    'queues.show': ({ query }) => ({
      items: query.item === 'd1' ? [item()] : [listed('d0')],
      nextCursor: 'more',
    }),
    'deposits.show': deposit,
    'deposits.approve': { ...deposit, status: 'successful' },
  })
  expect(text('main section')).not.toContain('working on this')
  by = 'wang'
  await settle(2000)
  expect(text('main section')).toContain('wang is working on this.')
  await press('a', 'Enter')
  expect(desk.acts()).toEqual([])
})
