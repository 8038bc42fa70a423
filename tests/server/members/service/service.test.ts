import { expect, it } from 'vitest'
import type { ServiceMessage } from '../../../../contract/content.ts'
import { withVenue } from '../../../support/withVenue.ts'

type List = { items: ServiceMessage[]; nextCursor: string | null }

const venue = await withVenue()

it('a thread has both sides, newest first, with their read state', async () => {
  const member = await venue.createMember()
  const sent = await member.send('POST', '/service/messages', { body: 'Where is my deposit?' })
  expect(sent).toMatchObject({ status: 201, body: { from: 'member', uploadId: null, read: false } })
  const { id } = sent.body as ServiceMessage
  expect((await venue.service.office.list({ limit: 10 })).items[0]).toMatchObject({
    id,
    memberId: member.id,
    from: 'member',
    unread: 1,
  })
  const answer = await venue.service.office.reply(id, { body: 'It has arrived.' }, 'mei')
  expect(venue.bus.eventsFor<ServiceMessage>(member.id, 'service').map(({ from }) => from)).toEqual([
    'member',
    'desk',
  ])
  const list = async () => (await member.get<List>('/service/messages')).body.items
  expect(await list()).toMatchObject([
    { id: answer.id, from: 'desk', body: 'It has arrived.', read: false },
    { id, from: 'member', read: true },
  ])
  expect((await list()).map(({ read }) => read)).toEqual([true, true])
  expect((await venue.service.office.list({ limit: 10 })).items[0]).toMatchObject({
    from: 'desk',
    unread: 0,
  })
  const messages = (await member.get<{ items: { key: string; link: string }[] }>('/messages')).body.items
  expect(messages).toMatchObject([{ key: 'serviceReply', link: 'pages/service/service' }])
  expect((await venue.actLog.list({ limit: 1 })).items).toMatchObject([
    { actor: 'mei', act: 'reply', memberId: member.id, details: {} },
  ])
})

it('replies to a member by id or account', async () => {
  const member = await venue.createMember()
  await venue.service.office.reply(member.id, { body: 'One' }, 'mei')
  const { body } = await member.get<{ account: string }>('/me')
  await venue.service.office.reply(body.account.toUpperCase(), { body: 'Two' }, 'mei')
  expect((await member.get<List>('/service/messages')).body.items.map((item) => item.body)).toEqual([
    'Two',
    'One',
  ])
  await expect(venue.service.office.reply('nobody', { body: 'Three' }, 'mei')).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await expect(venue.service.office.reply(member.id, { body: '  ' }, 'mei')).rejects.toMatchObject({
    code: 'VALIDATION',
  })
})

it('accepts a picture once and only from its member', async () => {
  const [member, other] = [await venue.createMember(), await venue.createMember()]
  const uploadId = await venue.upload(member, 'service')
  const write = (from: typeof member, body: unknown) => from.send('POST', '/service/messages', body)
  expect((await write(other, { body: '', uploadId })).fields).toEqual({ uploadId: 'INVALID' })
  expect((await write(member, { body: '', uploadId })).body).toMatchObject({ uploadId, body: '' })
  expect((await write(member, { body: 'again', uploadId })).fields).toEqual({ uploadId: 'INVALID' })
  expect((await write(member, { body: ' ' })).fields).toEqual({ body: 'REQUIRED' })
  expect((await write(member, { body: 'x'.repeat(4001) })).fields).toEqual({ body: 'TOO_LONG' })
  expect((await member.get<List>('/service/messages')).body.items).toHaveLength(1)
  expect((await other.get<List>('/service/messages')).body.items).toEqual([])
})

it('continues threads and messages at the same place', async () => {
  const members = [await venue.createMember(), await venue.createMember(), await venue.createMember()]
  for (const member of members) await member.send('POST', '/service/messages', { body: 'Hello' })
  const first = await venue.service.office.list({ limit: 2 })
  expect(first.items.map(({ memberId }) => memberId)).toEqual([members[2]?.id, members[1]?.id])
  await members[2]?.send('POST', '/service/messages', { body: 'Again' })
  const second = await venue.service.office.list({ limit: 1, cursor: first.nextCursor ?? '' })
  expect(second.items[0]?.memberId).toBe(members[0]?.id)

  const member = members[2]
  const page = (await member?.get<List>('/service/messages?limit=1'))?.body
  const rest = (await member?.get<List>(`/service/messages?cursor=${page?.nextCursor}`))?.body
  expect([page?.items[0]?.body, rest?.items.map(({ body }) => body)]).toEqual(['Again', ['Hello']])
})
