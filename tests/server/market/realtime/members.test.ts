import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withDatabase } from '../../../support/withVenue.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'

const database = await withDatabase()

let venue: TestVenue
let member: MemberClient
let otherMember: MemberClient
beforeEach(async () => {
  venue = await openTestVenue(database)
  member = await venue.createMember()
  otherMember = await venue.createMember()
})
afterEach(() => venue.close())

const cookie = (sid: string) => ({ cookie: `other=1; sid=${sid}` })

it('sends events to every socket of the member and to no other client', async () => {
  const clients = {
    phone: await venue.connect(cookie(member.sid)),
    laptop: await venue.connect(cookie((await venue.openSession(member.id)).sid)),
    otherMember: await venue.connect(cookie(otherMember.sid)),
    visitor: await venue.connect(),
    endedSession: await venue.connect(cookie('gone')),
  }
  venue.bus.emit(member.id, 'order', { id: 'o1', version: 1 })
  venue.bus.emit(member.id, 'assets', { total: '1.00' })
  for (const [name, client] of Object.entries(clients)) {
    await client.sync()
    const isOfMember = name === 'phone' || name === 'laptop'
    expect([...client.eventsOf('order'), ...client.eventsOf('assets')]).toEqual(
      isOfMember ? [{ id: 'o1', version: 1 }, { total: '1.00' }] : [],
    )
  }
})

describe('the end of a session', () => {
  const sessionIdOf = async ({ sid }: MemberClient): Promise<string> =>
    (await venue.sessions.findBySid(sid))!.sessionId

  it('sends the reason to the session’s sockets and disconnects them, but not the member’s others', async () => {
    const ending = await venue.connect(cookie(member.sid))
    const staying = await venue.connect(cookie((await venue.openSession(member.id)).sid))
    const disconnected = new Promise((resolve) => ending.socket.once('disconnect', resolve))
    await venue.sessions.end(member.id, await sessionIdOf(member), 'revoked')
    venue.bus.emit(member.id, 'order', { id: 'late' })
    await disconnected
    await staying.sync()
    expect(ending.eventsOf('session')).toEqual([{ reason: 'revoked' }])
    expect(ending.eventsOf('order')).toEqual([])
    expect(staying.eventsOf('order')).toEqual([{ id: 'late' }])
    expect(staying.eventsOf('session')).toEqual([])
  })

  it('disconnects a socket whose session ended during its handshake', async () => {
    const sessionId = await sessionIdOf(member)
    await venue.clock.advance(2000)
    // The lookup needs the only connection of the database, so it waits until the test releases it.
    const connection = await venue.database.pool.connect()
    const connecting = venue.connect(cookie(member.sid))
    await expect.poll(() => venue.database.pool.waitingCount).toBe(1)
    venue.bus.endSession(sessionId, 'logout')
    connection.release()
    const client = await connecting
    await expect.poll(() => client.socket.connected).toBe(false)
    expect(client.eventsOf('session')).toEqual([{ reason: 'logout' }])
  })
})

it('uses the HTTPS cookie behind a trusted proxy', async () => {
  const headers = {
    cookie: `sid=${member.sid}; __Host-sid=${otherMember.sid}`,
    'x-forwarded-proto': 'https',
  }
  const client = await venue.connect(headers)
  venue.bus.emit(member.id, 'order', 1)
  venue.bus.emit(otherMember.id, 'order', 2)
  await client.sync()
  expect(client.eventsOf('order')).toEqual([2])
})

it('closes the connection if looking up the session fails, so that the client reconnects', async () => {
  await database.pool.query('ALTER TABLE session RENAME TO unavailable')
  try {
    const connecting = venue.connect(cookie(member.sid), { timeout: 500 })
    void connecting.catch(() => undefined)
    await expect.poll(() => venue.reportedErrors).toContain('checking a handshake failed')
    expect(venue.realtime.counts().sockets).toBe(0)
  } finally {
    await database.pool.query('ALTER TABLE unavailable RENAME TO session')
  }
})
