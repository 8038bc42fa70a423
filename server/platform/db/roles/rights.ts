import type { ClientBase } from 'pg'
import { functionRights, runRoles, tableRights, type RunRole } from './grants.ts'

/** What one role may do with one object of the database. */
type Grant = { verb: string; on: string; to: RunRole | 'run' }
/** What roles are called in SQL. */
type NameOf = (role: RunRole | 'run') => string

const verbs = { r: 'SELECT', a: 'INSERT', u: 'UPDATE', d: 'DELETE' } as const
const allRoles = [...runRoles, 'run'] as const

const grants: readonly Grant[] = [
  ...Object.entries(tableRights).flatMap(([table, rights]) =>
    runRoles.flatMap((to, i) =>
      (rights[i] ?? '')
        .split('')
        .map((letter) => ({ verb: verbs[letter as keyof typeof verbs], on: table, to })),
    ),
  ),
  ...Object.entries(functionRights).flatMap(([name, roles]) =>
    roles.map((to) => ({ verb: 'EXECUTE', on: `FUNCTION ${name.replaceAll(' ', '')}`, to })),
  ),
  ...allRoles.map((to) => ({ verb: 'USAGE', on: 'SCHEMA public', to })),
  // For the connection that holds the lease, where its login owns nothing.
  { verb: 'UPDATE', on: 'lease', to: 'run' },
  ...['SELECT', 'USAGE'].map((verb) => ({ verb, on: 'SEQUENCE lease_beat', to: 'run' as const })),
]

/**
 * Gives the roles their rights on a database, and takes every other one from them and from everybody. Where they have them
 * already, nothing is written: a node may start beside others.
 */
export async function applyRights(client: ClientBase, nameOf: NameOf): Promise<void> {
  const expected = grants.map(({ verb, on, to }) => `${verb} ON ${on} TO ${nameOf(to)}`)
  const found = await readRights(client, nameOf)
  if (found.toSorted().join() === expected.toSorted().join()) return
  await client.query([...revokes(nameOf), ...grantStatements(nameOf)].join(';\n'))
}

/** Of the venue's roles and of everybody, as the lines that would grant them. */
async function readRights(client: ClientBase, nameOf: NameOf): Promise<string[]> {
  const { rows } = await client.query<{ right: string }>(
    `WITH objects (name, acl, owner) AS (
       SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE ' ELSE '' END || relname,
         coalesce(relacl, acldefault(CASE relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", relowner)), relowner
         FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v', 'S')
       UNION ALL SELECT 'FUNCTION ' || oid::regprocedure, coalesce(proacl, acldefault('f', proowner)), proowner
         FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef
       UNION ALL SELECT 'SCHEMA public', coalesce(nspacl, acldefault('n', nspowner)), nspowner
         FROM pg_namespace WHERE nspname = 'public')
     SELECT format('%s ON %s TO %s', a.privilege_type, o.name, coalesce(q.name, 'PUBLIC')) AS right
     FROM objects o, aclexplode(o.acl) a LEFT JOIN pg_roles r ON r.oid = a.grantee,
       LATERAL (SELECT '"' || replace(r.rolname, '"', '""') || '"' AS name) q
     WHERE a.grantee = 0 AND (o.name, a.privilege_type) <> ('SCHEMA public', 'USAGE')
       OR q.name = ANY ($1)`,
    [allRoles.map(nameOf)],
  )
  return rows.map(({ right }) => right)
}

function revokes(nameOf: NameOf): string[] {
  const all = ['PUBLIC', ...allRoles.map(nameOf)].join(', ')
  return [
    `REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${all}`,
    `REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM ${all}`,
    `REVOKE CREATE ON SCHEMA public FROM ${all}`,
    ...Object.keys(functionRights).map((name) => `REVOKE ALL ON FUNCTION ${name} FROM ${all}`),
  ]
}

/** One statement for each verb and role. */
function grantStatements(nameOf: NameOf): string[] {
  const statements = new Map<string, string[]>()
  for (const { verb, on, to } of grants) {
    const [kind, name] = on.includes(' ') ? (on.split(' ') as [string, string]) : ['TABLE', on]
    const key = `GRANT ${verb} ON ${kind} % TO ${nameOf(to)}`
    statements.set(key, [...(statements.get(key) ?? []), name])
  }
  return [...statements].map(([statement, names]) => statement.replace('%', names.join(', ')))
}
