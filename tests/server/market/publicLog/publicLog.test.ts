import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linkHash } from '../../../../contract/chain.ts'
import { proof as proofSchema, type Proof } from '../../../../contract/orders.ts'
import { fromBase64 } from '../../../../contract/tlog/base64.ts'
import { parseCheckpoint } from '../../../../contract/tlog/checkpoint.ts'
import { parseLeaf } from '../../../../contract/tlog/leaf.ts'
import {
  consistencyProof,
  isSameHash,
  leafHash,
  rootAt,
  rootOf,
  verifyConsistency,
  verifyInclusion,
} from '../../../../contract/tlog/merkle.ts'
import { parseNote, parseVerifierKey, verifyNote } from '../../../../contract/tlog/note.ts'
import { createTileReader, tilePath, unpackEntries } from '../../../../contract/tlog/tiles.ts'
import type { VenueConfig } from '../../../../contract/venueConfig.ts'
import { checkProof } from '../../../../src/proof/check.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import type { MemberClient } from '../../../support/apiCalls.ts'
import { fakeMarket, testProduct } from '../../../support/fakeMarket.ts'
import { manualClock } from '../../../support/manualClock.ts'
import { placeOrder, runMarket, tickOnce } from '../../../support/orders.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'

let venue: TestVenue
let member: MemberClient
let firstOrigin: string
const database = await withDatabase()
beforeAll(async () => {
  const clock = manualClock()
  const market = fakeMarket(clock, [{ ...testProduct, id: 'ZZ' }, testProduct])
  const dataDir = await mkdtemp(join(tmpdir(), 'public-log-'))
  venue = await openTestVenue(database, { clock, market, dataDir, settings: { rateLimits: true } })
  await venue.clock.advance(1)
  tickOnce(venue)
  member = await venue.createMember()
})
afterAll(async () => {
  await venue.close()
  await rm(venue.dataDir, { recursive: true })
})

const fetchBytes = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await venue.app.inject({ method: 'GET', url: `/log/${path}`, headers })
  return { status: answer.statusCode, headers: answer.headers, bytes: new Uint8Array(answer.rawPayload) }
}
const configOf = async (): Promise<VenueConfig> => (await member.get<VenueConfig>('/config')).body

/** The newest checkpoint, signed by the key that the venue names. */
async function checkpointOf() {
  await venue.clock.advance(600)
  const text = Buffer.from((await fetchBytes('checkpoint')).bytes).toString()
  const note = parseNote(text)!
  const key = parseVerifierKey((await configOf()).logKey!)!
  expect(await verifyNote(note, key)).toBe(true)
  const checkpoint = parseCheckpoint(note.text)!
  expect(checkpoint.origin).toBe(key.name)
  return { ...checkpoint, text }
}
const nodesOf = (size: number) =>
  createTileReader(size, async (tile) => (await fetchBytes(tilePath(tile))).bytes)

