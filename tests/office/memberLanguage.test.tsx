// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { listed, withdrawal } from '../support/officeRequests.ts'
import {
  dialog,
  enter,
  field,
  now,
  openOffice,
  plainFacts,
  press,
  text,
  type OfficeAnswers,
} from '../support/officeSetup.tsx'
import english from '../../office/canned/en.json'
import thai from '../../office/canned/th.json'
import japanese from '../../office/canned/ja.json'
import german from '../../office/canned/de.json'

type Language = (typeof plainFacts)['writesIn']

const unknown = { ...listed('w1'), language: null }
const openWithdrawal = (writesIn: Language = null, answers: OfficeAnswers = {}) =>
  openOffice('/withdrawals/w1', {
    'queues.show': { items: [unknown], nextCursor: null },
    'members.facts': { ...plainFacts, writesIn },
    'withdrawals.show': withdrawal,
    'withdrawals.reject': { ...withdrawal, status: 'failed' },
    ...answers,
  })

describe('a reason to a member whose app language is unknown', () => {
  it('is not sent by its digit and Enter until the language is chosen, to which the focus goes', async () => {
    const desk = await openWithdrawal()
    await press('r', '1', 'Enter')
    expect([dialog(), desk.acts()]).toEqual(['Reject', []])
    expect(text('[role=dialog]')).toContain('Choose the member’s language.')
    expect(document.activeElement).toBe(field('The member’s language'))
    await enter('The member’s language', 'Deutsch')
    await press('Ctrl+Enter')
    expect(desk.acts()[0]).toEqual([
      'withdrawals.reject',
      'w1',
      { reason: german.reasons.withdrawals.accountWrong },
    ])
  })

  it('is in the language that the script of the member’s words gives away', async () => {
    const desk = await openWithdrawal('th')
    await press('r', '1', 'Enter')
    expect(desk.acts()[0]).toEqual([
      'withdrawals.reject',
      'w1',
      { reason: thai.reasons.withdrawals.accountWrong },
    ])
  })

  it('is sent in own words, which are in whatever language they are', async () => {
    const desk = await openWithdrawal()
    await press('r')
    await enter('Reason shown to the member', 'Bitte rufen Sie uns an.')
    await press('Ctrl+Enter')
    expect(desk.acts()[0]).toEqual(['withdrawals.reject', 'w1', { reason: 'Bitte rufen Sie uns an.' }])
  })
})

describe('a reason of two sentences', () => {
  const { accountWrong, nameDiffers } = german.reasons.withdrawals
  const reasonShown = () => field('Reason shown to the member').value
  const ticked = () =>
    [...document.querySelectorAll<HTMLInputElement>('[role=dialog] [type=checkbox]')].map(
      ({ checked }) => checked,
    )

  it('has each in the member’s language, in the order of the list, and a digit takes its sentence back', async () => {
    const desk = await openWithdrawal('de')
    await press('r', '2', '1')
    expect(reasonShown()).toBe(`${accountWrong} ${nameDiffers}`)
    await press('2')
    expect(reasonShown()).toBe(accountWrong)
    await press('2', 'Enter')
    expect(desk.acts()[0]).toEqual(['withdrawals.reject', 'w1', { reason: `${accountWrong} ${nameDiffers}` }])
  })

  it('has no space between them where the language has none', async () => {
    await openWithdrawal('ja')
    await press('r', '1', '2')
    expect(reasonShown()).toBe(
      japanese.reasons.withdrawals.accountWrong + japanese.reasons.withdrawals.nameDiffers,
    )
  })

  it('takes no third one, which would be too long', async () => {
    await openWithdrawal('de')
    await press('r', '1', '2', '3')
    expect(ticked()).toEqual([true, true, false, false, false])
    expect(reasonShown()).toBe(`${accountWrong} ${nameDiffers}`)
  })

  it('is one stop of Tab, and arrows lead through its boxes', async () => {
    await openWithdrawal('de')
    await press('r', 'ArrowDown', 'ArrowDown')
    const boxes = [...document.querySelectorAll<HTMLInputElement>('[role=dialog] [type=checkbox]')]
    expect(boxes.indexOf(document.activeElement as HTMLInputElement)).toBe(1)
    expect(boxes.filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1)
  })

  it('is left for own words, which begin with what was chosen', async () => {
    const desk = await openWithdrawal('de')
    await press('r', '1')
    await enter('Reason shown to the member', `${accountWrong} Danke.`)
    expect(ticked()).not.toContain(true)
    await press('Ctrl+Enter')
    expect(desk.acts()[0]).toEqual(['withdrawals.reject', 'w1', { reason: `${accountWrong} Danke.` }])
  })
})

describe('a ready-made reply to such a member', () => {
  const message = { id: '1', from: 'member' as const, body: 'Hallo', uploadId: null, at: now, read: false }
  const openThread = (writesIn: Language) =>
    openOffice(
      '/service/m1',
      {
        'queues.show': { items: [{ ...listed('m1'), language: null }], nextCursor: null },
        'service.show': {
          items: [message],
          nextCursor: null,
          member: { account: 'zhang.wei', language: null },
        },
        'members.facts': { ...plainFacts, writesIn },
      },
      { role: 'support' },
    )
  const insertFirst = () => press('Ctrl+/', 'Enter')

  it('is inserted once its language is chosen, to which the focus goes', async () => {
    await openThread(null)
    await insertFirst()
    expect(field('Reply').value).toBe('')
    expect(document.activeElement).toBe(field('Ready-made replies in'))
    expect(text('main')).toContain('Choose the member’s language.')
    await enter('Ready-made replies in', 'Deutsch')
    await insertFirst()
    expect(field('Reply').value).toBe(german.chat.greeting)
  })

  it('is in the language that the script of the member’s words gives away', async () => {
    await openThread('th')
    await insertFirst()
    expect(field('Reply').value).toBe(thai.chat.greeting)
  })

  it('says in which languages it was searched for', async () => {
    await openThread('th')
    await enter('Find a ready-made reply', 'Passwort')
    expect(text('main')).toContain('Searched in: English, ไทย.')
    await enter('Find a ready-made reply', 'password')
    expect(text('main')).toContain(english.chat.passwordNever)
  })
})
