import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { median, seeded, type Row } from './row.ts'

const day = 'streams/recordings/BTCUSDT_binance_spot_2022-01-15.csv.gz'
const rounds = 3
const fileRows = 2_000_000

const built = 'packages/uptick/dist'
/** What `costAtEnd.mjs` writes. */
type Cost = { seconds: number; memory: number; memoryMax: number }

/** Runs the built command. */
async function costOf(...args: readonly string[]): Promise<Cost> {
  const done = spawn(process.execPath, [
    '--import',
    './tests/bench/recordings/costAtEnd.mjs',
    `${built}/cli.js`,
    ...args,
  ])
  let notes = ''
  done.stderr.on('data', (data: Buffer) => (notes += data.toString()))
  const [code] = (await once(done, 'close')) as [number]
  if (code !== 0) throw new Error(`${args[0]} ends with ${code}: ${notes}`)
  return JSON.parse(notes.trim().split('\n').at(-1) ?? '') as Cost
}

/** Processor time in seconds of a day by `replayTicks`, played with nobody watching, and with a subscriber of each tick. */
type DayTimes = { ticks: number; plain: number; alone: number; watched: number }

function playedDay(): DayTimes {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tests/bench/recordings/playDay.mjs', day])
  if (status !== 0) throw new Error(stderr.toString())
  return JSON.parse(stdout.toString()) as DayTimes
}

const recordedProducts = [
  'EURUSD_dukascopy_2019-02-04',
  'IF2101_2021-01-04',
  'GCZ3_2013-10-07',
  'NZDUSD_oanda_2014-05-07',
]
const recordedFiles = [day, ...recordedProducts.map((name) => `streams/recordings/${name}.csv.gz`)]

/** `record` of a venue with some products, for some seconds. */
async function costOfRecord(folder: string): Promise<Cost> {
  const venue = spawn(process.execPath, [`${built}/cli.js`, 'replay', ...recordedFiles, '--port', '0'])
  try {
    const [line] = (await once(venue.stdout, 'data')) as [Buffer]
    const url = /http:\S+/.exec(line.toString())?.[0] ?? ''
    return await costOf('record', url, '-o', join(folder, 'recorded'), '--for', '20s')
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
  if (!existsSync(built)) throw new Error('npm run package first')
  const days = Array.from({ length: rounds }, playedDay)
  const ratio = (name: 'alone' | 'watched'): number => median(days.map((each) => each[name] / each.plain))
  const folder = mkdtempSync(join(tmpdir(), 'uptick-bench-'))
  try {
    const [trades, made] = [join(folder, 'trades.csv'), join(folder, 'made.csv')]
    await writeTrades(trades)
    const converted = await costOf('convert', trades, '-o', made)
    const checked = await costOf('check', made)
    const [converts, checks] = [fileRows / converted.seconds, fileRows / checked.seconds]
    const memory = Math.max(converted.memoryMax, checked.memoryMax)
    const recorded = (await costOfRecord(folder)).memory
    const [alone, million] = [ratio('alone'), 1_000_000]
    return [
      {
        id: 'R1',
        what: `a day of ${days[0]?.ticks} ticks played, ÷ replayTicks`,
        value: alone,
        unit: '×',
        limit: '≤ 2',
        ok: alone <= 2,
      },
      { id: 'R1', what: 'the same with a subscriber of each tick', value: ratio('watched'), unit: '×' },
      {
        id: 'R2',
        what: 'convert',
        value: converts,
        unit: 'rows/s',
        limit: '≥ 1M',
        ok: converts >= million,
      },
      {
        id: 'R2',
        what: 'check',
        value: checks,
        unit: 'rows/s',
        limit: '≥ 1M',
        ok: checks >= million,
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
