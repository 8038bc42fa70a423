import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, inject, it } from 'vitest'
import { venueConfig } from '../../../contract/venueConfig.ts'
import { copyEmptyDatabase } from '../../support/emptyDatabase.ts'
import { withPostgres } from '../../support/postgres.ts'
import { productRow } from '../../support/productRow.ts'
import { nodeFlags } from '../../support/venueProcess.ts'

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
const rows = ['1000,1.5,1,,', 'soon,1,1,,', '2000,-1,1,,', '3000,1.6,1,,']
writeFileSync(join(folder, 'tape.csv.gz'), gzipSync(`ts_ms,price,size,bid,ask\n${rows.join('\n')}\n`))

/** Starts the venue as a separate process. */
function run(env: Record<string, string>) {
  const dataDir = join(folder, 'data')
  const child = spawn(process.execPath, [...nodeFlags, join(inject('serverBundle'), 'main.js')], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: '0',
      PRODUCTS_FILE: productsFile,
      RECORDINGS_DIR: folder,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const output = { out: '', err: '' }
  child.stdout.on('data', (data: Buffer) => (output.out += data.toString()))
  child.stderr.on('data', (data: Buffer) => (output.err += data.toString()))
  const code = new Promise<number | null>((resolve) => child.once('exit', (exitCode) => resolve(exitCode)))
  return { child, output, code, dataDir }
}

it('exits with code 2 and one line on an invalid setting, and writes nothing', async () => {
  const { output, code, dataDir } = run({ ZONE: 'Mars/Olympus' })
  expect(await code).toBe(2)
  expect(output).toEqual({ out: '', err: 'uptick: ZONE must be a time zone such as Asia/Shanghai\n' })
  expect(existsSync(dataDir)).toBe(false)
})

it.each([
  ['logo', 'the logo FOLDER/none.png cannot be used: ENOENT'],
  ['pages', 'pages in FOLDER/none.png cannot be used: ENOENT'],
])(
  'exits with code 2 and one line on a missing file of CONFIG_FILE, and writes nothing: %s',
  async (field, line) => {
    const file = join(folder, `${field}.json`)
    writeFileSync(file, JSON.stringify({ [field]: 'none.png' }))
    const { output, code, dataDir } = run({ CONFIG_FILE: file })
    expect(await code).toBe(2)
    expect(output.err).toContain(`uptick: CONFIG_FILE: ${line.replace('FOLDER', folder)}`)
    expect(output.err.trimEnd().split('\n')).toHaveLength(1)
    expect(existsSync(dataDir)).toBe(false)
  },
)

it('exits with code 2 and one line on an unusable data folder', async () => {
  const { output, code } = run({ DATA_DIR: productsFile })
  expect(await code).toBe(2)
  expect(output).toEqual({ out: '', err: `uptick: DATA_DIR ${productsFile} cannot be used (EEXIST)\n` })
})

it.runIf(process.platform === 'linux')('exits on a data folder that the system cannot create', async () => {
  const { output, code } = run({ DATA_DIR: '/proc/x' })
  expect(await code).toBe(2)
  expect(output).toEqual({ out: '', err: 'uptick: DATA_DIR /proc/x cannot be used (ENOENT)\n' })
})

it('leaves no new data folder behind if a recording is missing', async () => {
  const dataDir = join(folder, 'new', 'data')
  const { code, output } = run({ DATA_DIR: dataDir, RECORDINGS_DIR: join(folder, 'none') })
  expect(await code).toBe(2)
  expect(output.err).toBe(`uptick: RECORDINGS_DIR ${join(folder, 'none')} cannot be read (ENOENT)\n`)
  expect(existsSync(join(folder, 'new'))).toBe(false)
})

it('names a product table that cannot be read once', async () => {
  const { code, output } = run({ PRODUCTS_FILE: join(folder, 'none.json') })
  expect(await code).toBe(2)
  expect(output.err).toBe(`uptick: PRODUCTS_FILE: ${join(folder, 'none.json')} cannot be read\n`)
})

it.runIf(postgres.available)('names a database that does not exist', async () => {
  const { output, code } = run({ DATABASE_URL: new URL('/uptick_none', postgres.url()).href })
  expect(await code).toBe(2)
  expect(output.err).toBe('uptick: DATABASE_URL: the database uptick_none does not exist\n')
})

it.runIf(postgres.available)('names the migration of a newer build', async () => {
  const { owner } = postgres.database()
  await owner.query(`INSERT INTO migration (id, name, sha256) VALUES (9003, 'newer', '')`)
  try {
    const { output, code } = run({ DATABASE_URL: postgres.url() })
    expect(await code).toBe(2)
    expect(output.err).toBe('uptick: The database has migration 9003, which this build does not know.\n')
  } finally {
    await owner.query('DELETE FROM migration WHERE id = 9003')
  }
})

it('names the address of the database that does not answer', async () => {
  const nothing = 'postgres://postgres@127.0.0.1:1/nothing'
  const { output, code } = run({ DATABASE_URL: nothing })
  expect(await code).toBe(2)
  expect(output.err).toBe('uptick: DATABASE_URL does not answer (ECONNREFUSED)\n')
  const embedded = run({ DATABASE_DIRECT_URL: nothing })
  expect(await embedded.code).toBe(2)
  expect(embedded.output.err).toBe('uptick: DATABASE_DIRECT_URL needs DATABASE_URL\n')
})

it.runIf(postgres.available)('names the direct address if only that does not answer', async () => {
  const direct = 'postgres://postgres@127.0.0.1:1/nothing'
  const { output, code } = run({ DATABASE_URL: postgres.url(), DATABASE_DIRECT_URL: direct })
  expect(await code).toBe(2)
  expect(output.err).toBe('uptick: DATABASE_DIRECT_URL does not answer (ECONNREFUSED)\n')
})

it('starts, prints its address, serves, locks its folder and stops on SIGTERM', async () => {
  await copyEmptyDatabase(join(folder, 'data'))
  const venue = run({})
  await expect.poll(() => venue.output.out).toContain('Opening code for practice accounts: UPTICK')
  const address = /is ready at (\S+)/.exec(venue.output.out)?.[1] ?? ''
  expect(await (await fetch(`${address}/healthz`)).json()).toEqual({ status: 'serving' })
  const answer = await fetch(`${address}/api/config`)
  expect(Math.abs(Number(answer.headers.get('server-time')) - Date.now())).toBeLessThan(60_000)
  expect(venueConfig.parse(await answer.json())).toMatchObject({ mode: 'practice', feed: 'replay' })
  expect((await fetch(`${address}/metrics`)).status).toBe(404)
  const backOfficeKey = readFileSync(join(venue.dataDir, 'desk.key'), 'utf8').trim()
  const metrics = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${backOfficeKey}` } })
  expect(await metrics.text()).toContain('uptick_watermark_age_seconds')
  const description = (await (await fetch(`${address}/api/openapi.json`)).json()) as { paths: object }
  expect(Object.keys(description.paths)).toContain('/api/auth/login')
  expect(statSync(join(venue.dataDir, 'desk.key')).mode & 0o777).toBe(0o600)

  // It is rejected before the recordings are read: that they are missing here does not matter.
  const second = run({ RECORDINGS_DIR: join(folder, 'none') })
  expect(await second.code).toBe(2)
  expect(second.output.err).toMatch(
    /^uptick: DATA_DIR \S+ is in use by process \d+: stop it first, or set another DATA_DIR\n$/,
  )
  const samePort = run({
    PORT: new URL(address).port,
    DATA_DIR: join(folder, 'unused'),
    RECORDINGS_DIR: join(folder, 'none'),
  })
  expect(await samePort.code).toBe(2)
  expect(samePort.output.err).toMatch(/^uptick: 127\.0\.0\.1:\d+ is in use/)
  expect(existsSync(join(folder, 'unused'))).toBe(false)

  venue.child.kill('SIGTERM')
  expect(await venue.code).toBe(0)
  expect(venue.output.err).toBe('')
  const otherCurrency = run({ CURRENCY: 'EUR' })
  expect(await otherCurrency.code).toBe(2)
  expect(otherCurrency.output.err).toMatch(/^uptick: CURRENCY=EUR cannot use this database: [^\n]+\n$/)
  const otherDeskKey = run({ DESK_KEY: 'another-desk-key-for-this-test' })
  expect(await otherDeskKey.code).toBe(2)
  expect(otherDeskKey.output.err).toMatch(/^uptick: DESK_KEY is not the key [^\n]+\n$/)
  // Without the key that its rows are encrypted with it does not start, and creates no other key.
  rmSync(join(venue.dataDir, 'upload.key'))
  const keyless = run({})
  expect(await keyless.code).toBe(2)
  expect(keyless.output).toEqual({
    out: '',
    err: expect.stringMatching(/^uptick: \S+upload\.key is missing, .+ or set UPLOAD_KEY\n$/),
  })
  expect(existsSync(join(venue.dataDir, 'upload.key'))).toBe(false)

  const lines = venue.output.out
    .trim()
    .split('\n')
    .filter((line) => !/^(Uptick is|Opening code)/.test(line))
  const logEntries = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(logEntries.every(({ msg }) => typeof msg === 'string')).toBe(true)
  expect(logEntries[0]).toMatchObject({ level: 'warn', product: 'TAPE', count: 2 })
})
