import { driveOneWriter } from '../scenarios/kill/oneWriter.ts'
import { withServerBundle } from '../support/serverBundle.ts'
import { postgresUnavailableReason } from '../support/scratchPostgres.ts'
import { spread, type SoakRun, type Row } from './row.ts'

const kills = Number(process.env['KILLS'] ?? 100)
const freezes = Number(process.env['FREEZES'] ?? 20)

/** One PostgreSQL database has one writer, through kills and freezes. */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  if ((await postgresUnavailableReason()) !== null) return []
  const report = await withServerBundle((main) => driveOneWriter({ main, kills, freezes, seed, log }))
  for (const line of report.violations) log(line)
  return [
    {
      id: 'lease',
      what: `${kills} kills and ${freezes} freezes of 10 s: one writer, the log intact, every start works`,
      tried: kills + freezes,
      broken: report.violations.length,
      note: `${report.starts} starts; serving again after a kill ${spread(report.killMs)}, after a freeze ${spread(report.freezeMs)}; second starts rejected in ${spread(report.rejectedStartMs)}; ${report.flushes} flushes`,
    },
  ]
}
