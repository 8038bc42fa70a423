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

it('events reach every socket of the member and nobody else', async () => {
  const clients = {
    phone: await venue.connect(cookie('m1.s1')),
    desk: await venue.connect(cookie('m1.s2')),
    stranger: await venue.connect(cookie('m2.s3')),
    visitor: await venue.connect(),
    dead: await venue.connect(cookie('gone')),
  }
  venue.members.emit('m1', 'order', { id: 'o1', version: 1 })
  venue.members.emit('m1', 'assets', { total: '1.00' })
  for (const [who, each] of Object.entries(clients)) {
    await each.sync()
    const theirs = who === 'phone' || who === 'desk'
    expect([...each.eventsOf('order'), ...each.eventsOf('assets')]).toEqual(
      theirs ? [{ id: 'o1', version: 1 }, { total: '1.00' }] : [],
    )
  }
})

describe('the end of a session', () => {
  it('its sockets are told why and cut, the member’s others stay', async () => {
    const ending = await venue.connect(cookie('m1.s1'))
    const staying = await venue.connect(cookie('m1.s2'))
    const cut = new Promise((resolve) => ending.socket.once('disconnect', resolve))
    venue.members.endSession('s1', 'revoked')
    venue.members.emit('m1', 'order', { id: 'late' })
    await cut
    await staying.sync()
    expect(ending.eventsOf('session')).toEqual([{ reason: 'revoked' }])
    expect(ending.eventsOf('order')).toEqual([])
    expect(staying.eventsOf('order')).toEqual([{ id: 'late' }])
    expect(staying.eventsOf('session')).toEqual([])
  })

  it('a handshake that was judged while its session ended is cut on arrival', async () => {
    let judge = (): void => undefined
    const judging = new Promise<void>((resolve) => {
      judge = resolve
    })
    let asked = (): void => undefined
    const wasAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    await venue.close()
    venue = await openRealtimeVenue(['A'], {
      authenticator: {
        ...anyMemberAuthenticator,
        findBySid: async () => {
          asked()
          await judging
          return { memberId: 'm1', sessionId: 's1', csrfHash: '' }
        },
      },
    })
    const arriving = venue.connect(cookie('m1.s1'))
    await wasAsked
    venue.members.endSession('s1', 'logout')
    judge()
    const client = await arriving
    await expect.poll(() => client.socket.connected).toBe(false)
    expect(client.eventsOf('session')).toEqual([{ reason: 'logout' }])
  })
})

it('behind a trusted proxy over HTTPS the other cookie counts', async () => {
  await venue.close()
  venue = await openRealtimeVenue(['A'], { authenticator: anyMemberAuthenticator, trustProxy: 1 })
  const headers = { cookie: 'sid=m1.s1; __Host-sid=m2.s2', 'x-forwarded-proto': 'https' }
  const client = await venue.connect(headers)
  venue.members.emit('m1', 'order', 1)
  venue.members.emit('m2', 'order', 2)
  await client.sync()
  expect(client.eventsOf('order')).toEqual([2])
})

it('when nobody can tell whose cookie it is the connection ends, so that the client tries again', async () => {
  await venue.close()
  venue = await openRealtimeVenue(['A'], {
    authenticator: {
      ...anyMemberAuthenticator,
      findBySid: async () => Promise.reject(new Error('database away')),
    },
  })
  const lost = venue.connect(cookie('m1.s1'), { timeout: 500 })
  void lost.catch(() => undefined)
  await expect.poll(() => venue.errors).toHaveLength(1)
  expect(venue.realtime.counts().sockets).toBe(0)
})
