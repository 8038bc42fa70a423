import { openScratchPostgres } from '../support/scratchPostgres.ts'
import { spends, spendTwice } from '../support/doubleSpend.ts'
import type { Campaign, Row } from './row.ts'

const rounds = 20

/** No double spend, on real PostgreSQL through two processes' worth of rooms. */
export async function run({ say }: Campaign): Promise<Row[]> {
  const scratch = await openScratchPostgres('campaign_s4')
  const rows: Row[] = []
  for (const spend of spends) {
    const broken = await spendTwice(scratch.database, spend, rounds)
    for (const line of broken) say(line)
    const what = `100 parallel ${spend === 'mixed' ? 'calls of all three' : spend} of 10.00 on 500.00: exactly 50`
    rows.push({ id: 'S4', what, tried: rounds, broken: broken.length, note: 'rounds on PostgreSQL' })
    say(`${spend} done`)
  }
  await scratch.drop()
  return rows
}
