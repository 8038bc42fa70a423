import { createHash } from 'node:crypto'
import { escapeIdentifier, escapeLiteral, type ClientBase } from 'pg'
import { runRoles, type RunRole } from './grants.ts'
import { applyRights } from './rights.ts'

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

type Owner = { database: string; login: string; creates: boolean; owns: boolean; temporary: boolean }

/**
 * Creates the roles that are missing and gives them their rights, over a connection of the tables' owner. What is there
 * already is left as it is, so that another login may have made the roles for an owner who may not.
 * @param login the role that the venue logs in as; null where it is the owner itself
 * @param isShared whether others may log in to the database too
 * @returns null if the owner may not create roles and they are missing
 */
export async function applyRoles(
  client: ClientBase,
  { login, isShared }: { login: string | null; isShared: boolean },
): Promise<RoleNames | null> {
  const owner = await readOwner(client)
  await client.query('SELECT pg_advisory_lock($1)', [rolesLockKey])
  try {
    const names = roleNamesOf(owner.database)
    return (await createRoles(client, owner, names, { login, isShared })) ? names : null
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [rolesLockKey])
  }
}

/** @returns false if roles are missing that the owner may not create */
async function createRoles(
  client: ClientBase,
  owner: Owner,
  names: RoleNames,
  { login, isShared }: { login: string | null; isShared: boolean },
): Promise<boolean> {
  await client.query('BEGIN')
  try {
    const missing = await missingRoles(client, names)
    if (missing.length > 0 && !owner.creates) {
      await client.query('ROLLBACK')
      return false
    }
    for (const name of missing) await client.query(`CREATE ROLE ${escapeIdentifier(name)} NOLOGIN`)
    await joinRoles(client, names, login ?? owner.login)
    await applyRights(client, (role) => escapeIdentifier(names[role]))
    if (owner.owns && owner.temporary)
      await client.query(`REVOKE TEMPORARY ON DATABASE ${escapeIdentifier(owner.database)} FROM PUBLIC`)
    if (isShared && login === null) await beginAsRun(client, names, owner)
    await client.query('COMMIT')
    return true
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

async function readOwner(client: ClientBase): Promise<Owner> {
  const { rows } = await client.query<Owner>(
    `SELECT d.datname AS database, r.rolname AS login, r.rolsuper OR r.rolcreaterole AS creates,
       pg_has_role(r.oid, d.datdba, 'USAGE') AS owns, EXISTS (
         SELECT FROM aclexplode(coalesce(d.datacl, acldefault('d', d.datdba)))
         WHERE grantee = 0 AND privilege_type = 'TEMPORARY') AS temporary
     FROM pg_database d, pg_roles r WHERE d.datname = current_database() AND r.rolname = session_user`,
  )
  const [owner] = rows
  if (!owner) throw new Error('the session has no login')
  return owner
}

async function missingRoles(client: ClientBase, names: RoleNames): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM unnest($1::text[]) name WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)',
    [Object.values(names)],
  )
  return rows.map(({ name }) => name)
}

/** The login may become each role, and `run` has the rights of all others. */
async function joinRoles(client: ClientBase, names: RoleNames, login: string): Promise<void> {
  const parts = runRoles.map((role) => names[role])
  const pairs = [
    ...parts.map((part) => [names.run, part]),
    ...Object.values(names).map((name) => [login, name]),
  ]
  const { rows } = await client.query<{ member: string; role: string }>(
    `SELECT member, role FROM unnest($1::text[], $2::text[]) pair (member, role)
     WHERE NOT pg_has_role(member::name, role::name, 'USAGE')`,
    [pairs.map(([member]) => member), pairs.map(([, role]) => role)],
  )
  for (const { member, role } of rows)
    await client.query(`GRANT ${escapeIdentifier(role)} TO ${escapeIdentifier(member)}`)
}

/** What names no role, such as a shell, does not begin as the owner either. */
async function beginAsRun(client: ClientBase, { run }: RoleNames, owner: Owner): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole JOIN pg_database d ON d.oid = s.setdatabase
     WHERE r.rolname = session_user AND d.datname = current_database() AND 'role=' || $1 = ANY (s.setconfig)`,
    [run],
  )
  if (rowCount === 1) return
  const [login, database] = [escapeIdentifier(owner.login), escapeIdentifier(owner.database)]
  await client.query(`ALTER ROLE ${login} IN DATABASE ${database} SET role = ${escapeLiteral(run)}`)
}
