import { expect, it } from 'vitest'
import type { Message } from '../../../../contract/content.ts'
import { testFence } from '../../../support/testFence.ts'
import { withVenue } from '../../../support/withVenue.ts'

type List = { items: Message[]; nextCursor: string | null }

const venue = await withVenue()

it('a message is published only after the commit', async () => {
  const member = await venue.createMember()
  const notify = await venue.db.transaction((tx) =>
    venue.messages.send(tx, {
      memberId: member.id,
      key: 'fundConfirmed',
      params: { amount: '10.00' },
      link: 'pages/money/money',
    }),
  )
  expect(venue.bus.eventsFor(member.id, 'message')).toEqual([])
  notify()
  const [message] = (await member.get<List>('/messages')).body.items
  expect(message).toEqual({
    id: expect.any(String),
    category: 'fund',
    key: 'fundConfirmed',
    params: { amount: '10.00' },
    title: null,
    body: null,
    lang: null,
    at: venue.clock.now(),
    read: false,
    link: 'pages/money/money',
  })
  expect(venue.bus.eventsFor(member.id, 'message')).toEqual([message])
})

it('a rolled back transaction writes no message', async () => {
  const member = await venue.createMember()
  const failed = venue.db.transaction(async (tx) => {
    await venue.messages.send(tx, { memberId: member.id, key: 'welcome', params: {} })
    throw new Error('rolled back')
  })
  await expect(failed).rejects.toThrow('rolled back')
  expect((await member.get<List>('/messages')).body.items).toEqual([])
})

it('write stores a text of the back office', async () => {
  const member = await venue.createMember()
  const text = { title: 'Hello', body: 'A **word**', lang: 'en' } as const
  await venue.messages.write(venue.db, member.id, text)
  expect((await member.get<List>('/messages')).body.items).toMatchObject([
    { ...text, key: 'desk', category: 'notice', params: {}, link: null },
  ])
})

it('marks some or all messages of the member as read', async () => {
  const [member, other] = [await venue.createMember(), await venue.createMember()]
  for (const { id } of [member, member, member, other])
    await venue.messages.send(venue.db, { memberId: id, key: 'welcome', params: {} })
  const list = async (of = member) => (await of.get<List>('/messages')).body.items
  const [newest] = await list()
  const [othersMessage] = await list(other)
  const read = (body: unknown) => member.send('POST', '/messages/read', body)
  expect((await read({ ids: [newest?.id, othersMessage?.id, 'unknown'] })).status).toBe(204)
  expect((await list()).map((message) => message.read)).toEqual([true, false, false])
  expect((await read({ all: true })).status).toBe(204)
  expect((await list()).map((message) => message.read)).toEqual([true, true, true])
  expect((await list(other)).map((message) => message.read)).toEqual([false])
  expect((await read({ all: false })).status).toBe(400)
  expect((await read({ ids: [] })).status).toBe(400)
})

it("publishes each read message once to the member's other windows", async () => {
  const member = await venue.createMember()
  for (let i = 0; i < 3; i++)
    await venue.messages.send(venue.db, { memberId: member.id, key: 'welcome', params: {} })
  const list = async () => (await member.get<List>('/messages')).body.items
  const published = () => venue.bus.eventsFor(member.id, 'message')
  const [newest] = await list()
  await member.send('POST', '/messages/read', { ids: [newest?.id] })
  expect(published()).toEqual([{ ...newest, read: true }])
  await member.send('POST', '/messages/read', { all: true })
  const rest = (await list()).slice(1)
  expect(rest.every(({ read }) => read)).toBe(true)
  expect(published().slice(1)).toEqual(rest)
  await member.send('POST', '/messages/read', { all: true })
  expect(published()).toHaveLength(3)
})

it('continues a list at the same place while messages come in', async () => {
  const member = await venue.createMember()
  const send = () => venue.messages.send(venue.db, { memberId: member.id, key: 'welcome', params: {} })
  for (let i = 0; i < 3; i++) await send()
  const first = (await member.get<List>('/messages?limit=2')).body
  await send()
  const second = (await member.get<List>(`/messages?limit=2&cursor=${first.nextCursor}`)).body
  expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(3)
  expect(second.nextCursor).toBeNull()
})

it('prune deletes messages after half a year', async () => {
  const member = await venue.createMember()
  await venue.messages.send(venue.db, { memberId: member.id, key: 'welcome', params: {} })
  venue.clock.leap(183 * 86_400_000)
  expect(await venue.messages.prune(testFence)).toBe(0)
  venue.clock.leap(1)
  expect(await venue.messages.prune(testFence)).toBeGreaterThan(0)
  expect((await venue.messages.list(member.id, { limit: 10 })).items).toEqual([])
})

it('marking all as read publishes only the newest hundred', async () => {
  const member = await venue.createMember()
  const drafts = Array.from(
    { length: 1250 },
    () => ({ memberId: member.id, key: 'welcome', params: {} }) as const,
  )
  for (let i = 0; i < drafts.length; i += 250)
    await venue.messages.send(venue.db, ...drafts.slice(i, i + 250))
  const page = (await member.get<List>('/messages?limit=100')).body
  expect((await member.send('POST', '/messages/read', { all: true })).status).toBe(204)
  const published = venue.bus.eventsFor<Message>(member.id, 'message')
  expect(published.map(({ id, read }) => [id, read])).toEqual(page.items.map(({ id }) => [id, true]))
  const left = await venue.db.execute(
    `SELECT count(*)::int AS n FROM message WHERE member_id = '${member.id}' AND read_at IS NULL`,
  )
  expect(left.rows).toEqual([{ n: 0 }])
})
