import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { Order } from '../../../contract/orders.ts'
import { SettingsError } from '../../../server/config.ts'
import { openPostgresDatabase } from '../../../server/db/open.ts'
import { driveFaults } from '../../scenarios/cluster/faults.ts'
import { auditRows, noViolations } from '../../scenarios/kill/audit.ts'
import { rateBp, seconds, tradedProduct } from '../../scenarios/kill/trader.ts'
import { blackBoxClient, expectedOutcome, registerMember } from '../../support/blackBoxClient.ts'
import type { BlackBoxClient } from '../../support/blackBoxClient.ts'
import { natsAnswers } from '../../support/nats.ts'
import { describeWithPgBouncer, openPgBouncer } from '../../support/pgbouncer.ts'
import type { PgBouncer } from '../../support/pgbouncer.ts'
import { openScratchPostgres } from '../../support/scratchPostgres.ts'
import type { ScratchPostgres } from '../../support/scratchPostgres.ts'
import { testSeed } from '../../support/testSeed.ts'
import { startVenue } from '../../support/venueProcess.ts'
import type { VenueProcess } from '../../support/venueProcess.ts'

const describe = await describeWithPgBouncer('pooler')
const hasNats = await natsAnswers()
const main = (): string => join(inject('serverBundle'), 'main.js')

describe('behind PgBouncer in transaction mode', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pooled-'))
  const productsFile = join(folder, 'products.json')
  writeFileSync(productsFile, JSON.stringify([tradedProduct]))
  const started: VenueProcess[] = []
  let pooler: PgBouncer
  /** A session-wide time limit is lost here without notice. */
  let forgetful: PgBouncer
  let scratch: ScratchPostgres
  let other: ScratchPostgres
  /** A role that a test made. */
  let ownLogin: string | undefined
  beforeAll(async () => {
    pooler = await openPgBouncer()
    forgetful = await openPgBouncer({
      ignore_startup_parameters: 'statement_timeout,lock_timeout,idle_in_transaction_session_timeout,options',
    })
    scratch = await openScratchPostgres('pooled')
    other = await openScratchPostgres('pooled_other')
  })
  afterAll(async () => {
    await Promise.all(started.map((venue) => venue.end('SIGKILL')))
    await pooler.close()
    await forgetful.close()
    await scratch.drop(ownLogin)
    await other.drop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  const start = (
    DATABASE_URL: string,
    DATABASE_DIRECT_URL = '',
    more: Record<string, string> = {},
  ): VenueProcess => {
    const venue = startVenue([main()], {
      DATA_DIR: join(folder, 'data'),
      PRODUCTS_FILE: productsFile,
      DATABASE_URL,
      DATABASE_DIRECT_URL,
      ...more,
      LOG_LEVEL: 'error',
    })
    started.push(venue)
    return venue
  }
  /** Why a venue does not start, as its process writes it in one line; without that process. */
  const refusal = async (databaseUrl: string, directUrl = databaseUrl): Promise<string> => {
    const opened = openPostgresDatabase({ databaseUrl, directUrl }).then(async (database) => {
      await database.close()
      return 'nothing'
    })
    return opened.catch((error: unknown) => {
      if (error instanceof SettingsError) return error.message
      throw error
    })
  }

  it('a venue does not start without the address of the database itself', async () => {
    const venue = start(pooler.through(scratch.url))
    expect(await venue.exited).toBe(2)
    expect(venue.output()).toBe(
      'uptick: DATABASE_URL is a pooler: set DATABASE_DIRECT_URL to the address of the database itself\n',
    )
    expect(await refusal(forgetful.through(scratch.url))).toMatch(
      /^DATABASE_URL: a session has no statement_timeout; behind a pooler, set DATABASE_DIRECT_URL [^\n]+$/,
    )
  })

  it('a venue does not start if the two addresses lead to different databases', async () => {
    expect(await refusal(pooler.through(scratch.url), other.url)).toBe(
      'DATABASE_URL and DATABASE_DIRECT_URL must lead to the same database',
    )
  })

  it('a venue does not use a session without a time limit', async () => {
    const database = new URL(scratch.url).pathname.slice(1)
    await scratch.database.pool.query(
      `ALTER ROLE CURRENT_USER IN DATABASE ${database} SET statement_timeout = 1`,
    )
    // The pooler has opened this session, and its limit is gone although the role has one.
    const stale = new Client({ connectionString: pooler.through(scratch.url) })
    await stale.connect()
    await stale.query('SET statement_timeout = 0')
    await stale.end()
    await scratch.database.pool.query(`ALTER ROLE CURRENT_USER IN DATABASE ${database} RESET ALL`)
    expect(await refusal(pooler.through(scratch.url), scratch.url)).toMatch(
      /^DATABASE_URL: a session has no statement_timeout;/,
    )
    await scratch.database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    )
  })

  it('a venue trades and settles, and continues after a restart with a login of its own, whose sessions cannot become the owner', async () => {
    const databaseUrl = pooler.through(scratch.url)
    const venue = start(databaseUrl, scratch.url)
    const url = await venue.ready
    const member = await registerMember(url, 'pooled_1', '13800000021')
    const deposit = await member.postWithKey('/api/deposits', { methodId: 'practice', amount: '5.00' })
    expect(deposit.status).toBe(201)
    const first = await trade(member)
    await expectSettled(member, first)
    const second = await trade(member)
    await venue.end('SIGTERM')

    // The venue gets a login of its own.
    const login = `${new URL(scratch.url).pathname.slice(1)}_venue`
    const own = Object.assign(new URL(scratch.url), { username: login })
    const password = decodeURIComponent(own.password).replaceAll("'", "''")
    await scratch.database.pool.query(`CREATE ROLE ${login} LOGIN PASSWORD '${password}'`)
    ownLogin = login
    const pooled = await openPgBouncer({}, [login])
    try {
      const ownUrl = pooled.through(own.href)
      const restarted = start(ownUrl, own.href, { DATABASE_OWNER_URL: scratch.url })
      const again = blackBoxClient(await restarted.ready, member.session)
      await expectSettled(again, first)
      await expectSettled(again, second)
      await expectSettled(again, await trade(again))
      await restarted.end('SIGTERM')
      const violations = noViolations()
      await auditRows(scratch.database.pool, violations)
      expect(violations).toEqual(noViolations())

      for (const each of [databaseUrl, ownUrl]) {
        const pool = new Pool({ connectionString: each })
        const { rows } = await pool.query(
          `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
             current_setting('idle_in_transaction_session_timeout') AS idle`,
        )
        expect(rows).toEqual([{ statement: '1min', lock: '15s', idle: '1min' }])
        await expectGuarded(pool)
        if (each === ownUrl) {
          await expect(pool.query('SET ROLE NONE; DROP TABLE audit')).rejects.toThrow(/must be owner/)
          await expect(pool.query('SET ROLE postgres')).rejects.toThrow(/permission denied/)
        }
        await pool.end()
      }
    } finally {
      await pooled.close()
    }
  })

  it.runIf(hasNats)(
    'a standby takes over from a killed leader while members trade at an edge',
    async () => {
      const through = (databaseUrl: string): string => pooler.through(databaseUrl)
      const report = await driveFaults({
        main: main(),
        feed: 'synthetic',
        faults: ['kill'],
        candidates: 2,
        edges: 1,
        sockets: 0,
        rate: 20,
        openMax: 4,
        seed: testSeed(),
        through,
      })
      expect(report.violations).toEqual(noViolations())
      expect(report.gaps).toBe(0)
      expect(report.acknowledged).toBeGreaterThan(20)
    },
    900_000,
  )
})

