import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { venueConfig } from '../../../contract/venueConfig.ts'
import { readSettings } from '../../../server/start/config.ts'
import { SettingsError } from '../../../server/platform/settingsError.ts'
import { openDatabase } from '../../../server/platform/db/open.ts'
import { createLogger } from '../../../server/platform/log.ts'
import { startVenue } from '../../../server/start/start.ts'
import { prepareToLead } from '../../../server/start/startParts.ts'
import { configFile } from '../../support/configFile.ts'
import { withPostgres } from '../../support/postgres.ts'
import { productRow } from '../../support/productRow.ts'
import { testFence } from '../../support/testFence.ts'
import { nodeFlags } from '../../support/venueProcess.ts'
import { serverBundle } from '../../support/serverBundle.ts'

const postgres = await withPostgres('start_main')
const folder = mkdtempSync(join(tmpdir(), 'venue-'))
const children: ChildProcess[] = []
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const product = productRow('TEST')
const productsFile = join(folder, 'products.json')
const tape = productRow('TAPE', { feed: { recording: 'tape.csv.gz' } })
writeFileSync(productsFile, JSON.stringify([product, tape]))
const [openedAt, closedAt] = [1_700_000_000_000, 1_700_000_002_000]
const rows = [`${openedAt},1.5,1,,`, 'soon,1,1,,', `${openedAt},-1,1,,`, `${closedAt},1.6,1,,`]
writeFileSync(join(folder, 'tape.csv.gz'), gzipSync(`ts_ms,price,size,bid,ask\n${rows.join('\n')}\n`))

const dataDir = join(folder, 'data')
const settings = {
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  PORT: '0',
  PRODUCTS_FILE: productsFile,
  CONFIG_FILE: configFile(folder, { practice: { recordings: '.' } }),
}
const noRecordings = {
  CONFIG_FILE: configFile(folder, { practice: { recordings: 'none' } }, 'no-recordings.json'),
}

/**
 * The message of a SettingsError with which a start in this process ends: of a process it is the one line, after the name, and
 * the exit code is 2.
 */
async function settingsError(env: Record<string, string>): Promise<string> {
  const starting = startVenue(readSettings({ ...settings, ...env }), createLogger('silent'), () => undefined)
  const error: unknown = await starting.catch((thrown: unknown) => thrown)
  if (!(error instanceof SettingsError)) throw new Error('no SettingsError', { cause: error })
  return error.message
}

