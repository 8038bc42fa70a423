import type { PGlite } from '@electric-sql/pglite'

/** What a database in memory contains before anything used it. */
export type InitialContents = {
  /** Hash of everything that is defined in it: tables, columns, indexes, triggers, functions, and rights. */
  readonly schema: string
  /** The rows that the schema inserts, as JSON, by table. */
  readonly rows: ReadonlyMap<string, string>
}

/** Objects of the catalogue that were created after the engine's own have ids from here on. */
const firstOwnId = 16_384
/**
 * The number of a catalogue's rows and the transactions that wrote them: a third of the time that comparing their texts
 * takes. Not for rows that are written without a change: TRUNCATE writes `pg_class`, and tests disable triggers and
 * enable them again.
 */
const writers = (catalog: string, own = `oid >= ${firstOwnId}`): string =>
  `(SELECT concat(count(*), ',', sum(xmin::text::bigint)) FROM ${catalog} WHERE ${own})`
const schemaHash = `
  SELECT md5(concat_ws('|',
    (SELECT string_agg(concat_ws(',', oid, relname, relkind, reloptions, relacl), ';' ORDER BY oid) FROM pg_class WHERE oid >= ${firstOwnId}),
    (SELECT string_agg(t::text, ';' ORDER BY oid) FROM pg_trigger t),
    ${writers('pg_attribute', `attrelid >= ${firstOwnId}`)},
    ${['pg_attrdef', 'pg_constraint', 'pg_proc', 'pg_namespace'].map((catalog) => writers(catalog)).join()})) AS schema`

/** Records what {@link resetContents} restores; for a new database. */
export async function initialContents(pglite: PGlite): Promise<InitialContents> {
  const rows = new Map<string, string>()
  for (const table of await writtenTables(pglite)) {
    const found = await pglite.query<{ rows: string }>(`SELECT jsonb_agg(t)::text AS rows FROM ${table} t`)
    for (const row of found.rows) rows.set(table, row.rows)
  }
  return { schema: await readSchema(pglite), rows }
}

/**
 * Brings a database whose connections are closed back to its initial contents: rows, sequences and settings.
 * @returns false if what is defined in it changed: such a database cannot be used again
 */
export async function resetContents(pglite: PGlite, initial: InitialContents): Promise<boolean> {
  await pglite.exec('DISCARD ALL')
  if ((await readSchema(pglite)) !== initial.schema) return false
  const written = await writtenTables(pglite)
  const inserts = [...initial.rows].map(
    ([table, rows]) =>
      `INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, '${rows.replaceAll("'", "''")}');`,
  )
  await pglite.exec(`
    SET session_replication_role = replica;
    SET client_min_messages = error;
    ${written.length > 0 ? `TRUNCATE ${written.join()} CASCADE;` : ''}
    ${inserts.join('\n')}
    SELECT setval(seqrelid::regclass, seqstart, false) FROM pg_sequence;
    RESET ALL;
    CHECKPOINT;`)
  return true
}

async function readSchema(pglite: PGlite): Promise<string> {
  const { rows } = await pglite.query<{ schema: string }>(schemaHash)
  return rows.map(({ schema }) => schema).join()
}

/** The tables that have, or had, rows. */
async function writtenTables(pglite: PGlite): Promise<string[]> {
  const { rows } = await pglite.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relkind = 'r' AND oid >= ${firstOwnId} AND pg_relation_size(oid) > 0`,
  )
  return rows.map(({ name }) => name)
}
