import { connect } from 'node:net'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { createUploadSlots } from '../../../../server/notices/uploads/uploadSlots.ts'
import { manualClock } from '../../../support/manualClock.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { photo, uploadFile } from '../../../support/uploads.ts'
import { withVenue } from '../../../support/withVenue.ts'

const kibibyte = 1024

/** Starts `perMember` uploads of each member and returns how many slots each got. */
function fillSlots(members: readonly string[], perMember: number): Record<string, number> {
  const uploadSlots = createUploadSlots(manualClock())
  const counts: Record<string, number> = {}
  for (const memberId of members) {
    for (let i = 0; i < perMember; i++) {
      try {
        uploadSlots.acquire({ sender: memberId, bytes: () => 0, terminate: () => undefined })
        counts[memberId] = (counts[memberId] ?? 0) + 1
      } catch (error) {
        expect(error).toMatchObject({ code: 'UNAVAILABLE' })
      }
    }
  }
  return counts
}

it('gives a member three slots, or one if half of all are taken', () => {
  expect(fillSlots(['a'], 5)).toEqual({ a: 3 })
  expect(fillSlots(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'], 3)).toEqual({
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
    fillSlots(
      Array.from({ length: 40 }, (_, i) => `m${i}`),
      3,
    ),
  )
  expect(many.reduce((sum, count) => sum + count, 0)).toBe(24)
})

it.each([
  ['a byte a second', 1, 5000],
  ['just less than the minimum speed', 16 * kibibyte - 1, 5000],
  ['the minimum speed after two minutes', 16 * kibibyte, 120_000],
  ['no more data after a fast start', 64 * kibibyte, 21_000],
])('terminates an upload with %s', async (_what, perSecond, expected) => {
  const clock = manualClock()
  const start = clock.now()
  const terminatedAt: number[] = []
  const sent = (): number => {
    const seconds = (clock.now() - start) / 1000
    return perSecond * (perSecond > 16 * kibibyte ? Math.min(seconds, 5) : seconds)
  }
  createUploadSlots(clock).acquire({
    sender: 'a',
    bytes: sent,
    terminate: () => terminatedAt.push(clock.now() - start),
  })
  for (let i = 0; i < 130 && terminatedAt.length === 0; i++) await clock.advance(1000)
  expect(terminatedAt[0]).toBe(expected)
})

it('does not terminate a received upload, and frees its slot on release', async () => {
  const clock = manualClock()
  const uploadSlots = createUploadSlots(clock)
  let terminatedAt = 0
  const incoming = { sender: 'a', bytes: () => 0, terminate: () => void (terminatedAt += 1) }
  const slots = [uploadSlots.acquire(incoming), uploadSlots.acquire(incoming), uploadSlots.acquire(incoming)]
  for (const slot of slots) slot.received()
  await clock.advance(200_000)
  expect(terminatedAt).toBe(0)
  expect(() => uploadSlots.acquire(incoming)).toThrow('UNAVAILABLE')
  slots[0]?.release()
  uploadSlots.acquire(incoming)
})

it('closes slow connections and frees their slots', async () => {
  const venue = await withVenue({ ticking: true })
  const member = await venue.registerMember()
  // Three of the four take all slots of the member, so only the fourth gets an answer.
  const { port } = await venue.listen()
  const slow = [1, 2, 3, 4].map(() => drip(port, member))
  const rejected = await Promise.race(
    slow.map(async (socket) => {
      const [answer] = (await once(socket, 'data')) as [Buffer]
      return { socket, answer: answer.toString() }
    }),
  )
  expect(rejected.answer).toMatch(/^HTTP\/1.1 503 /)
  const closed = slow
    .filter((socket) => socket !== rejected.socket)
    .map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  await venue.clock.advance(5000)
  await Promise.all(closed)
  const file = await photo()
  while ((await uploadFile(venue.app, member, { purpose: 'service', file })).status !== 201);
})

/** Starts an upload of the member and sends only its first byte. */
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
