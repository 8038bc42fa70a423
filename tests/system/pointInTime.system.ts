import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseCheckpoint, type Checkpoint } from '../../contract/tlog/checkpoint.ts'
import { parseNote } from '../../contract/tlog/note.ts'
import { withRole } from '../../server/platform/db/database.ts'
import { checkStoredRows, noViolations } from '../scenarios/kill/moneyCheck.ts'
import { openTrader, rateBp, seconds, tradedProduct, type Trader } from '../scenarios/kill/trader.ts'
import {
  openOwnPostgres,
  postgresFolder,
  recoverOwnPostgres,
  type OwnPostgres,
} from '../support/ownPostgres.ts'
import { startVenue, type VenueProcess } from '../support/venueProcess.ts'
import { serverBundle } from '../support/serverBundle.ts'

const run = promisify(execFile)
const bundle = serverBundle()
const servers: OwnPostgres[] = []
const venues: VenueProcess[] = []
const folders: string[] = []
let folder: string
let env: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uptick-point-'))
  folders.push(folder)
  const productsFile = join(folder, 'products.json')
  await writeFile(productsFile, JSON.stringify([tradedProduct]))
  env = {
    VENUE_KEY: 'ab'.repeat(32),
    DESK_KEY: 'a-desk-key-for-this-test',
    PRODUCTS_FILE: productsFile,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  }
})
afterAll(async () => {
  for (const venue of venues) await venue.end('SIGKILL')
  for (const server of servers) await server.close()
  for (const each of folders) await rm(each, { recursive: true, force: true, maxRetries: 5 })
})

async function start(server: OwnPostgres, dataDir: string): Promise<{ venue: VenueProcess; url: string }> {
  const settings = { ...env, DATABASE_URL: server.url, DATA_DIR: join(folder, dataDir) }
  const venue = startVenue([join(bundle, 'main.js')], settings)
  venues.push(venue)
  return { venue, url: await venue.ready }
}

/** As the owner: in the venue's database sessions begin as a role that owns nothing. */
async function asOwner<T>({ url }: OwnPostgres, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(withRole({ connectionString: url }, null))
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const query = <T extends object>(server: OwnPostgres, sql: string): Promise<T | undefined> =>
  asOwner(server, async (client) => (await client.query<T>(sql)).rows[0])

async function readCheckpoint(url: string): Promise<Checkpoint> {
  const note = await (await fetch(`${url}/log/checkpoint`)).text()
  const checkpoint = parseCheckpoint(parseNote(note)?.text ?? '')
  if (checkpoint === null) throw new Error(`no checkpoint: ${note}`)
  return checkpoint
}

type Placed = { key: string; order: object; id: string; text: string }
async function place(trader: Trader): Promise<Placed> {
  const key = crypto.randomUUID()
  const validUntil = Date.now() + 20_000
  const order = { productId: 'TEST', direction: 'up', amount: '1.00', seconds, rateBp, validUntil }
  const answer = await trader.client().postWithKey<{ id: string }>('/api/orders', order, key)
  expect(answer.status, answer.text).toBe(201)
  return { key, order, id: answer.body.id, text: answer.text }
}

/** Every order of before the instant is answered as it was then, none of after it is there, and all is whole. */
async function expectStateOf(
  server: OwnPostgres,
  url: string,
  trader: Trader,
  kept: Placed[],
  undone: Placed[],
) {
  trader.moveTo(url)
  for (const { key, order, text } of kept) {
    const again = await trader.client().postWithKey('/api/orders', order, key)
    expect([again.text, again.replayed]).toEqual([text, true])
  }
  for (const { id } of undone) expect((await trader.client().get(`/api/orders/${id}`)).status).toBe(404)
  const isOpen = async (): Promise<boolean> =>
    (await trader.client().get<{ items: [] }>('/api/orders?tab=positions&limit=1')).body.items.length > 0
  await expect.poll(isOpen).toBe(false)
  await expect.poll(() => place(trader).then(({ text }) => text)).toContain('accepted')
  await expect.poll(isOpen).toBe(false)
  const violations = noViolations()
  await asOwner(server, (client) => checkStoredRows(client, violations))
  expect(violations).toEqual(noViolations())
}

it('a database that PostgreSQL recovers to a point in time is a whole venue, whose public log has another name', async () => {
  const archive = await postgresFolder()
  folders.push(archive)
  const primary = await openOwnPostgres(['archive_mode = on', `archive_command = 'cp %p ${archive}/%f'`])
  servers.push(primary)
  // The base remembers that commits wait for a replica, which what is recovered from it does not have.
  servers.push(await primary.openReplica())
  const first = await start(primary, 'data')
  const trader = await openTrader(first.url, 'trader_1', '13800000001')
  const kept = [await place(trader)]
  const copy = await postgresFolder()
  folders.push(copy)
  await primary.copyTo(join(copy, 'data'))
  kept.push(await place(trader), await place(trader))
  const instant = await query<{ now: string }>(primary, 'SELECT now()::text AS now')
  const undone = [await place(trader), await place(trader)]
  const { size } = await readCheckpoint(first.url)
  await expect.poll(async () => (await readCheckpoint(first.url)).size).toBeGreaterThan(size)
  const lastSeen = await readCheckpoint(first.url)
  await first.venue.end('SIGTERM')
  const wal = await query<{ name: string }>(primary, 'SELECT pg_walfile_name(pg_switch_wal()) AS name')
  const archived = () =>
    query<{ name: string }>(primary, 'SELECT last_archived_wal AS name FROM pg_stat_archiver')
  await expect.poll(async () => ((await archived())?.name ?? '') >= (wal?.name ?? '')).toBe(true)
  await primary.kill()

  const recover = async (): Promise<OwnPostgres> => {
    const own = await postgresFolder()
    await run('cp', ['-a', join(copy, 'data'), own])
    const server = await recoverOwnPostgres(own, archive, instant?.now ?? '')
    servers.push(server)
    const isRecovering = () => query<{ is: boolean }>(server, 'SELECT pg_is_in_recovery() AS is')
    await expect.poll(async () => (await isRecovering())?.is).toBe(false)
    await query(server, "ALTER SYSTEM SET synchronous_standby_names = ''")
    await query(server, 'SELECT pg_reload_conf()')
    return server
  }
  const names = [lastSeen.origin]

  // The folder of the venue has the checkpoint that it signed: the start finds that the database went back.
  const withFolder = await recover()
  const second = await start(withFolder, 'data')
  await expectStateOf(withFolder, second.url, trader, kept, undone)
  names.push((await readCheckpoint(second.url)).origin)
  await second.venue.end('SIGTERM')

  // With another folder nothing shows it but the command.
  const withoutFolder = await recover()
  const settings = { ...env, DATABASE_URL: withoutFolder.url, DATA_DIR: join(folder, 'new') }
  const { stdout } = await run(process.execPath, [join(bundle, 'desk.js'), 'log', 'rename', '--as', 'mei'], {
    env: { PATH: process.env['PATH'], ...settings },
  })
  expect(stdout).toBe('the next start gives the public log another name\n')
  const third = await start(withoutFolder, 'new')
  await expectStateOf(withoutFolder, third.url, trader, kept, undone)
  names.push((await readCheckpoint(third.url)).origin)
  expect(new Set(names).size).toBe(3)
  const row = await query<{ act: string; actor: string }>(
    withoutFolder,
    "SELECT act, actor FROM audit WHERE act = 'log rename'",
  )
  expect(row).toEqual({ act: 'log rename', actor: 'mei' })
})
