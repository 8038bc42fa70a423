import type { ClientBase, Pool } from 'pg'

const ofSchema = (alias: string): string => `${alias}.relnamespace = 'public'::regnamespace`
/** Grants as text, in one order, whatever order they were made in. Null is what everybody has without any. */
const grants = (acl: string): string => `coalesce((SELECT string_agg(format('%s %s by %s%s',
  CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE g.grantee::regrole::text END, g.privilege_type, g.grantor::regrole,
  CASE WHEN g.is_grantable THEN ' with grant' ELSE '' END), ', '
  ORDER BY g.grantee::regrole::text COLLATE "C", g.privilege_type COLLATE "C") FROM aclexplode(${acl}) g), 'default')`

/** What a database has, one text a row: everything that statements of a schema file make. */
const parts: Readonly<Record<string, string>> = {
  relations: `SELECT format('%s kind=%s persistence=%s options=%s access=%s rls=%s,%s replica=%s owner=%s grants=%s', c.relname,
      c.relkind, c.relpersistence, c.reloptions, coalesce(a.amname, '-'), c.relrowsecurity, c.relforcerowsecurity,
      c.relreplident, c.relowner::regrole, ${grants('c.relacl')})
    FROM pg_class c LEFT JOIN pg_am a ON a.oid = c.relam WHERE ${ofSchema('c')} AND c.relkind <> 'i'`,
  columns: `SELECT format('%s.%s %s type=%s notnull=%s default=%s identity=%s generated=%s storage=%s compression=%s collation=%s target=%s grants=%s',
      c.relname, t.attnum, t.attname, format_type(t.atttypid, t.atttypmod), t.attnotnull,
      pg_get_expr(d.adbin, d.adrelid), t.attidentity, t.attgenerated, t.attstorage, t.attcompression,
      (SELECT collname FROM pg_collation WHERE oid = t.attcollation), nullif(t.attstattarget, -1), ${grants('t.attacl')})
    FROM pg_attribute t JOIN pg_class c ON c.oid = t.attrelid LEFT JOIN pg_attrdef d ON (d.adrelid, d.adnum) = (c.oid, t.attnum)
    WHERE ${ofSchema('c')} AND c.relkind IN ('r', 'v', 'p', 'm') AND t.attnum > 0`,
  constraints: `SELECT format('%s.%s %s valid=%s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid), c.convalidated)
    FROM pg_constraint c WHERE c.connamespace = 'public'::regnamespace`,
  indexes: `SELECT format('%s valid=%s unique=%s', pg_get_indexdef(i.indexrelid), i.indisvalid, i.indisunique)
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE ${ofSchema('c')}`,
  views: `SELECT format('%s %s', c.relname, pg_get_viewdef(c.oid)) FROM pg_class c WHERE ${ofSchema('c')} AND c.relkind IN ('v', 'm')`,
  sequences: `SELECT format('%s %s start=%s by=%s min=%s max=%s cache=%s cycle=%s owned=%s', s.seqrelid::regclass,
      s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache, s.seqcycle,
      (SELECT format('%s.%s', d.refobjid::regclass, d.refobjsubid) FROM pg_depend d
        WHERE d.objid = s.seqrelid AND d.deptype IN ('a', 'i') AND d.refclassid = 'pg_class'::regclass))
    FROM pg_sequence s`,
  functions: `SELECT format('%s owner=%s leakproof=%s cost=%s rows=%s grants=%s %s', p.oid::regprocedure, p.proowner::regrole,
      p.proleakproof, p.procost, p.prorows, ${grants('p.proacl')}, pg_get_functiondef(p.oid))
    FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prokind <> 'a'`,
  triggers: `SELECT format('%s enabled=%s %s', t.tgrelid::regclass, t.tgenabled, pg_get_triggerdef(t.oid))
    FROM pg_trigger t WHERE NOT t.tgisinternal`,
  types: `SELECT format('%s %s owner=%s grants=%s %s', t.typname, t.typtype, t.typowner::regrole, ${grants('t.typacl')},
      (SELECT string_agg(e.enumlabel, ',' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid))
    FROM pg_type t WHERE t.typnamespace = 'public'::regnamespace`,
  policies: `SELECT format('%s', p) FROM pg_policies p`,
  rules: `SELECT r.definition FROM pg_rules r WHERE r.schemaname = 'public'`,
  comments: `SELECT format('%s %s', pg_describe_object(d.classoid, d.objoid, d.objsubid), d.description) FROM pg_description d
    WHERE d.objoid >= 16384`,
  schemas: `SELECT format('%s owner=%s grants=%s', n.nspname, n.nspowner::regrole, ${grants('n.nspacl')}) FROM pg_namespace n
    WHERE n.nspname NOT LIKE 'pg\\_temp%' AND n.nspname NOT LIKE 'pg\\_toast%'`,
  extensions: `SELECT format('%s %s', e.extname, e.extversion) FROM pg_extension e`,
  eventTriggers: `SELECT e.evtname::text FROM pg_event_trigger e`,
  defaultGrants: `SELECT format('%s %s %s', d.defaclrole::regrole, d.defaclobjtype, ${grants('d.defaclacl')}) FROM pg_default_acl d`,
  database: `SELECT format('grants=%s', ${grants('d.datacl')}) FROM pg_database d WHERE d.datname = current_database()`,
  settings: `SELECT format('%s %s', s.setrole::regrole, s.setconfig) FROM pg_db_role_setting s JOIN pg_database d
    ON d.oid = s.setdatabase WHERE d.datname = current_database()`,
  roles: `SELECT format('%s super=%s inherit=%s createrole=%s createdb=%s login=%s bypassrls=%s members=%s', r.rolname, r.rolsuper,
      r.rolinherit, r.rolcreaterole, r.rolcreatedb, r.rolcanlogin, r.rolbypassrls,
      (SELECT string_agg(m.member::regrole::text, ',' ORDER BY m.member::regrole::text) FROM pg_auth_members m WHERE m.roleid = r.oid))
    FROM pg_roles r WHERE r.rolname LIKE 'uptick\\_%\\_' || replace(current_database(), '_', '\\_')`,
}

/**
 * Everything that is defined in a database, one line each and sorted, and the rows that it begins with. Two databases with the
 * same lines differ in nothing but their names.
 */
export async function readCatalog(pool: Pool): Promise<string[]> {
  const client = await pool.connect()
  try {
    // Sessions of PostgreSQL begin as a role that does not read every table.
    await client.query('SET ROLE NONE')
    const lines = [...(await definitions(client)), ...(await firstRows(client))]
    const [database] = (await client.query<{ name: string }>('SELECT current_database() AS name')).rows
    return lines
      .map((line) => line.replaceAll(`_${database?.name}`, '_DATABASE').replaceAll('\n', '\\n'))
      .sort()
  } finally {
    client.release(true)
  }
}

async function definitions(client: ClientBase): Promise<string[]> {
  const lines: string[] = []
  for (const [part, query] of Object.entries(parts)) {
    const { rows } = await client.query<{ line: string }>(`SELECT line FROM (${query}) AS found (line)`)
    lines.push(...rows.map(({ line }) => `${part}: ${line}`))
  }
  return lines
}

/** The rows of a database that nothing has used. */
async function firstRows(client: ClientBase): Promise<string[]> {
  const tables = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE ${ofSchema('c')} AND c.relkind = 'r'`,
  )
  const lines: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await client.query<{ line: string }>(`SELECT to_jsonb(t)::text AS line FROM "${name}" t`)
    lines.push(...rows.map(({ line }) => `rows: ${name} ${line}`))
  }
  return lines
}