/** Starts the venue as a separate process. */
function run(env: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [...nodeFlags, join(serverBundle(), 'main.js'), ...args], {
    env: { PATH: process.env['PATH'], ...settings, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const output = { out: '', err: '' }
  child.stdout.on('data', (data: Buffer) => (output.out += data.toString()))
  child.stderr.on('data', (data: Buffer) => (output.err += data.toString()))
  const code = new Promise<number | null>((resolve) => child.once('exit', (exitCode) => resolve(exitCode)))
  return { child, output, code }
}

it('exits with code 2 and one line on an invalid setting, and writes nothing', async () => {
  const { output, code } = run({ LOG_LEVEL: 'loud' })
  expect(await code).toBe(2)
  expect(output).toEqual({
    out: '',
    err: expect.stringMatching(/^uptick: LOG_LEVEL must be fatal or [^\n]+\n$/),
  })
  expect(existsSync(dataDir)).toBe(false)
})

it.each([
  ['logo', 'the logo FOLDER/none.png cannot be used: ENOENT'],
  ['pages', 'pages in FOLDER/none.png cannot be used: ENOENT'],
])('stops with one line on a missing file of CONFIG_FILE, and writes nothing: %s', async (field, line) => {
  const file = join(folder, `${field}.json`)
  writeFileSync(file, JSON.stringify({ [field]: 'none.png' }))
  const message = await settingsError({ CONFIG_FILE: file })
  expect(message).toContain(`CONFIG_FILE: ${line.replace('FOLDER', folder)}`)
  expect(message.trimEnd().split('\n')).toHaveLength(1)
  expect(existsSync(dataDir)).toBe(false)
})

it('stops on an unusable data folder', async () => {
  expect(await settingsError({ DATA_DIR: productsFile })).toBe(
    `DATA_DIR ${productsFile} cannot be used (EEXIST)`,
  )
})

it('stops on a folder of pictures that cannot be written, before a member sends one', async () => {
  const shared = join(folder, 'shared')
  mkdirSync(shared)
  writeFileSync(join(shared, 'uploads'), '')
  expect(await settingsError({ DATA_DIR: shared })).toBe(
    `${join(shared, 'uploads')} cannot be written (ENOTDIR): it must belong to the venue's user`,
  )
})

it.runIf(process.platform === 'linux')('stops on a data folder that the system cannot create', async () => {
  expect(await settingsError({ DATA_DIR: '/proc/x' })).toBe('DATA_DIR /proc/x cannot be used (ENOENT)')
})

it('leaves no new data folder behind if a recording is missing', async () => {
  const env = { DATA_DIR: join(folder, 'new', 'data'), ...noRecordings }
  expect(await settingsError(env)).toBe(`practice.recordings ${join(folder, 'none')} cannot be read (ENOENT)`)
  expect(existsSync(join(folder, 'new'))).toBe(false)
})

it('names the row of a recording that has another unit of time', async () => {
  mkdirSync(join(folder, 'seconds'))
  const file = join(folder, 'seconds', 'tape.csv.gz')
  writeFileSync(file, gzipSync('ts_ms,price,size,bid,ask\n1700000000,1.5,1,,\n'))
  const CONFIG_FILE = configFile(folder, { practice: { recordings: 'seconds' } }, 'seconds.json')
  const { code, output } = run({ CONFIG_FILE })
  expect(await code).toBe(2)
  expect(output.err).toBe(
    'uptick: PRODUCTS_FILE: product TAPE: the recording tape.csv.gz: not a recording: line 2: the instant 1700000000 is in seconds, not milliseconds\n',
  )
})

it('names a product table that cannot be read once', async () => {
  const { code, output } = run({ PRODUCTS_FILE: join(folder, 'none.json') })
  expect(await code).toBe(2)
  expect(output.err).toBe(`uptick: PRODUCTS_FILE: ${join(folder, 'none.json')} cannot be read\n`)
})

it.runIf(postgres.available)('names a database that does not exist', async () => {
  const url = new URL('/uptick_none', postgres.url()).href
  expect(await settingsError({ DATABASE_URL: url })).toBe(
    'DATABASE_URL: the database uptick_none does not exist',
  )
})

it.runIf(postgres.available)('names the change of a newer schema', async () => {
  const { owner } = postgres.database()
  await owner.query(`INSERT INTO schema_version (number, name, sha256) VALUES (9003, 'money/newer.sql', '')`)
  try {
    const { output, code } = run({ DATABASE_URL: postgres.url() })
    expect(await code).toBe(2)
    expect(output.err).toBe(
      'uptick: The database has money/newer.sql of a newer schema, which this build does not know: start a newer build.\n',
    )
  } finally {
    await owner.query('DELETE FROM schema_version WHERE number = 9003')
  }
})

it('names the address of the database that does not answer', async () => {
  const nothing = 'postgres://postgres@127.0.0.1:1/nothing'
  expect(await settingsError({ DATABASE_URL: nothing })).toBe('DATABASE_URL does not answer (ECONNREFUSED)')
})

it('does not start behind a pooler, which refuses what a session asks for', async () => {
  const fields = ['SFATAL', 'C08P01', 'Munsupported startup parameter: statement_timeout', '', '']
  const text = Buffer.from(fields.join('\0'))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length + 4)
  const pooler = createServer((socket) => {
    socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, text])))
  })
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve))
  const { port } = pooler.address() as AddressInfo
  expect(await settingsError({ DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/venue` })).toBe(
    'DATABASE_URL is a pooler: set the address of the database itself',
  )
  pooler.close()
})

it.runIf(postgres.available)(
  'does not start with a session that lost its time limits on the way',
  async () => {
    expect(await settingsError({ DATABASE_URL: `${postgres.url()}?statement_timeout=0` })).toMatch(
      /^DATABASE_URL: a session begins without the statement_timeout that it asks for, as behind a pooler: /,
    )
  },
)

it('names an option that there is not, before anything is written', async () => {
  const { output, code } = run({}, '--refund')
  expect(await code).toBe(2)
  expect(output.err).toBe(
    'uptick: there is no option --refund: a start takes --refund-changed-sources and --new-desk-key\n',
  )
  expect(existsSync(dataDir)).toBe(false)
})

it('starts, prints its address, serves, locks its folder and stops on SIGTERM', async () => {
  const venue = run({})
  await expect.poll(() => venue.output.out).toContain('Opening code for practice accounts: UPTICK')
  const address = /is ready at (\S+)/.exec(venue.output.out)?.[1] ?? ''
  expect(await (await fetch(`${address}/healthz`)).json()).toEqual({ status: 'serving' })
  expect(venue.output.out).toContain(
    JSON.stringify(
      'rows of its recording are not ticks: skipped 2 of 4 rows, first line 3 "soon,1,1,,": its instant is no whole number of milliseconds',
    ),
  )
  const answer = await fetch(`${address}/api/config`)
  expect(Math.abs(Number(answer.headers.get('server-time')) - Date.now())).toBeLessThan(60_000)
  expect(venueConfig.parse(await answer.json())).toMatchObject({ mode: 'practice', feed: 'replay' })
  expect((await fetch(`${address}/metrics`)).status).toBe(404)
  const deskKey = readFileSync(join(dataDir, 'desk.key'), 'utf8').trim()
  const metrics = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${deskKey}` } })
  expect(await metrics.text()).toContain('uptick_watermark_age_seconds')
  const description = (await (await fetch(`${address}/api/openapi.json`)).json()) as { paths: object }
  expect(Object.keys(description.paths)).toContain('/api/auth/login')
  expect(statSync(join(dataDir, 'desk.key')).mode & 0o777).toBe(0o600)

  // It is rejected before the recordings are read: that they are missing here does not matter.
  const second = run(noRecordings)
  expect(await second.code).toBe(2)
  expect(second.output.err).toMatch(
    /^uptick: DATA_DIR \S+ is in use by process \d+: stop it first, or set another DATA_DIR\n$/,
  )
  const samePort = run({
    PORT: new URL(address).port,
    DATA_DIR: join(folder, 'unused'),
    ...noRecordings,
  })
  expect(await samePort.code).toBe(2)
  expect(samePort.output.err).toMatch(/^uptick: 127\.0\.0\.1:\d+ is in use/)
  expect(existsSync(join(folder, 'unused'))).toBe(false)

  venue.child.kill('SIGTERM')
  expect(await venue.code).toBe(0)
  expect(venue.output.err).toBe('')
  const otherDeskKey = run({ DESK_KEY: 'another-desk-key-for-this-test' })
  expect(await otherDeskKey.code).toBe(2)
  expect(otherDeskKey.output.err).toMatch(/^uptick: DESK_KEY is not the key [^\n]+\n$/)
  const database = await openDatabase({ dataDir })
  const leading = (env: Record<string, string> = {}) =>
    prepareToLead({ db: database.db, fence: testFence }, [], readSettings({ ...settings, ...env }))
  await expect(leading({ CONFIG_FILE: configFile(folder, { currency: 'EUR' }, 'eur.json') })).rejects.toThrow(
    /^currency EUR of CONFIG_FILE cannot use this database: [^\n]+$/,
  )
  // Without the key that its rows are encrypted with it does not start, and creates no other key.
  rmSync(join(dataDir, 'venue.key'))
  await expect(leading()).rejects.toThrow(/^\S+venue\.key is missing, .+ or set VENUE_KEY$/)
  expect(existsSync(join(dataDir, 'venue.key'))).toBe(false)
  await database.close()

  const lines = venue.output.out
    .trim()
    .split('\n')
    .filter((line) => !/^(Uptick is|Opening code)/.test(line))
  const logEntries = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(logEntries.every(({ msg }) => typeof msg === 'string')).toBe(true)
  // A slow start also says what it does.
  const skipped = logEntries.find(({ msg }) => !String(msg).startsWith('starting: '))
  expect(skipped).toMatchObject({ level: 'warn', product: 'TAPE', count: 2 })
})
