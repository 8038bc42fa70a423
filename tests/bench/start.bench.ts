import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { median, type Row } from './row.ts'
import { bareProcess, venueProcess, type Measured } from './start/processes.ts'

const root = resolve(import.meta.dirname, '../..')
const runs = Number(process.env['RUNS'] ?? 3)
/** Until the memory is settled; the processor time of the last half is that of a venue without work. */
const settleS = Number(process.env['SETTLE_S'] ?? 120)
const databaseUrl = process.env['BENCH_DATABASE_URL']
const postgresNode = { DATABASE_URL: databaseUrl ?? '' }

/**
 * P10, P13 and P14: processor time of a start until the venue serves, first on an empty data folder, then on the same one again,
 * beside a bare Fastify with PGlite on a ready folder; and memory and processor time of a venue that nobody uses. They are
 * processor seconds, because other processes of the machine change the time that a start takes. With `BENCH_DATABASE_URL`, an
 * empty database that nothing else uses, it measures a node with PostgreSQL too. Linux only: it reads `/proc`.
 */
export async function run(): Promise<Row[]> {
  if (!existsSync(join(root, 'dist/server/main.js'))) throw new Error('build first: npm run build')
  const folder = mkdtempSync(join(tmpdir(), 'uptick-start-'))
  const bareDir = join(folder, 'bare')
  try {
    await bareProcess(bareDir)
    // Fills the caches of the machine.
    await venueProcess(join(folder, 'before'))
    const first: Measured[] = []
    const warm: Measured[] = []
    const bare: Measured[] = []
    for (let i = 0; i < runs; i++) {
      const dataDir = join(folder, `venue-${i}`)
      bare.push(await bareProcess(bareDir))
      first.push(await venueProcess(dataDir))
      warm.push(await venueProcess(dataDir))
    }
    const ofAll = (all: readonly Measured[]): number => median(all.map(({ cpuS }) => cpuS))
    const [bareS, firstS, warmS] = [ofAll(bare), ofAll(first), ofAll(warm)]
    return [
      { id: 'P10', what: 'start of a bare Fastify with PGlite, processor time', value: bareS, unit: 's' },
      { id: 'P10', what: 'first start of the venue, processor time', value: firstS, unit: 's' },
      atMost('P10', 'first start / bare', firstS / bareS, '×', 3),
      { id: 'P10', what: 'later start, processor time', value: warmS, unit: 's' },
      atMost('P10', 'later start / bare', warmS / bareS, '×', 2),
      atMost(
        'P13',
        'memory of the first start at its peak, embedded database',
        median(first.map(({ peakMb }) => peakMb)),
        'MB',
        500,
      ),
      ...(await idleRows('embedded database', join(folder, 'idle'), {}, 300)),
      ...(databaseUrl === undefined
        ? []
        : await idleRows('PostgreSQL', join(folder, 'postgres'), postgresNode, 200)),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function idleRows(
  what: string,
  dataDir: string,
  env: NodeJS.ProcessEnv,
  mbMax: number,
): Promise<Row[]> {
  let idle = 0
  const { settledMb } = await venueProcess(dataDir, env, async (cpuS) => {
    await pause(settleS * 500)
    const [before, begunAt] = [cpuS(), performance.now()]
    await pause(settleS * 500)
    idle = ((cpuS() - before) / (performance.now() - begunAt)) * 1000
  })
  return [
    atMost('P13', `memory after ${settleS} s, ${what}`, settledMb, 'MB', mbMax),
    atMost('P14', `processor without members, ${what}`, idle * 100, '% of a core', 3),
  ]
}

const atMost = (id: string, what: string, value: number, unit: string, max: number): Row => ({
  id,
  what,
  value,
  unit,
  limit: `≤ ${max}`,
  ok: value <= max,
})
