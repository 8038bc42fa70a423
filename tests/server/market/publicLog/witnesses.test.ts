import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sign } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  cosignedMessage,
  packCosignature,
  parseCheckpoint,
  verifyCosignatures,
} from '../../../../contract/tlog/checkpoint.ts'
import {
  formatVerifierKey,
  keyId,
  parseNote,
  parseVerifierKey,
  verifyNote,
} from '../../../../contract/tlog/note.ts'
import type { StatusReport } from '../../../../contract/status.ts'
import { decideAddCheckpoint, type WitnessedLog } from '../../../../contract/tlog/witness.ts'
import { openMemoryDatabase, type Database } from '../../../../server/platform/db/open.ts'
import { logWitnessOf } from '../../../../server/market/publicLog/logWitnesses.ts'
import { keyPairOf } from '../../../../server/market/publicLog/keyPair.ts'
import { scrape } from '../../../support/metrics.ts'
import { call } from '../../../support/apiCalls.ts'
import { runMarket, tickOnce } from '../../../support/orders.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'

const name = 'witness.test/w1'
const { secret, publicKey } = keyPairOf(new Uint8Array(32).fill(7))
const keyText = formatVerifierKey(name, 'cosignature', publicKey)

let database: Database
let venue: TestVenue
let server: Server
/** The witness's view of the venue's log. */
let log: WitnessedLog | undefined
const statuses: number[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    const answer = async (): Promise<void> => {
      const seconds = Math.floor(venue.clock.now() / 1000)
      const decision = await decideAddCheckpoint(
        body,
        () => log,
        async (text) => ({
          name,
          id: keyId(name, 'cosignature', publicKey),
          bytes: packCosignature(seconds, sign(null, cosignedMessage(text, seconds), secret)),
        }),
      )
      statuses.push(decision.status)
      if (decision.status === 200 && log) log = { ...log, latest: decision.cosigned }
      response.statusCode = decision.status
      response.end(decision.text)
    }
    request.on('end', () => void answer())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  database = await openMemoryDatabase()
  // The second witness does not answer: nothing waits for it.
  const logWitnesses = [
    { address: `http://127.0.0.1:${port}/`, key: keyText },
    { address: 'http://127.0.0.1:1', key: formatVerifierKey('witness.test/w2', 'cosignature', publicKey) },
  ].map(logWitnessOf)
  venue = await openTestVenue(database, { settings: { logWitnesses } })
  tickOnce(venue)
  const { logKey } = (await (await venue.createMember()).get<{ logKey: string }>('/config')).body
  log = { key: parseVerifierKey(logKey)!, latest: null }
})
afterAll(async () => {
  await venue.close()
  await database.close()
  server.close()
})

const errorsSince = (): string =>
  venue.reportedErrors
    .splice(0)
    .map((each) => String(typeof each === 'object' && each !== null && 'err' in each ? each.err : each))
    .join()

async function checkpointOf() {
  await venue.clock.advance(600)
  const note = parseNote((await venue.app.inject('/log/checkpoint')).payload)!
  return { note, ...parseCheckpoint(note.text)! }
}

it('serves the checkpoint with the cosignatures that it got', async () => {
  await runMarket(venue, 7000)
  const first = await checkpointOf()
  const key = parseVerifierKey(keyText)!
  expect(await verifyNote(first.note, log!.key)).toBe(true)
  expect(await verifyCosignatures(first.note, [key])).toMatchObject([{ key: { name } }])
  await runMarket(venue, 10_000)
  const second = await checkpointOf()
  expect(second.size).toBeGreaterThan(first.size)
  expect(await verifyCosignatures(second.note, [key])).toHaveLength(1)
  expect(statuses.every((status) => status === 200)).toBe(true)
  expect(errorsSince()).toContain('witness.test/w2 did not cosign')
  const metrics = await scrape(venue.app)
  const { size } = (await venue.publicLog.figures())!
  expect(metrics.get('uptick_log_leaves')).toBe(size)
  expect(metrics.get('uptick_log_leaf_age_seconds')).toBeLessThan(2)
  expect(metrics.get('uptick_log_checkpoint_age_seconds')).toBeLessThan(15)
  expect(metrics.get('uptick_log_cosignatures')).toBe(1)
  const failures = (witness: string) => metrics.get(`uptick_log_witness_failures_total{witness="${witness}"}`)
  expect([failures(name), failures('witness.test/w2')]).toEqual([0, 3])
  const { body } = await call<StatusReport>(venue.app, 'GET', '/status')
  expect(body.log).toMatchObject({ name: second.origin, at: expect.any(Number) })
  const [seen, unseen] = body.log!.witnesses
  expect(seen).toMatchObject({ name })
  expect(venue.clock.now() - seen!.seenAt!).toBeLessThan(15_000)
  expect(unseen).toEqual({ name: 'witness.test/w2', seenAt: null })
})

