import { randomInt } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { SoakRun, Row } from './row.ts'

/**
 * `npm run campaign [-- --seed N] [NAME …]` runs every `*.soak.ts` here, or the parts with these names, such as `S1`:
 * the full forms of the short checks in `npm test`. It prints one table, writes `campaign.json`, and fails if a guarantee
 * was broken, or a part tried nothing or did not finish. For each failed part it prints the command that repeats it.
 */
const { values, positionals } = parseArgs({ options: { seed: { type: 'string' } }, allowPositionals: true })
const seed = Number(values.seed ?? randomInt(2 ** 31))
const parts = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.soak.ts'))
  .filter((file) => positionals.length === 0 || positionals.includes(file.slice(0, -'.soak.ts'.length)))
  .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))

/** What parts read from the environment. */
const settingNames = [
  'WALKS',
  'KILLS',
  'FREEZES',
  'FAILOVERS',
  'PICTURES',
  'SCRIPTS',
  'CUTS',
  'RESTARTS',
  'EDGE_KILLS',
  'ROLLINGS',
  'FAULTS',
  'FEEDS',
  'SOCKETS',
  'RATE',
  'ROUNDS',
  'RACES',
  'ORDERS',
  'SECONDS',
  'PROBES',
  'RUNS',
  'OLD_CHROMIUM',
]

/** The command line with the seed and the settings that a part may read. */
function repeatCommand(file: string): string {
  const settings = settingNames.filter((name) => process.env[name] !== undefined)
  const assignments = settings.map((name) => `${name}=${process.env[name]}`)
  return [...assignments, `npm run campaign -- --seed ${seed} ${file.slice(0, -'.soak.ts'.length)}`].join(' ')
}

/** A part that tried nothing shows nothing. */
const hasFailed = ({ tried, broken }: Row): boolean => broken > 0 || tried === 0

const rows: Row[] = []
for (const file of parts) {
  const started = Date.now()
  const log = (line: string): void => console.error(`  ${file}: ${line}`)
  console.error(`… ${file}, seed ${seed}`)
  try {
    const part = (await import(`./${file}`)) as { run: (options: SoakRun) => Promise<Row[]> }
    const partRows = await part.run({ seed, log })
    for (const row of partRows) log(`${row.what}: ${row.tried} tried, ${row.broken} broken`)
    rows.push(...partRows)
    if (partRows.some(hasFailed)) log(`repeat with: ${repeatCommand(file)}`)
  } catch (error) {
    console.error(error)
    rows.push({ id: '–', what: `${file} did not finish`, tried: 1, broken: 1 })
    log(`repeat with: ${repeatCommand(file)}`)
  }
  log(`${Math.round((Date.now() - started) / 1000)} s`)
}
rows.sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }))

console.table(rows.map(({ id, what, tried, broken, note = '' }) => ({ id, what, tried, broken, note })))
writeFileSync('campaign.json', `${JSON.stringify({ at: new Date().toISOString(), seed, rows }, null, 2)}\n`)
// Connections that a part left open must not keep the process alive.
process.exit(rows.some(hasFailed) ? 1 : 0)
