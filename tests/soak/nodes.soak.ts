import { driveSameNodes, nodeFaults, type NodeFault } from '../scenarios/cluster/sameNodes.ts'
import { natsAnswers } from '../support/nats.ts'
import { ownPostgresUnavailableReason } from '../support/ownPostgres.ts'
import { postgresUnavailableReason } from '../support/scratchPostgres.ts'
import { withServerBundle } from '../support/serverBundle.ts'
import type { SoakRun, Row } from './row.ts'

const rounds = Number(process.env['ROUNDS'] ?? 10)
/** Orders per second. */
const rate = Number(process.env['RATE'] ?? 6)
const openMaxSeconds = 5

/** What is tried one after another with the same nodes. */
const runs: Record<string, readonly NodeFault[]> = {
  together: ['together'],
  postgres: ['postgres'],
  clock: ['fastStandby', 'fastStart'],
}
const wanted = process.env['FAULTS']?.split(',')

/**
 * Four nodes on live prices are stopped and started together, PostgreSQL restarts, and nodes come with a clock that is a minute
 * fast: ticks, heads, gaps, proofs and time are the same at every node and in the database after each round.
 */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  if ((await postgresUnavailableReason()) !== null || !(await natsAnswers())) return []
  return withServerBundle(async (main) => {
    const rows: Row[] = []
    for (const [name, faults] of Object.entries(runs)) {
      if (wanted?.includes(name) === false) continue
      const reason = name === 'postgres' ? ownPostgresUnavailableReason() : null
      if (reason === null) rows.push(await runRounds({ main, seed, log, name, faults }))
      else log(`restarts of PostgreSQL are skipped: ${reason}`)
    }
    return rows
  })
}

async function runRounds({
  name,
  faults,
  ...plan
}: SoakRun & { main: string; name: string; faults: readonly NodeFault[] }): Promise<Row> {
  const report = await driveSameNodes({
    ...plan,
    faults: Array.from({ length: rounds }, () => faults).flat(),
    rate,
    openMax: rate * openMaxSeconds,
  })
  const broken = [...report.differences, ...Object.values(report.violations).flat()]
  for (const line of broken) plan.log(line)
  const { tried, acknowledged, proofs, refunds, ticks, gaps, newGaps, settled, liveTicks, clockMs } = report
  return {
    id: `nodes ${name}`,
    what: `${faults.map((fault) => nodeFaults[fault]).join('; ')}: every node and the database have the same`,
    tried: Math.min(...faults.map((fault) => tried[fault] ?? 0)),
    broken: broken.length,
    note: [
      `${proofs} proofs, ${refunds} orders refunded because of a gap`,
      `${ticks} ticks and ${gaps} gaps compared, ${newGaps} gaps made`,
      `clocks within ${Math.round(clockMs)} ms`,
      `${acknowledged} acknowledged, ${settled} compared with the oracle, ${liveTicks} ticks with the exchanges`,
    ].join('; '),
  }
}
