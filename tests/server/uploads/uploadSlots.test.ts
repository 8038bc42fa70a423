import { connect } from 'node:net'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import { createUploadSlots } from '../../../server/uploads/uploadSlots.ts'
import { manualClock } from '../../support/manualClock.ts'
import { openBackOfficeVenue } from '../../support/backOfficeVenue.ts'
import type { MemberClient } from '../../support/testVenue.ts'
import { photo, uploadFile } from '../../support/walletVenue.ts'

const kibibyte = 1024

/** Uploads of members in turn, until one of them gets no place: who got how many. */
function filled(members: readonly string[], each: number): Record<string, number> {
  const receivers = createUploadSlots(manualClock())
  const places: Record<string, number> = {}
  for (const memberId of members) {
    for (let i = 0; i < each; i++) {
      try {
        receivers.acquire({ memberId, bytes: () => 0, terminate: () => undefined })
        places[memberId] = (places[memberId] ?? 0) + 1
      } catch (error) {
        expect(error).toMatchObject({ status: 503, code: 'UNAVAILABLE' })
      }
    }
  }
  return places
}

it('a member has three places, and one where half of all are taken', () => {
  expect(filled(['a'], 5)).toEqual({ a: 3 })
  expect(filled(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'], 3)).toEqual({
    a: 3,
    b: 3,
    c: 3,
    d: 3,
    e: 1,
    f: 1,
    g: 1,
    h: 1,
    i: 1,
  })
  const many = Object.values(
    filled(
      Array.from({ length: 40 }, (_, i) => `m${i}`),
      3,
    ),
  )
  expect(many.reduce((sum, places) => sum + places, 0)).toBe(24)
})

it.each([
  ['a byte a second', 1, 5000],
  ['just too slow', 16 * kibibyte - 1, 5000],
  ['just fast enough, but too long', 16 * kibibyte, 120_000],
  ['fast, then still', 64 * kibibyte, 21_000],
])('%s is cut off', async (_what, perSecond, expected) => {
  const clock = manualClock()
  const start = clock.now()
  const cuts: number[] = []
  const sent = (): number => {
    const seconds = (clock.now() - start) / 1000
    return perSecond * (perSecond > 16 * kibibyte ? Math.min(seconds, 5) : seconds)
  }
  createUploadSlots(clock).acquire({
    memberId: 'a',
    bytes: sent,
    terminate: () => cuts.push(clock.now() - start),
  })
  for (let i = 0; i < 130 && cuts.length === 0; i++) await clock.advance(1000)
  expect(cuts[0]).toBe(expected)
})

it('one that is received is watched no more, and its place is free again', async () => {
  const clock = manualClock()
  const receivers = createUploadSlots(clock)
  let cuts = 0
  const incoming = { memberId: 'a', bytes: () => 0, terminate: () => void (cuts += 1) }
  const places = [receivers.acquire(incoming), receivers.acquire(incoming), receivers.acquire(incoming)]
  for (const place of places) place.received()
  await clock.advance(200_000)
  expect(cuts).toBe(0)
  expect(() => receivers.acquire(incoming)).toThrow('UNAVAILABLE')
  places[0]?.release()
  receivers.acquire(incoming)
})

it('connections that drip are closed, and their places serve others', async () => {
  const database = await openMemoryDatabase()
  const venue = await openBackOfficeVenue(database)
  try {
    const member = await venue.registerMember()
    // The one of four that is answered is told that the other three have all of the member's places.
    const slow = [1, 2, 3, 4].map(() => drip(venue.port, member))
    const refused = await Promise.race(
      slow.map(async (socket) => {
        const [answer] = (await once(socket, 'data')) as [Buffer]
        return { socket, answer: answer.toString() }
      }),
    )
    expect(refused.answer).toMatch(/^HTTP\/1.1 503 /)
    const closed = slow
      .filter((socket) => socket !== refused.socket)
      .map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    await venue.clock.advance(5000)
    await Promise.all(closed)
    const file = await photo()
    while ((await uploadFile(venue.app, member, { purpose: 'service', file })).status !== 201);
  } finally {
    await venue.close()
    await database.close()
  }
}, 300_000)

/** Begins an upload of the member and sends no more of it. */
function drip(port: number, { sid, token }: MemberClient) {
  const head = [
    'POST /api/uploads HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `Cookie: sid=${sid}`,
    `X-CSRF-Token: ${token}`,
    'Content-Type: multipart/form-data; boundary=b',
    'Content-Length: 900000',
  ]
  const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nx'
  const socket = connect(port, '127.0.0.1', () => socket.write(`${head.join('\r\n')}\r\n\r\n${part}`))
  socket.on('error', () => undefined)
  return socket
}
