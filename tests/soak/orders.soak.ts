import { driveOrderTimes, troubleSets } from '../scenarios/orderTimes.ts'
import { launchBrowser } from '../support/browser.ts'
import type { SoakRun, Row } from './row.ts'

const runs = Number(process.env['RUNS'] ?? 200)

/**
 * What the app tells of a member's orders is what the venue did, in every combination of a sleeping page, a line that is down
 * and a restart of the venue. Needs a build.
 */
export async function run({ seed, log }: SoakRun): Promise<Row[]> {
  const browser = await launchBrowser()
  try {
    const { tried, violations } = await driveOrderTimes({ browser, seed, runs, log })
    const what = `runs of a member’s orders, in ${troubleSets.length} sets of troubles: told twice, wrongly or not at all`
    return [{ id: 'orders', what, tried, broken: violations.length }]
  } finally {
    await browser.close()
  }
}
