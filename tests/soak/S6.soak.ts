import { driveDowntime, type Outage } from '../scenarios/downtime.ts'
import { mergeFindings } from '../scenarios/findings.ts'
import type { SoakRun, Row } from './row.ts'

const rounds = 4
const ordersEach = 40
const lengths = [1000, 30_000, 90_000, 3_600_000]

/** The venue is down while orders are open: each length as a restart and as a stalled process. */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  const rows: Row[] = []
  for (const way of ['restart', 'stall'] as const) {
    const runs = []
    for (let round = 0; round < rounds; round++) {
      const outages: Outage[] = lengths.map((_, i) => ({
        way,
        ms: lengths[(i + round) % lengths.length] ?? 0,
      }))
      runs.push(await driveDowntime(seed + round, outages, ordersEach))
      log(`${way}, round ${round + 1} of ${rounds}`)
    }
    const { tried, violations } = mergeFindings(runs)
    for (const violation of violations.slice(0, 5)) log(violation)
    const what =
      way === 'restart'
        ? 'venue stopped for 1 s, 30 s, 90 s, 1 h'
        : 'process stalled for 1 s, 30 s, 90 s, 1 h'
    rows.push({ id: 'S6', what, tried, broken: violations.length, note: note(runs) })
  }
  return rows
}

const note = (runs: readonly Awaited<ReturnType<typeof driveDowntime>>[]): string => {
  const orders = runs.reduce((sum, each) => sum + each.orders, 0)
  const refunded = runs.reduce((sum, each) => sum + each.refunded, 0)
  return `${orders} orders, ${refunded} of them FEED_DOWN`
}
