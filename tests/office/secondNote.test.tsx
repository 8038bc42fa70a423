// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { listed, proposal, withdrawal } from '../support/officeRequests.ts'
import { dialog, enter, facts, field, openOffice, press, text, toasts } from '../support/officeSetup.tsx'

const label = 'Note for the second person (optional)'
const proposed = {
  ...proposal,
  act: 'withdrawals.approve' as const,
  subject: { kind: 'withdrawal', id: 'w1' },
  note: 'Called: the card is new.',
}
const open = (part: object = {}) =>
  openOffice('/withdrawals/w1', {
    'queues.show': { items: [listed('w1')], nextCursor: null },
    'withdrawals.show': { ...withdrawal, takesTwo: true, ...part },
    'withdrawals.approve': { ...withdrawal, proposal: proposed },
  })

describe('a note for the second person', () => {
  it('is sent with the approval of the first one, and is kept until then', async () => {
    const desk = await open()
    await press('a')
    await enter(label, ' Called: the card is new. ')
    await press('Escape', 'a')
    expect(field(label).value).toBe(' Called: the card is new. ')
    // The button has the focus, so a note is no key more.
    await press('Enter')
    expect(desk.acts()[0]).toEqual(['withdrawals.approve', 'w1', { note: 'Called: the card is new.' }])
    expect(toasts()[0]).toContain('Proposed.')
  })

  it('is sent with Ctrl+Enter, as a reply or a note, and not over what must be typed first', async () => {
    const desk = await open()
    await press('a')
    await enter(label, 'Called')
    field(label).focus()
    await press('Ctrl+Enter')
    expect(desk.acts()[0]).toEqual(['withdrawals.approve', 'w1', { note: 'Called' }])
    const other = await open({ nameMatches: false, verifiedName: '李娜' })
    await press('a')
    await enter(label, 'Called')
    field(label).focus()
    await press('Ctrl+Enter')
    expect(other.acts()).toEqual([])
  })

  it('is optional', async () => {
    const desk = await open()
    await press('a', 'Enter')
    expect(desk.acts()[0]).toEqual(['withdrawals.approve', 'w1', {}])
  })

  it.each([
    ['one person suffices', { takesTwo: false }, 'Approve'],
    ['another one has proposed it already', { proposal: proposed }, 'Confirm as the second person'],
  ])('is not asked for if %s', async (_, part, act) => {
    await open(part)
    await press('a')
    expect(dialog()).toBe(act)
    expect(text('[role=dialog]')).not.toContain(label)
  })

  it('is shown to the second one', async () => {
    await openOffice('/proposals/p1', {
      'queues.show': { items: [listed('p1')], nextCursor: null },
      'proposals.list': { items: [proposed], nextCursor: null },
      'withdrawals.show': { ...withdrawal, takesTwo: true, proposal: proposed },
    })
    expect(facts()['What the first person wrote']).toBe('Called: the card is new.')
    await press('a')
    expect(text('[role=dialog]')).toContain('Called: the card is new.')
  })
})
