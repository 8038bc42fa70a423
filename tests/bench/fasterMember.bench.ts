import { runFasterMember, type FasterMember } from '../scenarios/fasterMember.ts'
import type { Row } from './row.ts'

/** Recorded trades: what a live source brings. */
const recordings: [file: string, priceDecimals: number][] = [
  ['BTCUSDT_binance_spot_2022-01-15.csv.gz', 2],
  ['BTCUSDT_binance_spot_2024-08-08T2354.csv.gz', 2],
  ['ETHUSDT_binance_spot_2024-08-08T2354.csv.gz', 2],
  ['BTCUSDT-PERP_binance_usdm_2024-08-08T2354.csv.gz', 1],
  ['LTCUSDT_binance_spot_2025-06-21T1820.csv.gz', 2],
]
const durations = [30, 60]
/** At a return of 85 % a member gains from 54.1 % on. */
const limit = 55

const percentOf = (runs: readonly FasterMember[], rule: 'R1' | 'R2'): number => {
  const won = runs.reduce((sum, run) => sum + run[rule].won, 0)
  const decided = runs.reduce((sum, run) => sum + run[rule].decided, 0)
  return (100 * won) / decided
}

/** A9: how often a member wins who hears the exchange 250 ms before the venue. */
export async function run(): Promise<Row[]> {
  const rows: Row[] = []
  const all: FasterMember[] = []
  for (const [file, priceDecimals] of recordings) {
    const runs = durations.map((seconds) => runFasterMember(file, priceDecimals, seconds))
    all.push(...runs)
    const orders = runs.reduce((sum, { R2 }) => sum + R2.decided, 0)
    const name = file.replace('.csv.gz', '')
    const what = `${name}: ${orders} orders, R2 (R1 ${percentOf(runs, 'R1').toFixed(1)})`
    rows.push({ id: 'A9', what, value: percentOf(runs, 'R2'), unit: '% won' })
  }
  const value = percentOf(all, 'R2')
  const what = `250 ms faster, all recordings, R2 (R1 ${percentOf(all, 'R1').toFixed(1)})`
  return [{ id: 'A9', what, value, unit: '% won', limit: `≤ ${limit}`, ok: value <= limit }, ...rows]
}
