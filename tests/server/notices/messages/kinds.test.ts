import { expect, it } from 'vitest'
import type { Message, MessageMutes } from '../../../../contract/content.ts'
import { hourMs, minuteMs } from '../../../../contract/time.ts'
import { hourShift } from '../../../../server/notices/messages/resultGroups.ts'
import type { MessageDraft } from '../../../../server/notices/messages/messages.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { placeOrder, runMarket, tickOnce } from '../../../support/orders.ts'
import { withVenue } from '../../../support/withVenue.ts'

type List = { items: Message[]; nextCursor: string | null }

const venue = await withVenue()

const result = (memberId: string, pnl: string): MessageDraft => ({
  memberId,
  key: 'orderSettled',
  params: { no: 'UT-1', productId: 'BTCUSDT', status: 'won', pnl },
})
const send = (...drafts: MessageDraft[]) => venue.messages.send(venue.db, ...drafts)
const list = async (member: MemberClient, query: string) =>
  (await member.get<List>(`/messages?${query}`)).body
const wholeHour = (): number => Math.ceil(venue.clock.now() / hourMs) * hourMs

it('results are one row per hour, among the other messages, and in a page of their own', async () => {
  const member = await venue.createMember()
  const start = wholeHour()
  const at = (ms: number) => venue.clock.leap(start + ms - venue.clock.now())
  at(minuteMs)
  await send(result(member.id, '8.50'), result(member.id, '-10.00'))
  at(2 * minuteMs)
  await send({ memberId: member.id, key: 'welcome', params: {} })
  at(3 * minuteMs)
  await send({
    memberId: member.id,
    key: 'orderRefunded',
    params: { no: 'UT-2', productId: 'BTCUSDT', amount: '5.00', reason: 'FEED_DOWN' },
  })
  at(hourMs)
  await send(result(member.id, '-0.05'))

  const all = await list(member, 'results=grouped')
  expect(all.items.map(({ key }) => key)).toEqual(['resultsOfHour', 'resultsOfHour', 'welcome'])
  expect(all.items[1]).toEqual({
    id: `results-${start}`,
    category: 'trade',
    key: 'resultsOfHour',
    params: { count: '3', unread: '3', pnl: '-1.50', from: String(start), to: String(start + hourMs) },
    title: null,
    body: null,
    lang: null,
    at: start + 3 * minuteMs,
    read: false,
    link: null,
  })
  expect(all.items[0]?.params).toMatchObject({ count: '1', pnl: '-0.05', from: String(start + hourMs) })

  const paged: Message[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const next: List = await list(member, `results=grouped&limit=1${cursor && `&cursor=${cursor}`}`)
    expect(next.items).toHaveLength(1)
    paged.push(...next.items)
    cursor = next.nextCursor
  }
  expect(paged).toEqual(all.items)

  expect((await list(member, 'results=grouped&category=account')).items.map(({ key }) => key)).toEqual([
    'welcome',
  ])
  const results = await list(member, 'results=grouped&category=trade')
  expect(results.items).toEqual(all.items.slice(0, 2))
  const hour = await list(member, `category=trade&from=${start}&to=${start + hourMs - 1}`)
  expect(hour.items.map(({ key }) => key)).toEqual(['orderRefunded', 'orderSettled', 'orderSettled'])
  expect(await member.get(`/messages?results=grouped&from=${start}`)).toMatchObject({ status: 400 })

  await member.send('POST', '/messages/read', { ids: hour.items.slice(1).map(({ id }) => id) })
  expect((await list(member, 'results=grouped')).items[1]).toMatchObject({
    read: false,
    params: { unread: '1' },
  })
  await member.send('POST', '/messages/read', { all: true })
  expect((await list(member, 'results=grouped')).items.every(({ read }) => read)).toBe(true)
})

it('hours are whole on the clocks of the zone', () => {
  const now = Date.UTC(2026, 0, 5, 12, 40)
  expect(
    ['UTC', 'Asia/Shanghai', 'Asia/Kolkata', 'Asia/Kathmandu'].map((zone) => hourShift(zone, now)),
  ).toEqual([0, 0, 30 * minuteMs, 45 * minuteMs])
})

it('messages of a muted kind arrive as read; those before are read, and other kinds are not', async () => {
  const member = await venue.createMember()
  const published = () => venue.bus.eventsFor<Message>(member.id, 'message')
  await send(result(member.id, '8.50'), { memberId: member.id, key: 'fundPaid', params: { amount: '1.00' } })
  const mute = (muted: string[]) => member.send('PUT', '/messages/mutes', { muted })
  expect((await member.get<MessageMutes>('/messages/mutes')).body).toEqual({ muted: [] })
  expect(await mute(['notice', 'trade', 'trade'])).toMatchObject({
    status: 200,
    body: { muted: ['trade', 'notice'] },
  })
  expect((await list(member, '')).items.map(({ key, read }) => [key, read])).toEqual([
    ['fundPaid', false],
    ['orderSettled', true],
  ])
  const notify = await send(
    result(member.id, '8.50'),
    { memberId: member.id, key: 'serviceReply', params: {} },
    { memberId: member.id, key: 'loginNewDevice', params: { device: '' } },
  )
  notify()
  await venue.messages.write(venue.db, member.id, { title: 'A', body: 'B', lang: 'en' })
  expect((await list(member, '')).items.map(({ key, read }) => [key, read]).slice(0, 4)).toEqual([
    ['desk', true],
    ['loginNewDevice', false],
    ['serviceReply', false],
    ['orderSettled', true],
  ])
  expect(published().map(({ key, read }) => [key, read])).toEqual([
    ['orderSettled', true],
    ['orderSettled', true],
    ['serviceReply', false],
    ['loginNewDevice', false],
  ])
  await mute([])
  await send(result(member.id, '8.50'))
  expect((await list(member, 'limit=1')).items[0]).toMatchObject({ key: 'orderSettled', read: false })
})

it('messages about the account cannot be muted', async () => {
  const member = await venue.createMember()
  expect(await member.send('PUT', '/messages/mutes', { muted: ['account'] })).toMatchObject({ status: 400 })
})

it('the result of an order is written and published as read if results are muted', async () => {
  await venue.clock.advance(1)
  tickOnce(venue)
  const member = await venue.createMember()
  await member.send('PUT', '/messages/mutes', { muted: ['trade'] })
  await placeOrder(venue, member)
  await runMarket(venue, 34_000)
  const { items } = await list(member, '')
  expect(items).toMatchObject([{ category: 'trade', read: true }])
  expect(venue.bus.eventsFor(member.id, 'message')).toEqual(items)
})
