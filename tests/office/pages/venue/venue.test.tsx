// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import type { officeRoutes } from '../../../../contract/office/routes.ts'
import type { Proposal } from '../../../../contract/office/fourEyes.ts'
import type { IssuedCode } from '../../../../contract/office/views.ts'
import type { StaffRole } from '../../../../contract/office/staff.ts'
import type { RouteReply } from '../../../../contract/route.ts'
import {
  address,
  alerts,
  buttons,
  click,
  dialog,
  enter,
  facts,
  field,
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
  type OfficeAnswers,
} from '../../../support/officeSetup.tsx'

type Product = RouteReply<typeof officeRoutes.products.list>['items'][number]
const list = <T,>(...items: T[]) => ({ items, nextCursor: null })
const offline = 'You’re offline. Check your connection and try again.'

describe('maintenance and calendar', () => {
  const product: Product = {
    id: 'BTCUSD',
    code: 'BTC/USD',
    status: 'open',
    opensAt: null,
    closesAt: null,
    lastAt: now,
    feed: 'live',
    stakes: [{ seconds: 30, min: '1.00', max: '500.00' }],
  }
  const clock = {
    now,
    businessNow: now + 3_600_000,
    businessOn: '2026-11-24',
    businessOffsetMs: 3_600_000,
    zone: 'Asia/Shanghai',
  }
  const up = { status: 'up' as const, opensAt: null }
  const down = { status: 'maintenance' as const, opensAt: now + 7_200_000 }
  const open = (answers: OfficeAnswers = {}, role: StaffRole = 'admin') =>
    openOffice(
      '/venue',
      { 'site.show': up, 'products.list': list(product), 'clock.show': clock, ...answers },
      { role },
    )

  it('shows what takes orders, and both times', async () => {
    await open({
      'site.show': down,
      'products.list': list(product, {
        ...product,
        id: 'EURUSD',
        code: 'EUR/USD',
        status: 'maintenance',
        feed: 'down',
      }),
    })
    expect(facts()).toMatchObject({
      Status: 'Maintenance',
      'Opens at': '24 Nov 2026, 14:00:00',
      'Time now': '24 Nov 2026, 12:00:00',
      'Business time': '24 Nov 2026, 13:00:00',
      'Business day': '24 Nov 2026',
    })
    expect(rows('Products')).toEqual([
      'BTC/USD | Closed with the site | Live | 24 Nov 2026, 12:00:00',
      'EUR/USD | Maintenance | Down | 24 Nov 2026, 12:00:00',
    ])
  })

  it.each([
    ['at an hour by the venue’s clock', '2026-11-25T09:30', { opensAt: Date.UTC(2026, 10, 25, 1, 30) }],
    ['until it is opened by hand', '', {}],
  ])('closes the site %s', async (_, hour, body) => {
    const desk = await open({ 'site.maintenance': down })
    await press('b')
    expect(text('[role=dialog]')).toContain('Stops new orders for all products.')
    expect(document.activeElement?.textContent).toBe('Back')
    if (hour !== '') await enter('Opens at', hour)
    await click('Close the site for maintenance')
    expect(desk.acts()).toEqual([['site.maintenance', body]])
    expect(toasts()).toEqual(['New orders are stopped for all products. Undo'])
  })

  it('says at its field that an hour has passed, and whose clock counts', async () => {
    const desk = await open({ 'site.maintenance': down })
    await press('b')
    expect(text('[role=dialog]')).toContain('Time zone: Asia/Shanghai.')
    await enter('Opens at', '2020-11-25T09:30')
    await press('Enter')
    expect(text('[role=dialog]')).toContain('Choose a time in the future.')
    expect(desk.acts()).toEqual([])
  })

  it('opens the site', async () => {
    const desk = await open({ 'site.show': down, 'site.open': up })
    await press('o', 'Enter')
    expect(desk.acts()).toEqual([['site.open']])
    expect(toasts()).toEqual(['The site is open. Undo'])
  })

  it.each([
    [
      'Close for maintenance',
      'open' as const,
      'products.maintenance' as const,
      [{}],
      'New orders are stopped. Undo',
    ],
    ['Open this product', 'maintenance' as const, 'products.open' as const, [], 'Opened. Undo'],
  ])('%s', async (label, status, call, body, said) => {
    const desk = await open({ 'products.list': list({ ...product, status }), [call]: product })
    await openRow('Products')
    await press('s')
    expect(dialog()).toBe(label)
    await click(label)
    expect(desk.acts()).toEqual([[call, 'BTCUSD', ...body]])
    expect(toasts()).toEqual([said])
  })

  it('moves the calendar forward by hours', async () => {
    const desk = await open({ 'clock.advance': clock })
    await press('v', 'Enter')
    expect(text('[role=dialog]')).toContain('Required')
    await enter('Hours', '24')
    await press('Enter')
    expect(desk.acts()).toEqual([['clock.advance', { ms: 86_400_000 }]])
    expect(toasts()).toEqual(['The calendar has moved.'])
  })

  it.each([
    ['the venue is live', refused(409, 'PRACTICE_ONLY'), '24', 'Only available with practice money'],
    ['the network is lost', lost, '24', offline],
    ['no number was typed', lost, 'a day', 'This isn’t in the right format. Please check it.'],
  ])('says why the calendar does not move if %s', async (_, answer, hours, said) => {
    await open({ 'clock.advance': answer })
    await press('v')
    await enter('Hours', hours)
    await press('Enter')
    expect(text('[role=dialog]')).toContain(said)
    expect(field('Hours').value).toBe(hours)
  })

  it('is only read by the other roles', async () => {
    await open({}, 'support')
    await openRow('Products')
    expect(buttons()).toEqual([])
  })

  it('says what cannot be read', async () => {
    await open({ 'site.show': lost, 'products.list': lost, 'clock.show': lost })
    await settle(3000)
    expect(alerts()).toEqual([offline, offline, offline])
    expect(buttons()).toEqual(['Move forward'])
  })
})

