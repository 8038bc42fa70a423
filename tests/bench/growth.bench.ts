/**
 * P9: a day of a venue that nobody uses, with the default products and the embedded database, on a clock that no test waits
 * for: its memory from the second hour to the last, and what a day adds on disk. `HOURS=0.1` makes a short run, `STEP_S=5` a quicker one; the growth of a
 * page over hours of ticks is `memory`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Row } from './row.ts'
import type { Sample } from './growth/venue.ts'

const hours = Number(process.env['HOURS'] ?? 24)
/** Seconds from one instant of the venue to the next. The public log has its size only with 1: it grows once an instant. */
const stepS = Number(process.env['STEP_S'] ?? 1)
/** The sample after a twelfth of the time: by then all code is loaded and the first chunks are packed. */
const warmSample = hours < 24 ? 1 : 2
const growthMax = 0.05
/** docs/operating.md. */
const publicLogMbMax = 20

export async function run(): Promise<Row[]> {
  const samples: Sample[] = []
  const script = join(import.meta.dirname, 'growth', 'venue.ts')
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--expose-gc', script, String(hours), String(stepS)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    const sample = JSON.parse(line) as Sample
    samples.push(sample)
    console.error(
      `  hour ${sample.hour.toFixed(2)}: ${mb(sample.resident)} MB resident, ${mb(sample.heap)} of it heap, ${mb(sample.disk)} on disk, ${mb(sample.ticks)} of it ticks, ${mb(sample.publicLog)} public log`,
    )
  }
  await exited
  const [warm, last] = [samples[warmSample], samples.at(-1)]
  if (!warm || !last || last === warm) throw new Error('the venue ended before the day')
  return rowsOf(warm, last)
}

const mb = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1)

function rowsOf(warm: Sample, last: Sample): Row[] {
  const row = (what: string, value: number, unit: string): Row => ({ id: 'P9', what, value, unit })
  const growth = (of: (sample: Sample) => number): number => of(last) / of(warm) - 1
  const aDay = (of: (sample: Sample) => number): number =>
    ((of(last) - of(warm)) / 1024 / 1024) * (24 / (last.hour - warm.hour))
  const heap = growth(({ heap: bytes }) => bytes)
  const publicLog = aDay((sample) => sample.publicLog)
  return [
    row(`idle venue after ${last.hour} hours: resident memory`, last.resident / 1024 / 1024, 'MB'),
    row('its growth', growth(({ resident }) => resident) * 100, '%'),
    {
      ...row('growth of its heap, garbage collected', heap * 100, '%'),
      limit: `≤ ${growthMax * 100}`,
      ok: heap <= growthMax,
    },
    row(
      'disk, a day',
      aDay((sample) => sample.disk),
      'MB',
    ),
    row(
      'of it in tables',
      aDay((sample) => sample.database),
      'MB',
    ),
    row(
      'of it ticks',
      aDay((sample) => sample.ticks),
      'MB',
    ),
    {
      ...row('of it the public log', publicLog, 'MB'),
      ...(stepS === 1 && { limit: `≤ ${publicLogMbMax}`, ok: publicLog <= publicLogMbMax }),
    },
  ]
}
