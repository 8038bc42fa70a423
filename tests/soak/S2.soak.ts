import { killAtRandom } from '../scenarios/kill/kills.ts'
import { withServerBundle } from '../support/serverBundle.ts'
import { postgresUnavailableReason } from '../support/scratchPostgres.ts'
import type { SoakRun, Row } from './row.ts'

/** An acknowledged order survives a kill; half of the kills on each database. */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  const points = Number(process.env['KILLS'] ?? 1000) / 2
  const databases =
    (await postgresUnavailableReason()) === null
      ? (['postgres', 'embedded'] as const)
      : (['embedded'] as const)
  const rows: Row[] = []
  for (const database of databases) {
    const startedAt = Date.now()
    const { violations, ...counts } = await withServerBundle((main) =>
      killAtRandom({ main, database, points, seed, log }),
    )
    const broken = Object.values(violations).flat()
    for (const line of broken) log(line)
    rows.push({
      id: `S2 ${database}`,
      what: 'kill -9 at random points: nothing lost, doubled, half-written or left held',
      tried: points,
      broken: broken.length,
      note: `${counts.underLoad} under load, ${counts.starting} while starting; ${counts.acknowledged} acknowledged, ${counts.unanswered} unanswered of which ${counts.effective} took effect; ${counts.failedStarts} starts failed; ${((Date.now() - startedAt) / 1000 / points).toFixed(1)} s a kill`,
    })
  }
  return rows
}
