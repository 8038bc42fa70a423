import { driveOneWriter } from '../support/kill/oneWriter.ts'
import { postgresRefusal } from '../support/scratchPostgres.ts'
import type { Campaign, Row } from './row.ts'

const kills = Number(process.env['KILLS'] ?? 100)
const freezes = Number(process.env['FREEZES'] ?? 20)

/** One PostgreSQL database has one writer, whatever is done to it. */
export async function run({ seed, say }: Campaign): Promise<Row[]> {
  if ((await postgresRefusal()) !== null) return []
  const figures = await driveOneWriter({ kills, freezes, seed, say })
  for (const line of figures.broken) say(line)
  return [
    {
      id: 'lease',
      what: `${kills} kills and ${freezes} freezes of 10 s: one writer, the log whole, every start works`,
      tried: kills + freezes,
      broken: figures.broken.length,
      note: `${figures.starts} starts; serving again after a kill ${spread(figures.killMs)}, after a freeze ${spread(figures.freezeMs)}; second starts refused in ${spread(figures.refusedMs)}; ${figures.flushes} flushes`,
    },
  ]
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
  return `p50 ${at(0.5)} ms, max ${at(1)} ms`
}
