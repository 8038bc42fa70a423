import { randomInt } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { SoakRun, Row } from './row.ts'

/**
 * `npm run campaign [-- --seed N] [NAME …]` runs every `*.soak.ts` here, or the parts of those names, such as `S1`:
 * the full forms of what `npm test` tries in short. It prints one table, writes `campaign.json`, and fails when a
 * promise was broken or a part did not run to its end.
 */
const { values, positionals } = parseArgs({ options: { seed: { type: 'string' } }, allowPositionals: true })
const seed = Number(values.seed ?? randomInt(2 ** 31))
const parts = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.soak.ts'))
  .filter((file) => positionals.length === 0 || positionals.includes(file.slice(0, -'.soak.ts'.length)))
  .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))

const rows: Row[] = []
for (const file of parts) {
  const started = Date.now()
  const say = (line: string): void => console.error(`  ${file}: ${line}`)
  console.error(`… ${file}, seed ${seed}`)
  try {
    const part = (await import(`./${file}`)) as { run: (campaign: SoakRun) => Promise<Row[]> }
    const found = await part.run({ seed, log: say })
    for (const row of found) say(`${row.what}: ${row.tried} tried, ${row.broken} broken`)
    rows.push(...found)
  } catch (error) {
    console.error(error)
    rows.push({ id: '–', what: `${file} did not run to its end`, tried: 1, broken: 1 })
  }
  say(`${Math.round((Date.now() - started) / 1000)} s`)
}
rows.sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }))

console.table(rows.map(({ id, what, tried, broken, note = '' }) => ({ id, what, tried, broken, note })))
writeFileSync('campaign.json', `${JSON.stringify({ at: new Date().toISOString(), seed, rows }, null, 2)}\n`)
// Connections that a part left open must not keep a finished campaign alive.
process.exit(rows.some((row) => row.broken > 0) ? 1 : 0)