it('proves the way from what a witness has cosigned, after a restart too', async () => {
  const { clock, market, secrets } = venue
  await venue.close()
  const { settings } = venue
  venue = await openTestVenue(database, {
    clock,
    market,
    secrets,
    settings: { logWitnesses: settings.logWitnesses },
  })
  statuses.length = 0
  await runMarket(venue, 7000)
  // It did not know the size any more, and was told.
  expect(statuses).toEqual([409, 200])
})

it('reports a witness that has cosigned more than the log has, and serves without it', async () => {
  log = { ...log!, latest: { ...log!.latest!, size: 10_000 } }
  await runMarket(venue, 22_000)
  expect(errorsSince()).toContain('larger log, of size 10000')
  const conflicts = `uptick_log_witness_conflicts_total{witness="${name}"}`
  expect((await scrape(venue.app)).get(conflicts)).toBeGreaterThan(2)
  const { note, size } = await checkpointOf()
  expect(note.signatures).toHaveLength(1)
  expect(size).toBeGreaterThan(40)
})

it('reads no more of an answer than a witness may send', async () => {
  let sent = 0
  const chunk = Buffer.alloc(65_536, 'x')
  const endless = createServer((_request, response) => {
    const send = (): void => {
      sent += chunk.length
      if (!response.destroyed) response.write(chunk, send)
    }
    send()
  })
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
  const { port } = endless.address() as AddressInfo
  const { clock, market, secrets } = venue
  await venue.close()
  const logWitnesses = [logWitnessOf({ address: `http://127.0.0.1:${port}`, key: keyText })]
  venue = await openTestVenue(database, { clock, market, secrets, settings: { logWitnesses } })
  await runMarket(venue, 6000)
  expect(errorsSince()).toContain('its answer is too long')
  expect(sent).toBeLessThan(64 * 1024 * 1024)
  endless.closeAllConnections()
  endless.close()
})

it('a witness refuses what does not continue what it cosigned', async () => {
  const { note, size } = await checkpointOf()
  const text = (await venue.app.inject('/log/checkpoint')).payload
  const ask = async (request: string, known: WitnessedLog | undefined) =>
    (
      await decideAddCheckpoint(
        request,
        () => known,
        () => Promise.reject(new Error('signed')),
      )
    ).status
  const { key } = log!
  const other = { origin: key.name, size, root: new Uint8Array(32) }
  expect(await ask(`old 0\n\n${text}`, undefined)).toBe(404)
  expect(await ask(`old 0\n\n${text.replace(`\n${size}\n`, `\n${size + 1}\n`)}`, { key, latest: null })).toBe(
    403,
  )
  expect(await ask(`old ${size}\n\n${text}`, { key, latest: other })).toBe(422)
  expect(await ask(`old 3\n\n${text}`, { key, latest: null })).toBe(409)
  expect(await ask(`old ${size + 1}\n\n${text}`, { key, latest: { ...other, size: size + 1 } })).toBe(400)
  expect(await ask(`old 0\nAAAA\n\n${text}`, { key, latest: null })).toBe(422)
  expect(await ask(`old 00\n\n${text}`, { key, latest: null })).toBe(400)
  expect(note.signatures).toHaveLength(1)
})
