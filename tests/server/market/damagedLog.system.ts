import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { verifyProof } from 'uptick'
import type { Order, Proof } from '../../../contract/orders.ts'
import type { StatusReport } from '../../../contract/status.ts'
import { checkContents } from '../../../server/checks/backup/check.ts'
import type { Database } from '../../../server/platform/db/open.ts'
import { withDatabase } from '../../support/withVenue.ts'
import { tickChunk } from '../../../server/market/schema.ts'
import { packChunk, unpackChunk } from '../../../server/market/log/chunk.ts'
import { firstViolation, verifyLog } from '../../../server/market/log/verifyLog.ts'
import { replayDay } from '../../../server/checks/replayDay/replayDay.ts'
import { checkProofFile } from '../../../src/pages/check/checkProofFile.ts'
import { proofFile } from '../../../src/proof/proofFile.ts'
import { openBackedUpVenue } from '../../support/backedUpVenue.ts'
import { sha } from '../../support/marketFixtures.ts'
import { zone } from '../../support/testVenue.ts'

// Every check of a damaged log must see the damage: the operator's four, and those of a proof from it. A chunk begins with
// a digest of its bytes, which a flipped byte contradicts; who forges a price writes a matching digest too.

type Backed = Awaited<ReturnType<typeof openBackedUpVenue>>

let dataDir: string
let database: Database
let backed: Backed
let order: Order
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'uptick-damaged-'))
  database = await withDatabase()
  backed = await openBackedUpVenue(database, dataDir)
  order = (await backed.member.get<Order>(`/orders/${backed.settled[0]!.id}`)).body
})
afterEach(async () => {
  await backed.venue.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function writeChunk(change: (data: Buffer, seq0: number) => Promise<Buffer>): Promise<void> {
  const [chunk] = await database.db.select().from(tickChunk)
  const data = await change(chunk!.data, chunk!.seq0)
  await database.pool.query('ALTER TABLE tick_chunk DISABLE TRIGGER USER')
  await database.pool.query('UPDATE tick_chunk SET data = $1 WHERE seq0 = $2', [data, chunk!.seq0])
  await database.pool.query('ALTER TABLE tick_chunk ENABLE TRIGGER USER')
}

/** One byte, in the middle. */
const flipByte = () =>
  writeChunk(async (data) => {
    const changed = Buffer.from(data)
    changed[data.length >> 1]! ^= 8
    return changed
  })

/** The price at which the order was entered, by one unit. */
const forgeEntry = () =>
  writeChunk(async (data, seq0) => {
    const ticks = await unpackChunk(seq0, data)
    ticks.price[order.entry!.seq - seq0]! += 1
    return packChunk(ticks)
  })

const proofOf = () => backed.member.get<Proof>(`/orders/${order.id}/proof`)
const checksOf = async (): Promise<StatusReport['checks']> => {
  // Longer than a report is kept.
  await backed.venue.clock.jumpBy(11_000)
  return (await backed.member.get<StatusReport>('/status')).body.checks
}

/** A verifier of someone who has read only docs/protocol.md. @returns the hash after all ticks, or null if it meets `after` */
function strangersHash({ before, ticks, after, order: { productId } }: Proof): string | null {
  let head = before?.hash ?? ''
  for (const [seq, at, price, size] of ticks)
    head = createHash('sha256').update([head, productId, seq, at, price, size].join('|')).digest('hex')
  return head === after?.hash ? null : head
}

/** What the checks of the operator say. */
async function operatorFindings() {
  const { nightlyChecks } = backed.venue
  const checked = firstViolation(await verifyLog(database.db, sha))
  const replayed = await replayDay(database.db, {
    day: null,
    zone,
    holidays: new Set(),
    onProgress: () => undefined,
  })
  await nightlyChecks.checkResults()
  await nightlyChecks.checkLog()
  const checks = await checksOf()
  const { findings } = await checkContents(database.db, {
    keys: null,
    uploads: join(dataDir, 'uploads'),
    removed: [],
    progress: () => undefined,
  })
  return { checked: checked?.message, replayed: replayed.difference?.message, checks, findings }
}

describe('a tick log', () => {
  it('that is whole is found to be', async () => {
    const { body } = await proofOf()
    const file = JSON.stringify(
      proofFile({ proof: { ...body, seams: [] }, heads: [], agreed: null, savedAt: 1 }),
    )
    expect(await verifyProof(JSON.parse(file))).toMatchObject({ kind: 'holds' })
    expect(await checkProofFile(new Blob([file]))).toMatchObject({ ok: true, report: { ok: true } })
    expect(strangersHash(body)).toBeNull()
    const { checked, replayed, checks, findings } = await operatorFindings()
    expect([checked, replayed]).toEqual([undefined, undefined])
    expect(checks).toMatchObject({ results: { differing: 0 }, log: { damaged: 0 } })
    expect(findings).toEqual([])
  })

  it('with a forged price under a matching digest is named by everyone', async () => {
    await forgeEntry()
    const { body } = await proofOf()
    const file = JSON.stringify(
      proofFile({ proof: { ...body, seams: [] }, heads: [], agreed: null, savedAt: 1 }),
    )
    expect(await verifyProof(JSON.parse(file))).toMatchObject({
      kind: 'refuted',
      step: 'chain',
      found: { why: 'hash', statedBy: 'log' },
    })
    expect(await checkProofFile(new Blob([file]))).toMatchObject({
      ok: true,
      report: { ok: false, chain: { ok: false, why: 'hash' }, entry: { ok: false } },
    })
    expect(strangersHash(body)).not.toBeNull()
    const { checked, replayed, checks, findings } = await operatorFindings()
    expect(checked).toMatch(/FAST.*its hash differs/)
    expect(replayed).toMatch(/FAST.*its hash differs/)
    expect(checks).toMatchObject({ results: { differing: expect.any(Number) }, log: { damaged: 1 } })
    expect(checks.results?.differing).toBeGreaterThan(0)
    expect(findings).toContainEqual(expect.stringMatching(/FAST.*its hash differs/))
    expect(findings).toContainEqual(
      expect.stringMatching(`^order ${order.no}: its entryPrice is .*, the tick log says`),
    )
  })

  it('with a flipped byte is named by everyone, the venue’s own answers first', async () => {
    await flipByte()
    expect((await checksOf()).log).toMatchObject({ damaged: 0 })
    expect(await proofOf()).toMatchObject({ status: 500, code: 'LOG_DAMAGED', params: { place: 'FAST:1' } })
    // Requests come upon it before the checks do, and the status is public.
    await proofOf()
    await expect.poll(async () => (await checksOf()).log).toMatchObject({ damaged: 1 })
    const { checked, replayed, checks, findings } = await operatorFindings()
    expect(checked).toMatch(/FAST.*its bytes cannot be read/)
    expect(replayed).toMatch(/FAST.*its bytes cannot be read/)
    // Both checks of the act log come upon it, and it counts once. No order is settled again from it.
    expect(checks).toMatchObject({ results: null, log: { damaged: 1 } })
    expect(findings).toContainEqual(expect.stringMatching(/FAST.*its bytes cannot be read/))
  })
})
