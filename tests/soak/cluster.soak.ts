import { killLeaders } from '../scenarios/kill/leaderKills.ts'
import { natsAnswers } from '../support/nats.ts'
import { withServerBundle } from '../support/serverBundle.ts'
import { postgresUnavailableReason } from '../support/scratchPostgres.ts'
import { spread } from './row.ts'
import type { SoakRun, Row } from './row.ts'

const kills = Number(process.env['KILLS'] ?? 100)

/** Leaders are killed while members trade at an edge: a standby takes over, and nothing is lost. */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  if ((await postgresUnavailableReason()) !== null || !(await natsAnswers())) return []
  const report = await withServerBundle((main) => killLeaders({ main, kills, seed, log }))
  const broken = Object.values(report.violations).flat()
  for (const line of broken) log(line)
  return [
    {
      id: 'cluster',
      what: `${kills} leaders killed while members trade at an edge: 0 orders lost or doubled, 0 gaps`,
      tried: report.kills,
      broken: broken.length + report.gaps,
      note: `next flush after a kill ${spread(report.nextFlushMs)}; ${report.acknowledged} acknowledged, the slowest answer took ${Math.round(report.slowestAnswerMs)} ms`,
    },
  ]
}