/** A session of the venue cannot remove what guards its tables, nor put its own tables before them. */
async function expectGuarded(pool: Pool): Promise<void> {
  for (const statement of [
    'DROP TRIGGER posting_is_caused ON posting',
    'ALTER TABLE audit DISABLE TRIGGER ALL',
    'DELETE FROM tick_batch',
    'CREATE TEMP TABLE lease (term int)',
  ])
    await expect(pool.query(statement), statement).rejects.toThrow(/must be owner|permission denied/)
}

async function trade(member: BlackBoxClient): Promise<string> {
  const order = { productId: 'TEST', direction: 'up', amount: '10.00', seconds, rateBp }
  const placed = await member.postWithKey<Order>('/api/orders', { ...order, validUntil: Date.now() + 20_000 })
  expect(placed.status).toBe(201)
  return placed.body.id
}

/** The order is settled as the rule says, from the ticks and gaps of its proof. */
async function expectSettled(member: BlackBoxClient, id: string): Promise<void> {
  const read = async () => (await member.get<Order>(`/api/orders/${id}`)).body
  await expect.poll(async () => (await read()).status).toMatch(/won|lost|tied|refunded/)
  const { body } = await member.get<Parameters<typeof outcomeOf>[0]>(`/api/orders/${id}/proof`)
  const { status, payout } = await read()
  expect({ status, payout }).toEqual(outcomeOf(body))
}

function outcomeOf({
  order,
  ticks,
  gaps,
  sources,
}: {
  order: Order
  ticks: Parameters<typeof expectedOutcome>[1]
  gaps: Parameters<typeof expectedOutcome>[2]
  sources: Parameters<typeof expectedOutcome>[3]
}) {
  const { status, payout } = expectedOutcome(order, ticks, gaps, sources)
  return { status, payout }
}