describe('the public log', () => {
  it('has a leaf for each second with a flush, in tiles that lead to the signed root', async () => {
    await runMarket(venue, 300_000, (at) => 10_000 + (at % 97))
    const { size, root, origin } = await checkpointOf()
    expect(size).toBeGreaterThan(298)
    expect(isSameHash(await rootAt(size, nodesOf(size)), root)).toBe(true)
    const full = await fetchBytes('tile/entries/000')
    const packed = await fetchBytes('tile/entries/000', { 'accept-encoding': 'br, gzip' })
    expect(new Uint8Array(gunzipSync(packed.bytes))).toEqual(full.bytes)
    expect(full.headers['cache-control']).toBe('public, max-age=3600')
    const entries = unpackEntries(full.bytes)
    const { bytes: tile } = await fetchBytes('tile/0/000')
    expect(Buffer.concat(entries.map((entry) => leafHash(entry)))).toEqual(Buffer.from(tile))
    const { bytes: above } = await fetchBytes('tile/1/000.p/1')
    expect(isSameHash(above, rootOf(entries.map((entry) => leafHash(entry))))).toBe(true)
    // Generated clients escape the slashes of a parameter.
    expect((await fetchBytes('tile/1/000.p%2F1')).bytes).toEqual(above)
    const leaves = entries.map((entry) => parseLeaf(Buffer.from(entry).toString())!)
    expect(leaves.every((leaf) => leaf.origin === origin)).toBe(true)
    expect(leaves.every(({ at }, i) => i === 0 || at > leaves[i - 1]!.at)).toBe(true)
    expect(leaves.at(-1)!.heads.map(({ productId }) => productId)).toEqual(['TEST', 'ZZ'])
    const { productId: _, ...head } = leaves.at(-1)!.heads[0]!
    expect(await venue.market.ticksAfter('TEST', head.seq, 1)).toMatchObject({ before: head })
    const missing = [
      'tile/0/001',
      `tile/0/001.p/${size - 255}`,
      'tile/1/000',
      'tile/0/1',
      'tile/9/000.p/1',
      'other',
    ]
    expect(await Promise.all(missing.map(async (path) => (await fetchBytes(path)).status))).toEqual(
      missing.map(() => 404),
    )
  })

  it('limits tiles by address, apart from other calls, and leaves room for a month of them', async () => {
    const remoteAddress = '192.0.2.7'
    const statusOf = async (url: string) => (await venue.app.inject({ url, remoteAddress })).statusCode
    const { rateLimiter } = venue.app.requestContext
    rateLimiter.charge('tiles', remoteAddress, 21_000)
    expect(await statusOf('/log/tile/0/000.p/1')).toBe(200)
    rateLimiter.charge('tiles', remoteAddress, 3000)
    expect(await statusOf('/log/tile/0/000.p/1')).toBe(429)
    expect(await statusOf('/log/checkpoint')).toBe(200)
    expect(await statusOf('/log/checkpoint?at=1')).toBe(400)
    expect(await statusOf('/api/products')).toBe(200)
    await venue.clock.advance(1000)
    expect(await statusOf('/log/tile/0/000.p/1')).toBe(200)
  })

  it('proves the ticks of an order up to the first leaf after its close', async () => {
    const order = await placeOrder(venue, member)
    await runMarket(venue, 30_000, (at) => 10_000 + (at % 97))
    const proofNow = async (): Promise<Proof> =>
      proofSchema.parse((await member.get(`/orders/${order.id}/proof`)).body)
    await venue.clock.advance(5000)
    await runMarket(venue, 5000)
    const { log, ticks, before } = await proofNow()
    const leaf = parseLeaf(log!.leaf)!
    expect(leaf.at - order.closeAt).toBeGreaterThanOrEqual(0)
    expect(leaf.at - order.closeAt).toBeLessThan(1500)
    const { size, root } = parseCheckpoint(parseNote(log!.checkpoint)!.text)!
    const claim = { index: log!.index, size, leaf: leafHash(Buffer.from(log!.leaf)), root }
    expect(
      verifyInclusion(
        claim,
        log!.path.map((hash) => fromBase64(hash)!),
      ),
    ).toBe(true)
    const head = leaf.heads.find(({ productId }) => productId === 'TEST')!
    let hash = before!.hash
    for (const tick of ticks.filter(([seq]) => seq <= head.seq)) hash = linkHash(hash, 'TEST', tick)
    expect(hash).toBe(head.hash)
    const { logKey, logWitnesses } = await configOf()
    const evidence = { agreed: null, heads: [], logKeys: { logKey, logWitnesses } }
    const report = await checkProof({ ...(await proofNow()), seams: [] }, evidence, async () => {})
    expect(report).toMatchObject({ ok: true, log: { held: true, at: leaf.at, witnesses: [] } })
  })

  it('states when a gap ends, once', async () => {
    const from = venue.market.watermark('TEST')
    await venue.clock.advance(5000)
    venue.market.recordGap()
    await runMarket(venue, 3000)
    const { size } = await checkpointOf()
    const { bytes } = await fetchBytes(`tile/entries/001.p/${size - 256}`)
    const texts = unpackEntries(bytes).map((entry) => Buffer.from(entry).toString())
    const stated = texts.flatMap((text) => parseLeaf(text)!.gaps).filter((gap) => gap.from === from)
    expect(stated).toEqual(['TEST', 'ZZ'].map((productId) => ({ productId, from, to: from + 5000 })))
  })

  it('is only added to', async () => {
    for (const statement of [
      'UPDATE log_leaf SET at = at',
      'DELETE FROM log_leaf',
      'TRUNCATE log_leaf',
      'INSERT INTO log_leaf (ix, at, data) SELECT max(ix) + 2, max(at) + 1, $$$$::bytea FROM log_leaf',
      'INSERT INTO log_leaf (ix, at, data) SELECT max(ix) + 1, max(at), $$$$::bytea FROM log_leaf',
      'UPDATE log_node SET hash = hash',
      'DELETE FROM log_checkpoint',
      'UPDATE log_checkpoint SET size = size - 1',
      "UPDATE log_checkpoint SET note = replace(note, '/log/', '/gol/')",
    ])
      await expect(database.pool.query(statement), statement).rejects.toThrow(
        /never changed|only grows|follows/,
      )
  })

  it('goes on after a restart, with a tree that continues the one before', async () => {
    const earlier = await checkpointOf()
    const { clock, market, secrets, dataDir } = venue
    await venue.close()
    venue = await openTestVenue(database, { clock, market, secrets, dataDir })
    member = venue.clientOf(member)
    await runMarket(venue, 3000)
    const later = await checkpointOf()
    expect([later.origin, later.size]).toEqual([earlier.origin, earlier.size + 3])
    const path = await consistencyProof(earlier.size, later.size, nodesOf(later.size))
    expect(verifyConsistency(earlier, later, path)).toBe(true)
  })

  it('gets another name if the database went back to before what was signed', async () => {
    const signed = await checkpointOf()
    firstOrigin = signed.origin
    const { clock, market, secrets, dataDir } = venue
    await venue.close()
    await database.db.execute(sql`SET session_replication_role = replica`)
    await database.db.execute(sql`DELETE FROM log_leaf WHERE ix >= ${signed.size - 2}::bigint`)
    await database.db.execute(sql`SET session_replication_role = DEFAULT`)
    venue = await openTestVenue(database, { clock, market, secrets, dataDir })
    expect(JSON.stringify(venue.reportedErrors.splice(0))).toContain('older than what was signed')
    member = venue.clientOf(member)
    await runMarket(venue, 4000)
    const other = await checkpointOf()
    expect(other.origin).not.toBe(signed.origin)
    expect(other.size).toBe(signed.size + 3)
    expect(venue.reportedErrors).toEqual([])
  })

  it('gets another name too if that copy is from before the log got its present one', async () => {
    const { origin: present } = await checkpointOf()
    const { clock, market, secrets, dataDir } = venue
    await venue.close()
    const rename = sql`UPDATE setting SET value = ${JSON.stringify(firstOrigin)}::jsonb WHERE key = 'log_origin'`
    await database.db.execute(rename)
    venue = await openTestVenue(database, { clock, market, secrets, dataDir })
    expect(JSON.stringify(venue.reportedErrors.splice(0))).toContain('older than what was signed')
    member = venue.clientOf(member)
    await runMarket(venue, 3000)
    const { origin } = await checkpointOf()
    expect([firstOrigin, present]).not.toContain(origin)
  })
})
