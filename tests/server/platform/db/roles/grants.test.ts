import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../../../server/platform/db/open.ts'
import { withDatabase } from '../../../../support/withVenue.ts'
import { functionRights, runRoles, tableRights } from '../../../../../server/platform/db/roles/grants.ts'
import { applyRoles, roleNamesOf } from '../../../../../server/platform/db/roles/roles.ts'
import {
  openScratchPostgres,
  postgresUnavailableReason,
  type ScratchPostgres,
} from '../../../../support/scratchPostgres.ts'

const hasPostgres = (await postgresUnavailableReason()) === null

const memory = await withDatabase()

const rowsOf = async <T extends object>(database: Database, sql: string): Promise<T[]> =>
  (await database.pool.query<T>(sql)).rows

it('has a row for each table: add yours to server/platform/db/roles/grants.ts', async () => {
  const tables = await rowsOf<{ name: string }>(
    memory,
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  )
  expect(Object.keys(tableRights).toSorted()).toEqual(tables.map(({ name }) => name))
})

it('has a row for each function that acts with the rights of the owner', async () => {
  const functions = await rowsOf<{ name: string }>(
    memory,
    `SELECT oid::regprocedure::text AS name FROM pg_proc
     WHERE prosecdef AND pronamespace = 'public'::regnamespace ORDER BY 1`,
  )
  const named = Object.keys(functionRights).map((name) => name.replaceAll(', ', ','))
  expect(named.toSorted()).toEqual(functions.map(({ name }) => name))
})

it('what checks rows reads the venue’s own tables, not temporary ones of a session', async () => {
  const without = await rowsOf(
    memory,
    `SELECT p.proname FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
     WHERE NOT t.tgisinternal AND p.proname NOT IN ('deny_change', 'decided_once', 'orders_guard', 'orders_source_guard')
       AND NOT coalesce(p.proconfig::text LIKE '%search_path=pg_catalog, public, pg_temp%', false)`,
  )
  expect(without).toEqual([])
})

describe.skipIf(!hasPostgres)('the rights on PostgreSQL', () => {
  let scratch: ScratchPostgres
  beforeAll(async () => {
    scratch = await openScratchPostgres('grants')
    expect(await scratch.database.useRoles()).toBe(true)
    // Again, as at each start.
    expect(await scratch.database.useRoles()).toBe(true)
  })
  afterAll(() => scratch.drop())

  it('are those of the table, and nothing else', async () => {
    const owner = await openOwner()
    const { database } = scratch
    const names = roleNamesOf(new URL(scratch.url).pathname.slice(1))
    const rows = await rowsOf<{ role: string; name: string; verb: string }>(
      owner,
      `SELECT r.rolname AS role, c.relname AS name, a.privilege_type AS verb
       FROM pg_class c, aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee
       WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND r.rolname LIKE 'uptick_%'`,
    )
    const verbs = { r: 'SELECT', a: 'INSERT', u: 'UPDATE', d: 'DELETE' } as const
    const expected = Object.entries(tableRights).flatMap(([name, rights]) =>
      runRoles.flatMap((role, i) =>
        (rights[i] ?? '')
          .split('')
          .map((letter) => `${names[role]} ${name} ${verbs[letter as keyof typeof verbs]}`),
      ),
    )
    expected.push(`${names.run} lease UPDATE`)
    expect(rows.map(({ role, name, verb }) => `${role} ${name} ${verb}`).toSorted()).toEqual(
      expected.toSorted(),
    )
    const owned = await rowsOf(
      owner,
      `SELECT relname FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner WHERE r.rolname LIKE 'uptick_%'`,
    )
    expect(owned).toEqual([])
    expect(await rowsOf(database, 'SELECT current_user AS name')).toEqual([{ name: names.calls }])
    await owner.close()
  })

  const openOwner = async (): Promise<Database> => {
    const { openPostgresDatabase } = await import('../../../../../server/platform/db/open.ts')
    return openPostgresDatabase({ databaseUrl: scratch.url })
  }

  it('can be given by an owner who may not create roles, once another login has made them', async () => {
    const own = await openScratchPostgres('plain_owner')
    const names = roleNamesOf(new URL(own.url).pathname.slice(1))
    const { run, ...parts } = names
    const plain = `${names.calls}_plain`
    const client = await own.database.owner.connect()
    try {
      // Owns the tables as a member of who made them, and may do nothing else.
      await client.query(
        `CREATE ROLE ${plain} NOLOGIN; GRANT postgres TO ${plain}; SET SESSION AUTHORIZATION ${plain}`,
      )
      expect(await applyRoles(client, { login: null, isShared: true })).toBeNull()
      await client.query('RESET SESSION AUTHORIZATION')
      for (const name of Object.values(names)) await client.query(`CREATE ROLE ${name} NOLOGIN`)
      await client.query(`GRANT ${Object.values(parts).join()} TO ${run}`)
      await client.query(
        `GRANT ${Object.values(names).join()} TO ${plain}; SET SESSION AUTHORIZATION ${plain}`,
      )
      expect(await applyRoles(client, { login: null, isShared: true })).toEqual(names)
      await client.query(`SET ROLE ${names.engine}`)
      await expect(client.query('SELECT FROM member')).rejects.toThrow(/permission denied/)
      await client.query('SELECT FROM orders')
    } finally {
      await client.query(`RESET ROLE; RESET SESSION AUTHORIZATION`)
      await client.query(`DROP ROLE ${plain}`)
      client.release(true)
      await own.drop()
    }
  })

  it('let nobody make tables, also not temporary ones, or drop a trigger', async () => {
    for (const statement of [
      'CREATE TABLE own (x int)',
      'CREATE TEMP TABLE tick_batch (x int)',
      'CREATE SCHEMA own',
      'DROP TRIGGER posting_append_only ON posting',
      'ALTER TABLE audit DISABLE TRIGGER ALL',
      'TRUNCATE audit',
      'DROP TABLE audit',
      `SET session_replication_role = replica`,
      'CREATE TRIGGER own BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION deny_change()',
    ])
      await expect(scratch.database.pool.query(statement), statement).rejects.toThrow(
        /must be owner|permission denied/,
      )
  })
})
