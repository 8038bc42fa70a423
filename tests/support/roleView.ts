import type { Pool } from 'pg'
import {
  createDatabase,
  openPool,
  postgresPoolConfig,
  withRole,
  type Database,
} from '../../server/platform/db/database.ts'
import { openPoolAs } from '../../server/platform/db/memory.ts'
import { routeByRole } from '../../server/platform/db/roles/roleContext.ts'
import { applyRoles } from '../../server/platform/db/roles/roles.ts'

/** A test database as a venue and its engine see it. */
export type RoleView = { venue: Database; engine: Database; close(): Promise<void> }

/**
 * Opens a test database with the rights of the venue's roles: calls of members and of the office have their own, what
 * a test calls of a module directly has all of them. The given database stays the owner's.
 */
export async function openRoleView(database: Database): Promise<RoleView> {
  const client = await database.owner.connect()
  const names = await applyRoles(client, { login: null, isShared: false }).finally(() => client.release())
  if (names === null) throw new Error('the login of the tests may not create roles')
  const { postgres } = database
  const open = (role: string): Pool =>
    postgres === null
      ? openPoolAs(database, role)
      : openPool(
          withRole(postgresPoolConfig(postgres.databaseUrl, postgres.sessionName, 4), role),
          () => undefined,
        )
  const { run, calls, office, engine } = {
    run: open(names.run),
    calls: open(names.calls),
    office: open(names.office),
    engine: open(names.engine),
  }
  routeByRole(run, { office, calls })
  const view = (pool: Pool): Database =>
    createDatabase(pool, postgres ?? (() => database.address()), async () => undefined)
  return {
    venue: view(run),
    engine: view(engine),
    close: async () => void (await Promise.all([run, calls, office, engine].map((pool) => pool.end()))),
  }
}
