import { readdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import type { Row } from './row.ts'

/**
 * `npm run bench [NAME …]` runs every `*.bench.ts` here, or those whose name starts with a NAME, prints one table and
 * writes `bench.json`. It reports and never fails: a missed limit is only marked.
 */
const names = process.argv.slice(2)
const files = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .filter((file) => names.length === 0 || names.some((name) => file.startsWith(name)))
  .sort()

const rows: Row[] = []
for (const file of files) {
  console.error(`… ${file}`)
  try {
    const bench = (await import(`./${file}`)) as { run: () => Promise<Row[]> }
    rows.push(...(await bench.run()))
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`)
    rows.push({ id: '–', what: `${file} did not run`, value: Number.NaN, unit: '', limit: 'runs', ok: false })
  }
}
rows.sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }))

const limitMet = (row: Row): string => (row.ok === undefined ? '' : row.ok ? 'yes' : 'NO')
console.table(
  rows.map((row) => ({
    id: row.id,
    what: row.what,
    value: Number(row.value.toPrecision(4)),
    unit: row.unit,
    limit: row.limit ?? '',
    met: limitMet(row),
  })),
)
const machine = { node: process.version, cpus: cpus().length, cpu: cpus()[0]?.model ?? 'unknown' }
writeFileSync('bench.json', `${JSON.stringify({ at: new Date().toISOString(), machine, rows }, null, 2)}\n`)
// Connections that a bench left open must not keep the process alive.
process.exit(0)
