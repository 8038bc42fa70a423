import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { gunzipSync } from 'node:zlib'
import {
  openReplay,
  parseRecording,
  replayProduct,
  replayTicks,
  virtualClock,
} from '../../packages/uptick/src/replay.ts'
import { median, seeded, type Row } from './row.ts'

const day = 'streams/recordings/BTCUSDT_binance_spot_2022-01-15.csv.gz'
const dayMs = 86_400_000
const rounds = 3
const fileRows = 2_000_000

/** Processor time in seconds. */
async function timeOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

type Recording = ReturnType<typeof parseRecording>

function plainTicks(recording: Recording): void {
  const clock = virtualClock()
  let ticks = 0
  replayTicks(recording, { scheduler: clock }).subscribe(() => ticks++)
  clock.advanceTo(dayMs)
  if (ticks !== recording.at.length) throw new Error('ticks are missing')
}

async function play(recording: Recording, isWatched: boolean): Promise<void> {
  const market = openReplay([replayProduct('A', recording)])
  await market.play(0)
  let ticks = 1
  if (isWatched) market.streams.run$('A').subscribe(({ values }) => void (ticks += values.length / 3))
  await market.play(dayMs)
  if (market.quote()?.seq !== recording.at.length) throw new Error('the day is not at its end')
  if (isWatched && ticks !== recording.at.length) throw new Error('ticks are missing')
  market.close()
}

/** The rows of a command on a file in a process of its own, per second of its processor, and its memory at most, MB. */
function command(args: readonly string[]): { rows: number; memory: number } {
  const code = `const { runCommand } = await import('./packages/uptick/src/cli/runCommand.ts')
const start = process.cpuUsage()
const note = () => undefined
const code = await runCommand(${JSON.stringify(args)}, { print: note, note, interruptSignal: () => new AbortController().signal })
const { user, system } = process.cpuUsage(start)
console.log(JSON.stringify({ code, seconds: (user + system) / 1e6, memory: process.resourceUsage().maxRSS / 1024 }))`
  const done = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code])
  const { code: exit, seconds, memory } = JSON.parse(done.stdout.toString()) as Record<string, number>
  if (exit !== 0) throw new Error(`${args[0]} ends with ${exit}`)
  return { rows: fileRows / (seconds ?? Number.NaN), memory: memory ?? Number.NaN }
}

const built = 'packages/uptick/dist/cli.js'
const recordedProducts = [
  'EURUSD_dukascopy_2019-02-04',
  'IF2101_2021-01-04',
  'GCZ3_2013-10-07',
  'NZDUSD_oanda_2014-05-07',
]
const recordedFiles = [day, ...recordedProducts.map((name) => `streams/recordings/${name}.csv.gz`)]

/** The memory, MB, in which the built `record` ends after some seconds of a venue with some products. */
async function recordingMemory(folder: string): Promise<number> {
  if (!existsSync(built)) throw new Error('npm run package first')
  const venue = spawn(process.execPath, [built, 'replay', ...recordedFiles, '--port', '0'])
  const atEnd = "data:text/javascript,process.on('exit',()=>console.error(process.memoryUsage.rss()))"
  try {
    const [line] = (await once(venue.stdout, 'data')) as [Buffer]
    const url = /http:\S+/.exec(line.toString())?.[0] ?? ''
    const record = [built, 'record', url, '-o', join(folder, 'recorded'), '--for', '20s']
    const done = spawn(process.execPath, ['--import', atEnd, ...record])
    let notes = ''
    done.stderr.on('data', (data: Buffer) => (notes += data.toString()))
    const [code] = (await once(done, 'close')) as [number]
    if (code !== 0) throw new Error(`record ends with ${code}: ${notes}`)
    return Number(notes.trim().split('\n').at(-1)) / 1024 / 1024
  } finally {
    venue.kill()
  }
}

async function writeTrades(path: string): Promise<void> {
  const random = seeded(22)
  const file = createWriteStream(path)
  let at = Date.UTC(2024, 0)
  for (let id = 1; id <= fileRows; id += 1000) {
    let text = ''
    for (let n = id; n < id + 1000; n++) {
      at += random() % 40
      text += `${n},42${random() % 900}.${10 + (random() % 90)}000000,0.0${100 + (random() % 900)}000,1.00000000,${at},True,True\n`
    }
    if (!file.write(text)) await once(file, 'drain')
  }
  file.end()
  await finished(file)
}

/** What recordings cost: a day played, and files converted and checked. */
export async function run(): Promise<Row[]> {
  const recording = parseRecording(gunzipSync(readFileSync(day)).toString(), 2)
  const times: { plain: number; alone: number; watched: number }[] = []
  for (let i = 0; i < rounds; i++) {
    const plain = await timeOf(() => plainTicks(recording))
    const alone = await timeOf(() => play(recording, false))
    times.push({ plain, alone, watched: await timeOf(() => play(recording, true)) })
  }
  const ratio = (name: 'alone' | 'watched'): number => median(times.map((each) => each[name] / each.plain))
  const folder = mkdtempSync(join(tmpdir(), 'uptick-bench-'))
  try {
    const [trades, made] = [join(folder, 'trades.csv'), join(folder, 'made.csv')]
    await writeTrades(trades)
    const converted = command(['convert', trades, '-o', made])
    const checked = command(['check', made])
    const memory = Math.max(converted.memory, checked.memory)
    const recorded = await recordingMemory(folder)
    const [alone, million] = [ratio('alone'), 1_000_000]
    const ticks = recording.at.length
    return [
      {
        id: 'R1',
        what: `a day of ${ticks} ticks played, ÷ replayTicks`,
        value: alone,
        unit: '×',
        limit: '≤ 2',
        ok: alone <= 2,
      },
      { id: 'R1', what: 'the same with a subscriber of each tick', value: ratio('watched'), unit: '×' },
      {
        id: 'R2',
        what: 'convert',
        value: converted.rows,
        unit: 'rows/s',
        limit: '≥ 1M',
        ok: converted.rows >= million,
      },
      {
        id: 'R2',
        what: 'check',
        value: checked.rows,
        unit: 'rows/s',
        limit: '≥ 1M',
        ok: checked.rows >= million,
      },
      {
        id: 'R3',
        what: 'memory of convert and check',
        value: memory,
        unit: 'MB',
        limit: '≤ 300',
        ok: memory <= 300,
      },
      {
        id: 'R4',
        what: 'memory of record, a venue with 5 products',
        value: recorded,
        unit: 'MB',
        limit: '≤ 60',
        ok: recorded <= 60,
      },
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}
