import { expect, it, vi } from 'vitest'
import { dayMs } from '../../../../contract/time.ts'
import { upload } from '../../../../server/notices/schema.ts'
import { photo, uploadFile } from '../../../support/uploads.ts'
import type { TestVenue } from '../../../support/testVenue.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue()
const { database } = venue
const megabyte = 1024 * 1024
const send = async (at: TestVenue, member: Awaited<ReturnType<TestVenue['createMember']>>) => {
  const { status, code } = await uploadFile(at.app, member, { purpose: 'service', file: await photo() })
  return [status, code]
}
/** Inserts a used picture of this many megabytes for a member. */
const insertUsedUploads = (memberId: string, megabytes: number, createdAt: number) =>
  database.db.insert(upload).values({
    id: venue.random.uuid(),
    memberId,
    purpose: 'service',
    type: 'image/png',
    bytes: megabytes * megabyte,
    createdAt,
    usedAt: createdAt,
    usedByKind: 'service_message',
    usedById: 'x',
  })

it('limits the size of a member’s pictures per day and in total', async () => {
  const [member, other] = [await venue.createMember(), await venue.createMember()]
  const now = venue.clock.now()
  await insertUsedUploads(member.id, 99, now)
  expect(await send(venue, member)).toEqual([201, undefined])
  await insertUsedUploads(member.id, 1, now)
  expect(await send(venue, member)).toEqual([422, 'UPLOAD_QUOTA'])
  expect(await send(venue, other)).toEqual([201, undefined])
  await venue.clock.jumpBy(dayMs + 1)
  const later = await venue.openSession(member.id)
  expect(await send(venue, later)).toEqual([201, undefined])
  await insertUsedUploads(member.id, 924, now)
  expect(await send(venue, later)).toEqual([422, 'UPLOAD_QUOTA'])
})

it('sums the size of a member’s pictures with an index', async () => {
  const member = await venue.createMember()
  const statements = vi.spyOn(database.pool, 'query')
  expect(await send(venue, member)).toEqual([201, undefined])
  const calls = statements.mock.calls as unknown as [{ text: string }, unknown[]][]
  const [query, values] = calls.find(([{ text }]) => text.includes('sum("bytes")')) ?? []
  statements.mockRestore()
  const client = await database.pool.connect()
  try {
    // Otherwise PostgreSQL would scan a table this small.
    await client.query('SET enable_seqscan = off')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${query?.text}`, values)
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('upload_of_member')
  } finally {
    await client.query('RESET enable_seqscan')
    client.release()
  }
})

it('rejects uploads if the disk has less free space than the minimum', async () => {
  const full = await withVenue({ database, settings: { uploadsFreeMinBytes: Number.MAX_SAFE_INTEGER } })
  expect(await send(full, await full.createMember())).toEqual([503, 'STORAGE_FULL'])
})
