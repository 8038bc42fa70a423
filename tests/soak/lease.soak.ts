import { driveOneWriter } from '../support/kill/oneWriter.ts'
import { postgresUnavailableReason } from '../support/scratchPostgres.ts'
import type { SoakRun, Row } from './row.ts'

const kills = Number(process.env['KILLS'] ?? 100)
const freezes = Number(process.env['FREEZES'] ?? 20)

/** One PostgreSQL database has one writer, whatever is done to it. */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  if ((await postgresUnavailableReason()) !== null) return []
  const figures = await driveOneWriter({ kills, freezes, seed, log })
  for (const line of figures.violations) log(line)
  return [
    {
      id: 'lease',
      what: `${kills} kills and ${freezes} freezes of 10 s: one writer, the log whole, every start works`,
      tried: kills + freezes,
      broken: figures.violations.length,
      note: `${figures.starts} starts; serving again after a kill ${spread(figures.killMs)}, after a freeze ${spread(figures.freezeMs)}; second starts refused in ${spread(figures.rejectedStartMs)}; ${figures.flushes} flushes`,
    },
  ]
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
  return `p50 ${at(0.5)} ms, max ${at(1)} ms`
}
