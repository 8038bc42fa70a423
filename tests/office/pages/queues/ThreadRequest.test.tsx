// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import english from '../../../../office/canned/en.json'
import { listed } from '../../../support/officeRequests.ts'
import {
  address,
  alerts,
  buttons,
  dialog,
  enter,
  facts,
  field,
  links,
  minutesAgo,
  now,
  openOffice,
  plainFacts,
  press,
  refused,
  settle,
  text,
  toasts,
  type OfficeAnswers,
} from '../../../support/officeSetup.tsx'

const message = (id: string, from: 'member' | 'desk', read: boolean) => ({
  id,
  from,
  body: from === 'member' ? 'Thank you!' : 'You are welcome.',
  uploadId: null,
  at: minutesAgo(9),
  read,
})
const waits = { ...listed('m1'), unread: 1, preview: 'Thank you!' }
const thread = (read: boolean) => ({
  items: [message('2', 'member', read), message('1', 'desk', true)],
  nextCursor: null,
  member: { account: 'zhang.wei', language: 'de' as const },
})
const next = { ...listed('m2'), memberId: 'm2', account: 'li.na' }
const open = (answers: OfficeAnswers = {}) =>
  openOffice(
    '/service/m1',
    {
      'queues.show': { items: [waits], nextCursor: null, total: 1 },
      'queues.next': { item: next },
      'service.show': thread(false),
      'service.done': { read: 1 },
      'service.reply': message('3', 'desk', false),
      ...answers,
    },
    { role: 'support' },
  )

it('is closed without a reply by keyboard, and the next one opens', async () => {
  const desk = await open()
  await press('d')
  expect(dialog()).toBe('Close without a reply')
  expect(desk.acts()).toEqual([])
  await press('Enter')
  expect(desk.acts()).toEqual([
    ['service.done', 'm1'],
    ['queues.next', 'service'],
  ])
  expect(toasts().join()).toContain('Closed without a reply.')
  expect(address()).toBe('/service/m2')
})

it('is back in the queue if it was closed in error', async () => {
  const desk = await open({ 'service.reopen': { unread: 1 } })
  await press('d', 'Enter')
  await press('u')
  expect(desk.acts().at(-1)).toEqual(['service.reopen', 'm1'])
  // What D closes next is this one, not the next conversation.
  expect(address()).toBe('/service/m1')
  expect(toasts()).toEqual(['Back in the queue. zhang.wei'])
})

it('says if a colleague was faster', async () => {
  await open({ 'service.done': refused(409, 'CLAIMED', { params: { by: 'wang' } }) })
  await press('d', 'Enter')
  expect(alerts()).toEqual(['wang is working on this.'])
})

it('has the member beside it: who it is, the balance, what waits, and what the member may not do', async () => {
  await open({
    'members.facts': {
      ...plainFacts,
      waiting: [
        { queue: 'withdrawals', id: 'w1', no: 'W-261124-1', createdAt: minutesAgo(5) },
        { queue: 'password-requests', id: 'r1', no: null, createdAt: minutesAgo(4) },
      ],
      restsUntil: now + 3_600_000,
      noteCount: 1,
      latestNote: { id: 'n1', by: 'wang', at: minutesAgo(60), body: 'Sends a letter.' },
    },
  })
  expect(facts()).toMatchObject({
    'Verified name': '张伟 Verified',
    Available: '4,200.00',
    'Open requests': 'Withdrawals · W-261124-1 Password requests',
  })
  expect(text('main')).toContain('Withdrawals of this member are paused')
  expect(text('main')).toContain('Sends a letter.')
  // Support may not open a withdrawal.
  expect(links()).toContain('Password requests')
  expect(links()).not.toContain('Withdrawals · W-261124-1')
  expect(links()).toContain('Open the record')
})

it('warns of a reply that a withdrawal is being processed if none is', async () => {
  const warning = 'No withdrawal of this member is open.'
  const desk = await open()
  await enter('Reply', english.chat.withdrawalPending)
  expect(text('main')).not.toContain(warning)
  desk.answers['members.facts'] = { ...plainFacts, assets: { ...plainFacts.assets, held: '0.00' } }
  await settle(15_000)
  expect(text('main')).toContain(warning)
  await enter('Reply', 'Danke')
  expect(text('main')).not.toContain(warning)
})

it('has nothing to close once all is read', async () => {
  await open({ 'service.show': thread(true) })
  expect(buttons().filter((name) => name.includes('Close without'))).toEqual([])
})

it('keeps the account in its heading after a reply and after a reload, when it is in the queue no more', async () => {
  const gone = { items: [], nextCursor: null, total: 0 }
  await open({ 'queues.show': gone })
  expect(text('section header')).toContain('zhang.wei')
  await enter('Reply', 'You are welcome.')
  await press('Ctrl+Enter')
  expect(text('section header')).toContain('zhang.wei')
  expect(text('section header')).not.toContain('m1')
})

it('leaves the field once the reply is sent, so that N opens the next conversation', async () => {
  const desk = await open()
  await press('r')
  expect(document.activeElement).toBe(field('Reply'))
  await enter('Reply', 'You are welcome.')
  await press('Ctrl+Enter', 'n')
  expect(desk.acts()).toEqual([
    ['service.reply', 'm1', { body: 'You are welcome.' }],
    ['queues.next', 'service'],
  ])
  expect(field('Reply').value).toBe('')
})

it('says that the reply was sent, and Enter opens the next conversation', async () => {
  const desk = await open()
  await enter('Reply', 'You are welcome.')
  await press('Ctrl+Enter')
  expect(text('main')).toContain('Sent.')
  expect(document.activeElement?.textContent).toContain('Next')
  expect(address()).toBe('/service/m1')
  await press('Enter')
  expect(desk.acts().at(-1)).toEqual(['queues.next', 'service'])
  expect(address()).toBe('/service/m2')
})

it('says so no more once another reply is written', async () => {
  await open()
  await enter('Reply', 'You are welcome.')
  await press('Ctrl+Enter')
  await enter('Reply', 'And')
  expect(text('main')).not.toContain('Sent.')
})
