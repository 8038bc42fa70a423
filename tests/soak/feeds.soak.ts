import { exchangeNames } from '../../server/market/feed/live/exchanges.ts'
import { driveLiveFeed } from '../scenarios/liveFeed.ts'
import type { SoakRun, Row } from './row.ts'

const scripts = Number(process.env.SCRIPTS ?? 1000)

/** Live feeds under scripts of faults of their exchange: nothing invented, repeated, or lost outside a gap. */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  const rows: Row[] = []
  for (const [i, exchange] of exchangeNames.entries()) {
    let [broken, ticks, gaps] = [0, 0, 0]
    for (let script = 0; script < scripts; script++) {
      const found = await driveLiveFeed(exchange, seed + script)
      broken += found.violations.length
      ticks += found.ticks
      gaps += found.gaps
      for (const violation of found.violations) log(violation)
    }
    const note = `${ticks} ticks, ${gaps} gaps`
    rows.push({
      id: `F${i + 1}`,
      what: `scripts of faults on a feed of ${exchange}`,
      tried: scripts,
      broken,
      note,
    })
  }
  return rows
}
