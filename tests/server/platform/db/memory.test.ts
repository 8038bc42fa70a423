import type { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import type { Database } from '../../../../server/platform/db/database.ts'
import { openMemoryDatabase } from '../../../../server/platform/db/memory.ts'
import { initialContents, resetContents } from '../../../../server/platform/db/memoryReset.ts'

/** Every row of every table, and where every sequence stands. */
async function contentsOf({ pool }: Database): Promise<Record<string, unknown>> {
  const tables = await pool.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S')`,
  )
  const contents: Record<string, unknown> = {}
  for (const { name } of tables.rows) contents[name] = (await pool.query(`SELECT * FROM ${name}`)).rows
  return contents
}

async function openedAfter(
  write: (database: Database) => Promise<unknown>,
): Promise<Record<string, unknown>> {
  const used = await openMemoryDatabase()
  await write(used)
  await used.close()
  const next = await openMemoryDatabase()
  const contents = await contentsOf(next)
  await next.close()
  return contents
}

it('is as new after another one was closed in the same thread', async () => {
  const unused = await openMemoryDatabase()
  expect((await unused.pool.query('SELECT term::int FROM lease')).rows).toEqual([{ term: 0 }])
  const asNew = await contentsOf(unused)
  await unused.close()

  const contents = await openedAfter(async ({ db }) => {
    await db.execute(sql`INSERT INTO setting (key, value) VALUES ('left', '1')`)
    await db.execute(sql`UPDATE lease SET term = term + 1`)
    await db.execute(sql`SELECT nextval('lease_beat'), nextval('lease_beat')`)
    await db.execute(sql`SET session_replication_role = replica`)
  })
  expect(contents).toEqual(asNew)
})

it.each([sql`DROP TRIGGER lease_grows ON lease`, sql`SET session_replication_role = replica`])(
  'has its triggers again after one was dropped or bypassed',
  async (change) => {
    const used = await openMemoryDatabase()
    await used.db.execute(change)
    await used.close()
    const next = await openMemoryDatabase()
    await expect(next.db.execute(sql`DELETE FROM lease`)).rejects.toThrow()
    await next.close()
  },
)

it('is another one after anything in it was defined, changed or dropped', async () => {
  const used = await openMemoryDatabase()
  const { pool } = used
  // What a reset uses of the engine. To open another one after each change would take a second of processor time.
  const engine = {
    exec: (text: string) => pool.query(text),
    query: (text: string) => pool.query(text),
  } as unknown as PGlite
  expect(await resetContents(engine, await initialContents(engine))).toBe(true)
  for (const change of [
    'ALTER TABLE lease DISABLE TRIGGER USER',
    'DROP TRIGGER lease_grows ON lease',
    'ALTER TABLE setting ADD COLUMN extra int',
    'ALTER TABLE setting ADD CONSTRAINT extra CHECK (key <> $$extra$$)',
    'CREATE FUNCTION extra() RETURNS int LANGUAGE sql AS $$SELECT 1$$',
    'ALTER TABLE setting ALTER COLUMN value SET DEFAULT $$0$$',
  ]) {
    const before = await initialContents(engine)
    await pool.query(change)
    expect([change, await resetContents(engine, before)]).toEqual([change, false])
  }
  await used.close()
  const next = await openMemoryDatabase()
  const { rows } = await next.pool.query(
    `SELECT column_name, column_default FROM information_schema.columns
     WHERE table_name = 'setting' AND (column_name = 'extra' OR column_name = 'value' AND column_default IS NOT NULL)`,
  )
  expect(rows).toEqual([])
  // They would be refused if they were still there.
  await next.pool.query('ALTER TABLE setting ADD CONSTRAINT extra CHECK (key <> $$extra$$)')
  await next.pool.query('CREATE FUNCTION extra() RETURNS int LANGUAGE sql AS $$SELECT 1$$')
  await next.close()
})

it('has nothing of a transaction that was open at the close', async () => {
  const unused = await openMemoryDatabase()
  const asNew = await contentsOf(unused)
  await unused.close()

  const contents = await openedAfter(async ({ pool }) => {
    const client = await pool.connect()
    await client.query('BEGIN')
    await client.query(`INSERT INTO setting (key, value) VALUES ('open', '1')`)
    client.release(true)
  })
  expect(contents).toEqual(asNew)
})

it('is not shared by two that are open at once', async () => {
  const [first, second] = await Promise.all([openMemoryDatabase(), openMemoryDatabase()])
  await first.db.execute(sql`INSERT INTO setting (key, value) VALUES ('first', '1')`)
  expect((await contentsOf(second))['setting']).toEqual([])
  await first.close()
  await second.close()
})
