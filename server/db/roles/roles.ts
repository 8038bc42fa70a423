import { createHash } from 'node:crypto'
import { escapeIdentifier, escapeLiteral } from 'pg'
import type { ClientBase } from 'pg'
import { grantStatements, runRoles } from './grants.ts'
import type { RunRole } from './grants.ts'

/** The names of a database's roles. `run` has the rights of all others: what a session is that names none. */
export type RoleNames = Readonly<Record<RunRole | 'run', string>>

/** Roles belong to the whole server, so their names contain the database's. */
export function roleNamesOf(database: string): RoleNames {
  const fits = database.length <= 40
  const own = fits ? database : createHash('sha256').update(database).digest('hex').slice(0, 16)
  const nameOf = (role: string): string => `uptick_${role}_${own}`
  return { run: nameOf('run'), calls: nameOf('calls'), engine: nameOf('engine'), office: nameOf('office') }
}

/** Any fixed number: nodes that start at the same time take turns. */
const rolesLockKey = 7_202_514

/**
 * Creates the roles that are missing and gives them their rights, over a connection of the tables' owner.
 * @param login the role that the venue logs in as; null where it is the owner itself
 * @param isShared whether others may log in to the database too
 * @returns null if the owner may not create roles and they are missing
 */
export async function applyRoles(
  client: ClientBase,
  { login, isShared }: { login: string | null; isShared: boolean },
): Promise<RoleNames | null> {
  const { rows } = await client.query<{
    database: string
    login: string
    creates: boolean
    superuser: boolean
  }>(
    `SELECT current_database() AS database, session_user AS login, rolsuper OR rolcreaterole AS creates,
       rolsuper AS superuser FROM pg_roles WHERE rolname = session_user`,
  )
  const [owner] = rows
  if (!owner) return null
  const names = roleNamesOf(owner.database)
  await client.query('BEGIN')
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [rolesLockKey])
    const missing = await missingRoles(client, names)
    if (missing.length > 0 && !owner.creates) {
      await client.query('ROLLBACK')
      return null
    }
    for (const name of missing) await client.query(`CREATE ROLE ${escapeIdentifier(name)} NOLOGIN`)
    const statements = rightsOf(names, owner, login)
    if (isShared && login === null) statements.push(beginAsRun(names, owner))
    for (const statement of statements) await client.query(statement)
    await client.query('COMMIT')
    return names
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

async function missingRoles(client: ClientBase, names: RoleNames): Promise<string[]> {
  const all = Object.values(names)
  const { rows } = await client.query<{ name: string }>(
    'SELECT rolname AS name FROM pg_roles WHERE rolname = ANY ($1)',
    [all],
  )
  return all.filter((name) => !rows.some((row) => row.name === name))
}

function rightsOf(
  names: RoleNames,
  owner: { database: string; login: string; superuser: boolean },
  login: string | null,
): string[] {
  const quoted = (name: string): string => escapeIdentifier(name)
  const run = quoted(names.run)
  const parts = runRoles.map((role) => quoted(names[role])).join(', ')
  const database = quoted(owner.database)
  const user = quoted(login ?? owner.login)
  return [
    `GRANT ${parts} TO ${run}`,
    ...(login === null && owner.superuser ? [] : [`GRANT ${run}, ${parts} TO ${user}`]),
    ...grantStatements((role) => quoted(names[role]), run),
    `REVOKE TEMPORARY ON DATABASE ${database} FROM PUBLIC`,
  ]
}

/** What names no role, such as a pooler's session or a shell, does not begin as the owner either. */
const beginAsRun = ({ run }: RoleNames, { database, login }: { database: string; login: string }): string =>
  `ALTER ROLE ${escapeIdentifier(login)} IN DATABASE ${escapeIdentifier(database)} SET role = ${escapeLiteral(run)}`
