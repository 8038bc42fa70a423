import { driveBadFeed, feedDefects, type FeedDefect } from '../scenarios/badFeed.ts'
import { mergeFindings } from '../scenarios/findings.ts'
import type { SoakRun, Row } from './row.ts'

const rounds = 10
const orders = 60
const spanMs = 240_000
const kinds: Readonly<Record<FeedDefect, string>> = {
  foreign: 'bad ticks from a feed: chart and results as on the clean run',
  recording: 'bad rows in a recording: chart and results as on the clean run',
  hole: '30 s without a tick: rejected, refunded or within the terms; everything else as on the clean run',
}

/** A bad feed has no effect on charts and results. */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  const rows: Row[] = []
  const all = []
  for (let round = 0; round < rounds; round++) all.push(await driveBadFeed(seed + round, orders, spanMs))
  for (const kind of feedDefects) {
    const runs = all.map((found) => found[kind])
    const { tried, violations } = mergeFindings(runs)
    for (const violation of violations.slice(0, 5)) log(violation)
    const flagged = runs.reduce((sum, each) => sum + each.flagged, 0)
    const note = `${rounds * orders} orders, ${flagged} bad ticks counted`
    rows.push({ id: 'S8', what: kinds[kind], tried, broken: violations.length, note })
  }
  return rows
}
