// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { listed, proposal, withdrawal } from '../support/officeRequests.ts'
import {
  address,
  buttons,
  click,
  goTo,
  now,
  openOffice,
  openRow,
  press,
  refused,
  settle,
  text,
  toasts,
  type OfficeAnswers,
} from '../support/officeSetup.tsx'

const about = 'zhang.wei · W-261124-3F9A · 800.00'
const proposed = {
  ...proposal,
  act: 'withdrawals.approve' as const,
  subject: { kind: 'withdrawal', id: 'w1' },
  proposedBy: 'lin',
}
const open = (answers: OfficeAnswers = {}) =>
  openOffice('/withdrawals/w1', {
    'queues.show': { items: [listed('w1')], nextCursor: null },
    'withdrawals.show': withdrawal,
    'withdrawals.approve': { ...withdrawal, proposal: proposed },
    'proposals.cancel': { proposal: { ...proposed, status: 'cancelled', decidedBy: 'lin', decidedAt: now } },
    ...answers,
  })
/** Without what the queue says once it is empty. */
const said = () => toasts().filter((one) => one !== 'Nothing else for you.')
const propose = () => press('a', 'Enter')

describe('what was done a moment ago', () => {
  it('is undone by its button', async () => {
    const desk = await open()
    await propose()
    expect(said()).toEqual([`Proposed. Someone else has to decide. ${about} Undo`])
    await click('Undo')
    expect(desk.acts().at(-1)).toEqual(['proposals.cancel', 'p1'])
    expect(address()).toBe('/withdrawals/w1')
    expect(said()).toEqual([`Cancelled. ${about}`])
  })

  it('is undone once, by its key, on whatever screen', async () => {
    const desk = await open()
    await propose()
    await goTo('/payments')
    await press('u', 'u')
    expect(desk.acts().filter(([call]) => call === 'proposals.cancel')).toHaveLength(1)
  })

  it('is undone within ten seconds only', async () => {
    const desk = await open()
    await propose()
    await settle(9000)
    expect(buttons()).toContain('Undo')
    await settle(1500)
    expect(buttons()).not.toContain('Undo')
    await press('u')
    expect(desk.acts().filter(([call]) => call === 'proposals.cancel')).toEqual([])
    expect(said()).toEqual(['There’s nothing to undo now.'])
  })

  it('is not undone if it was decided meanwhile, and says so', async () => {
    await open({ 'proposals.cancel': refused(409, 'CONFLICT') })
    await propose()
    await press('u')
    expect(said()).toEqual(['Someone else has already decided this, or it has changed.'])
  })

  it('has no undo if money moved or the member was told', async () => {
    await open({ 'withdrawals.reject': { ...withdrawal, status: 'failed' } })
    await press('r', '1', 'Enter')
    expect(said()).toEqual([`Rejected. The member is sent the reason. ${about}`])
    await press('u')
    expect(said().at(-1)).toBe('There’s nothing to undo now.')
  })

  it('an approval of one person says what can still be done', async () => {
    await open({
      'withdrawals.approve': { ...withdrawal, approvedAt: now, approvedBy: 'lin', proposal: null },
    })
    await press('a')
    expect(text('[role=dialog]')).toContain('It can still be rejected until it’s paid.')
    await press('Enter')
    expect(said()).toEqual([`Approved. ${about}`])
  })

  it('is forgotten when the person logs out', async () => {
    await openOffice(
      '/withdrawals/w1',
      {
        'queues.show': { items: [listed('w1')], nextCursor: null },
        'withdrawals.show': withdrawal,
        'withdrawals.approve': { ...withdrawal, proposal: proposed },
        'session.logOut': {} as never,
      },
      { isWhole: true },
    )
    await propose()
    expect(buttons()).toContain('Undo')
    await click('Log out')
    expect(buttons()).not.toContain('Undo')
  })
})

describe('a claim that is given up', () => {
  const mine = { ...listed('w1'), no: 'W-261124-3F9A', claim: { by: 'lin', until: now + 600_000 } }
  const answers: OfficeAnswers = {
    'queues.show': { items: [mine], nextCursor: null },
    'queues.release': { released: true },
    'queues.claim': { claim: { by: 'lin', until: now + 600_000 } },
  }

  it('by Escape is taken again, and the request opens', async () => {
    const desk = await open(answers)
    await press('Escape')
    expect([address(), said()]).toEqual(['/withdrawals', ['Released. W-261124-3F9A Undo']])
    await press('u')
    expect(desk.acts()).toEqual([
      ['queues.release', 'withdrawals', { item: 'w1' }],
      ['queues.claim', 'withdrawals', { item: 'w1' }],
    ])
    expect([address(), said()]).toEqual(['/withdrawals/w1', ['Claimed again. W-261124-3F9A']])
  })

  it('by its key is taken again', async () => {
    const desk = await open(answers)
    await press('l', 'u')
    expect(desk.acts().map(([call]) => call)).toEqual(['queues.release', 'queues.claim'])
  })
})

describe('the inverse', () => {
  const up = { status: 'up' as const, opensAt: null }
  const down = { status: 'maintenance' as const, opensAt: now + 3_600_000 }
  const clock = {
    now,
    businessNow: now,
    businessOn: '2026-11-24',
    businessOffsetMs: 0,
    zone: 'Asia/Shanghai',
  }
  const venue = (answers: OfficeAnswers) =>
    openOffice(
      '/venue',
      { 'products.list': { items: [], nextCursor: null }, 'clock.show': clock, ...answers },
      { role: 'admin' },
    )

  it('of opening the site is maintenance until the hour that was set', async () => {
    const desk = await venue({ 'site.show': down, 'site.open': up, 'site.maintenance': down })
    await press('o', 'Enter')
    await press('u')
    expect(desk.acts()).toEqual([['site.open'], ['site.maintenance', { opensAt: down.opensAt }]])
  })

  it('of a code that was issued is its revocation', async () => {
    const code = {
      code: 'K7',
      issuedAt: now,
      issuedBy: 'lin',
      uses: null,
      opened: 0,
      revokedAt: null,
      revokedBy: null,
    }
    const desk = await openOffice(
      '/codes',
      {
        'codes.list': { items: [], nextCursor: null },
        'codes.issue': code,
        'codes.revoke': { ...code, revokedAt: now, revokedBy: 'lin' },
      },
      { role: 'support' },
    )
    await press('i', 'Enter')
    await press('u')
    expect(desk.acts().at(-1)).toEqual(['codes.revoke', 'K7'])
    expect(said()).toEqual(['Revoked.'])
  })

  it('of a role is the role before', async () => {
    const person = {
      id: 's2',
      name: 'chen',
      role: 'support' as const,
      status: 'invited' as const,
      lastSeenAt: null,
      createdAt: now,
      version: 1,
      records: { opened: 0, max: 60 },
    }
    const desk = await openOffice(
      '/staff',
      {
        'staff.list': { items: [person], nextCursor: null },
        'staff.role': { staff: person, enrolment: null, proposal: null },
      },
      { role: 'admin' },
    )
    await openRow('Staff')
    await press('o')
    await press('1')
    await click('Change role')
    await press('u')
    expect(desk.acts()).toEqual([
      ['staff.role', 's2', { role: 'finance' }],
      ['staff.role', 's2', { role: 'support' }],
    ])
  })
})