describe('the limits', () => {
  const limits: RouteReply<typeof officeRoutes.limits.show> = {
    currency: 'USD',
    withdrawals: {
      max: '100000.00',
      twoPersonsAbove: '5000.00',
      twoPersonsAboveInAll: '50000.00',
      inAllTimes: 10,
      restHours: 24,
    },
    deposits: [{ id: 'bank-cny', kind: 'bank', currency: 'CNY', min: '10.00', max: '20000.00' }],
    fund: { minDeposit: '1.00', depositsPerDay: 5, withdrawalsPerDay: 3, fastCapPerDay: '10000.00' },
  }
  const product: Product = {
    id: 'BTCUSD',
    code: 'BTC/USD',
    status: 'open',
    opensAt: null,
    closesAt: null,
    lastAt: now,
    feed: 'live',
    stakes: [
      { seconds: 30, min: '1.00', max: '500.00' },
      { seconds: 60, min: '1.00', max: '1000.00' },
      { seconds: 90, min: '1.00', max: '1000.00' },
    ],
  }
  const proposal: Proposal = {
    id: 'p1',
    act: 'limits.withdrawals',
    subject: { kind: 'limit', id: 'withdrawals' },
    memberId: null,
    params: { twoPersonsAbove: '1000.00' },
    note: null,
    proposedBy: 'lin',
    proposedAt: now,
    expiresAt: now + 86_400_000,
    status: 'open',
    decidedBy: null,
    decidedAt: null,
    reason: null,
  }
  const open = (answers: OfficeAnswers = {}, role: StaffRole = 'admin') =>
    openOffice('/limits', { 'limits.show': limits, 'products.list': list(product), ...answers }, { role })

  it('are shown', async () => {
    await open({}, 'support')
    expect(facts()).toEqual({
      'Maximum per request': '100,000.00',
      'Second approval needed above, per member': '5,000.00',
      'Second approval needed above, in total': '50,000.00',
      'Withdrawal pause after a security change': '24 hours',
      'Minimum per transfer in': '1.00',
      'Transfers in per day': '5',
      'Transfers out per day': '3',
      'Fast transfers out per day': '10,000.00',
    })
    expect(rows('Deposits')).toEqual(['Bank (CNY) | 10.00 – 20,000.00'])
    expect(rows('Stakes')).toEqual(['BTC/USD | 1.00 – 500.00: 30 s1.00 – 1,000.00: 60 s and 90 s'])
    expect(buttons()).toEqual([])
  })

  it('say if withdrawals do not rest', async () => {
    await open({ 'limits.show': { ...limits, withdrawals: { ...limits.withdrawals, restHours: 0 } } })
    expect(facts()['Withdrawal pause after a security change']).toBe('None')
  })

  it.each([' 1000.00 ', '1000', '1,000'])(
    'the amount for two persons is proposed, typed as %s',
    async (typed) => {
      const desk = await open({ 'limits.withdrawals': { ...limits, proposal } })
      await press('b')
      expect(text('[role=dialog]')).toContain('Now: 5,000.00.')
      await enter('Second approval needed above, per member', typed)
      await press('Enter')
      expect(desk.acts()).toEqual([['limits.withdrawals', { twoPersonsAbove: '1000.00' }]])
      expect(toasts()).toEqual(['Proposed. Someone else has to decide. Undo'])
    },
  )

  it('both amounts are shown as they become, and raising them is typed once more', async () => {
    const desk = await open({ 'limits.withdrawals': { ...limits, proposal } })
    await press('b')
    await enter('Second approval needed above, per member', '90000')
    const said = text('[role=dialog]')
    expect(said).toContain('5,000.00 → 90,000.00')
    expect(said).toContain('50,000.00 → 900,000.00')
    expect(said).toContain(
      'One person alone could then decide up to 90,000.00 per member and 900,000.00 in total',
    )
    await press('Enter')
    expect(desk.acts()).toEqual([])
    await enter('Type the amount to continue', '90000')
    await press('Enter')
    expect(desk.acts()).toEqual([['limits.withdrawals', { twoPersonsAbove: '90000.00' }]])
  })

  it('the amount of all members stays if the operator’s file sets it', async () => {
    await open({ 'limits.show': { ...limits, withdrawals: { ...limits.withdrawals, inAllTimes: null } } })
    await press('b')
    await enter('Second approval needed above, per member', '90000')
    expect(text('[role=dialog]')).toContain('50,000.00 → 50,000.00')
  })

  it.each([
    ['it is no amount', 'many', 'Please enter another amount'],
    ['the network is lost', '1000.00', offline],
  ])('the amount is kept in the form if %s', async (_, amount, said) => {
    await open({ 'limits.withdrawals': lost })
    await press('b')
    await enter('Second approval needed above, per member', amount)
    await press('Enter')
    expect(text('[role=dialog]')).toContain(said)
    expect(field('Second approval needed above, per member').value).toBe(amount)
  })

  it('say what cannot be read', async () => {
    await open({ 'limits.show': lost, 'products.list': lost })
    await settle(3000)
    expect(alerts()).toEqual([offline, offline])
    expect(buttons()).toEqual([])
  })
})

