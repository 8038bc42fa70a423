import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Authenticator } from '../../../server/ports.ts'
import { openRealtimeVenue } from '../../support/realtimeVenue.ts'
import type { RealtimeVenue } from '../../support/realtimeVenue.ts'

/** Each cookie `member.session` is a live session. */
const anyMemberAuthenticator: Authenticator = {
  cachedSessionId: () => null,
  findBySid: async (sid) => {
    const [memberId = '', sessionId = ''] = sid.split('.')
    return sessionId === '' ? null : { memberId, sessionId, csrfHash: '' }
  },
  csrfMatches: () => false,
}
const cookie = (sid: string) => ({ cookie: `other=1; sid=${sid}` })

let venue: RealtimeVenue
beforeEach(async () => {
  venue = await openRealtimeVenue(['A'], { authenticator: anyMemberAuthenticator })
})
afterEach(() => venue.close())

it('sends events to every socket of the member and to no other client', async () => {
  const clients = {
    phone: await venue.connect(cookie('m1.s1')),
    laptop: await venue.connect(cookie('m1.s2')),
    otherMember: await venue.connect(cookie('m2.s3')),
    visitor: await venue.connect(),
    endedSession: await venue.connect(cookie('gone')),
  }
  venue.members.emit('m1', 'order', { id: 'o1', version: 1 })
  venue.members.emit('m1', 'assets', { total: '1.00' })
  for (const [name, client] of Object.entries(clients)) {
    await client.sync()
    const isOfMember = name === 'phone' || name === 'laptop'
    expect([...client.eventsOf('order'), ...client.eventsOf('assets')]).toEqual(
      isOfMember ? [{ id: 'o1', version: 1 }, { total: '1.00' }] : [],
    )
  }
})

describe('endSession', () => {
  it('sends the reason to the session’s sockets and disconnects them, but not the member’s others', async () => {
    const ending = await venue.connect(cookie('m1.s1'))
    const staying = await venue.connect(cookie('m1.s2'))
    const disconnected = new Promise((resolve) => ending.socket.once('disconnect', resolve))
    venue.members.endSession('s1', 'revoked')
    venue.members.emit('m1', 'order', { id: 'late' })
    await disconnected
    await staying.sync()
    expect(ending.eventsOf('session')).toEqual([{ reason: 'revoked' }])
    expect(ending.eventsOf('order')).toEqual([])
    expect(staying.eventsOf('order')).toEqual([{ id: 'late' }])
    expect(staying.eventsOf('session')).toEqual([])
  })

  it('disconnects a socket whose session ended during its handshake', async () => {
    let finishLookup = (): void => undefined
    const lookupFinished = new Promise<void>((resolve) => {
      finishLookup = resolve
    })
    let startLookup = (): void => undefined
    const lookupStarted = new Promise<void>((resolve) => {
      startLookup = resolve
    })
    await venue.close()
    venue = await openRealtimeVenue(['A'], {
      authenticator: {
        ...anyMemberAuthenticator,
        findBySid: async () => {
          startLookup()
          await lookupFinished
          return { memberId: 'm1', sessionId: 's1', csrfHash: '' }
        },
      },
    })
    const connecting = venue.connect(cookie('m1.s1'))
    await lookupStarted
    venue.members.endSession('s1', 'logout')
    finishLookup()
    const client = await connecting
    await expect.poll(() => client.socket.connected).toBe(false)
    expect(client.eventsOf('session')).toEqual([{ reason: 'logout' }])
  })
})

it('uses the HTTPS cookie behind a trusted proxy', async () => {
  await venue.close()
  venue = await openRealtimeVenue(['A'], { authenticator: anyMemberAuthenticator, trustProxy: 1 })
  const headers = { cookie: 'sid=m1.s1; __Host-sid=m2.s2', 'x-forwarded-proto': 'https' }
  const client = await venue.connect(headers)
  venue.members.emit('m1', 'order', 1)
  venue.members.emit('m2', 'order', 2)
  await client.sync()
  expect(client.eventsOf('order')).toEqual([2])
})

it('closes the connection if looking up the session fails, so that the client reconnects', async () => {
  await venue.close()
  venue = await openRealtimeVenue(['A'], {
    authenticator: {
      ...anyMemberAuthenticator,
      findBySid: async () => Promise.reject(new Error('database unavailable')),
    },
  })
  const connecting = venue.connect(cookie('m1.s1'), { timeout: 500 })
  void connecting.catch(() => undefined)
  await expect.poll(() => venue.errors).toHaveLength(1)
  expect(venue.realtime.counts().sockets).toBe(0)
})
