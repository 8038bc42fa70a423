// A process for tests to kill: opens the embedded database in a folder, reports what it finds, then commits pairs of
// rows forever and reports each number once its commit is acknowledged.
import { openDatabase } from '../../server/platform/db/open.ts'

const [dataDir] = process.argv.slice(2)
if (dataDir === undefined) throw new Error('usage: commitForever DATA_DIR')

/** Writes to pipes are synchronous on POSIX systems, so a line is out before the next commit begins. */
const report = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

const { pool } = await openDatabase({ dataDir })
await pool.query(`
  CREATE TABLE IF NOT EXISTS first (n int PRIMARY KEY, filler bytea);
  CREATE TABLE IF NOT EXISTS pair (n int PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS total (n int PRIMARY KEY, count int);
  INSERT INTO total VALUES (1, 0) ON CONFLICT DO NOTHING`)
const { rows } = await pool.query(`
  SELECT (SELECT count(*)::int FROM first) AS held, (SELECT count(*)::int FROM pair) AS paired,
         (SELECT coalesce(max(n), 0) FROM first) AS last, (SELECT count FROM total) AS total`)
report({ found: rows[0] })

const filler = Buffer.alloc(700, 7)
for (let n = Number(rows[0].last) + 1; ; n += 1) {
  const client = await pool.connect()
  await client.query('BEGIN')
  await client.query('INSERT INTO first (n, filler) VALUES ($1, $2)', [n, filler])
  await client.query('UPDATE total SET count = count + 1')
  await client.query('INSERT INTO pair (n) VALUES ($1)', [n])
  await client.query('COMMIT')
  client.release()
  report({ committed: n })
  if (n % 20 === 0) await pool.query('CHECKPOINT')
}