describe('the opening codes', () => {
  const code: IssuedCode = {
    code: 'K7Q2',
    issuedAt: minutesAgo(5),
    issuedBy: 'wang',
    uses: null,
    opened: 3,
    revokedAt: null,
    revokedBy: null,
  }
  const revoked = { ...code, code: 'A1B2', uses: 10, revokedAt: minutesAgo(1), revokedBy: 'lin' }
  const open = (answers: OfficeAnswers = {}, role: StaffRole = 'support') =>
    openOffice('/codes', { 'codes.list': list(code, revoked), ...answers }, { role })

  it('are listed with their uses', async () => {
    await open()
    expect(rows('Opening codes')).toEqual([
      'K7Q2 | 3 | Unlimited | 24 Nov 2026, 11:55:00 | wang | Valid',
      'A1B2 | 3 | 10 | 24 Nov 2026, 11:55:00 | wang | Revoked lin 24 Nov 2026, 11:59:00',
    ])
  })

  it.each([
    ['any number', '', {}],
    ['some', '25', { uses: 25 }],
  ])('one for %s of accounts is issued', async (_, uses, body) => {
    const desk = await open({ 'codes.issue': code })
    await press('i')
    if (uses !== '') await enter('Uses', uses)
    await press('Enter')
    expect(desk.acts()).toEqual([['codes.issue', body]])
    expect(toasts()).toEqual(['Issued. Undo'])
    expect(desk.sent('codes.list')).toHaveLength(2)
  })

  it.each([
    ['the number is none', 'ten', 'This isn’t in the right format. Please check it.'],
    ['the network is lost', '10', offline],
  ])('none is issued if %s', async (_, uses, said) => {
    await open({ 'codes.issue': lost })
    await press('i')
    await enter('Uses', uses)
    await press('Enter')
    expect(text('[role=dialog]')).toContain(said)
    expect(field('Uses').value).toBe(uses)
  })

  it('the open one is revoked, but not twice', async () => {
    const desk = await open({ 'codes.revoke': revoked })
    await openRow('Opening codes', 1)
    expect(buttons()).toEqual(['Issue a code'])
    await openRow('Opening codes')
    await press('r', 'Enter')
    expect(desk.acts()).toEqual([])
    await press('r')
    await click('Revoke')
    expect(desk.acts()).toEqual([['codes.revoke', 'K7Q2']])
    expect(toasts()).toEqual(['Revoked.'])
  })

  it.each([
    ['there are none', list<IssuedCode>(), 'No codes issued yet.', []],
    ['they cannot be read', lost, '', [offline]],
  ])('say so if %s', async (_, answer, empty, said) => {
    await open({ 'codes.list': answer })
    await settle(3000)
    expect(text('main').includes('No codes issued yet.')).toBe(empty !== '')
    expect(alerts()).toEqual(said)
  })

  it('go on to older ones', async () => {
    await open({
      'codes.list': ({ query }) =>
        query.cursor === undefined ? { items: [code], nextCursor: 'K7Q2' } : list(revoked),
    })
    await click('Load more')
    expect(rows('Opening codes')).toHaveLength(2)
  })

  it('are not shown to other roles: their address leads to the own first queue', async () => {
    await open({}, 'finance')
    expect(address()).toBe('/deposits')
    expect(alerts()).toEqual([])
  })
})
