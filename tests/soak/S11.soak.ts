import { driveFanout } from '../scenarios/fanout.ts'
import type { SoakRun, Row } from './row.ts'

const readers = 199
const rounds = 3
const flushes = 100

/** A slow or hostile socket does not affect others. */
export async function run({ log }: SoakRun): Promise<Row[]> {
  const { calmMs, stalledMs, terminated, missed } = await driveFanout(readers, rounds, flushes)
  const [calm, stalled] = [p99(calmMs), p99(stalledMs)]
  log(`${readers} readers and one that stalls`)
  return [
    {
      id: 'S11a',
      what: `one stalled of ${readers + 1}: terminated, the others miss nothing`,
      tried: rounds,
      broken: rounds - terminated + missed,
      note: `p99 ${stalled.toFixed(1)} ms, ${calm.toFixed(1)} ms without: ${(stalled / calm).toFixed(2)} ×`,
    },
  ]
}

const p99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0
