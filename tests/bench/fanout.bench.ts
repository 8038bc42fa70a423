import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { SideResult, Side } from './fanout/messages.ts'
import { median } from './row.ts'
import type { Row } from './row.ts'

/** `SOCKETS=50,200` makes a small run, `SECONDS=2` one with shorter measurements. */
const sizes = (process.env['SOCKETS'] ?? '1000,5000').split(',').map(Number)
const seconds = Number(process.env['SECONDS'] ?? 5)
const rounds = 3
/** Files that a process has open besides its sockets. */
const otherFiles = 100

/**
 * P5: one frame to many sockets. The venue's sockets against raw `ws` that writes one encoded frame: the same text, the
 * same receivers, each side in its own process. Saturated, the limit is on the sender's processor time for each frame that
 * arrives: how many arrive depends on what else the machine does.
 */
export async function run(): Promise<Row[]> {
  const rows: Row[] = []
  for (const wanted of sizes) {
    const size = Math.min(wanted, filesMax() - otherFiles)
    const at = size < wanted ? `${size} sockets (${wanted} exceed this system's limit)` : `${size} sockets`
    const sides: Record<Side, SideResult[]> = { raw: [], venue: [] }
    for (let round = 0; round < rounds; round++) {
      const order: Side[] = round % 2 === 0 ? ['raw', 'venue'] : ['venue', 'raw']
      for (const side of order) sides[side].push(await measureSide(side, size))
    }
    rows.push(...compare(at, sides))
  }
  return rows
}

function compare(at: string, sides: Record<Side, SideResult[]>): Row[] {
  const of = (side: Side, select: (result: SideResult) => number): number => median(sides[side].map(select))
  const ratio = (select: (result: SideResult) => number): number => of('venue', select) / of('raw', select)
  const reported = (what: string, value: number, unit: string): Row => ({ id: 'P5', what, value, unit })
  const least = (what: string, value: number, limit: number): Row => ({
    ...reported(what, value, '×'),
    limit: `≥ ${limit.toFixed(2)}`,
    ok: value >= limit,
  })
  const most = (what: string, value: number, limit: number): Row => ({
    ...reported(what, value, '×'),
    limit: `≤ ${limit}`,
    ok: value <= limit,
  })
  const paced = (result: SideResult): number => result.paced.perSecond
  const saturated = (result: SideResult): number => result.saturated.perSecond
  const cpu = (result: SideResult): number => result.saturated.cpuUs
  const memory = (result: SideResult): number => result.bytesASocket
  const heap = (result: SideResult): number => result.heapASocket
  return [
    reported(`${at}, 20 frames/s: raw delivered`, of('raw', paced), 'frames/s'),
    least(`${at}, 20 frames/s: delivered, venue / raw`, ratio(paced), 0.95),
    reported(
      `${at}, 20 frames/s: raw delay p99`,
      of('raw', (result) => result.paced.p99Ms),
      'ms',
    ),
    most(
      `${at}, 20 frames/s: delay p99, venue / raw`,
      ratio((result) => result.paced.p99Ms),
      1.2,
    ),
    reported(`${at}, saturated: raw delivered`, of('raw', saturated), 'frames/s'),
    reported(`${at}, saturated: delivered, venue / raw`, ratio(saturated), '×'),
    reported(`${at}, saturated: raw processor time a delivered frame`, of('raw', cpu), 'µs'),
    reported(`${at}, saturated: venue processor time a delivered frame`, of('venue', cpu), 'µs'),
    most(`${at}, saturated: processor time a delivered frame, venue / raw`, ratio(cpu), 1.1),
    reported(`${at}: raw memory a socket`, of('raw', memory) / 1024, 'kB'),
    most(`${at}: memory a socket, venue / raw`, ratio(memory), 2),
    reported(`${at}: of that JavaScript's heap, venue / raw`, ratio(heap), '×'),
  ]
}

/** Runs one side with its receivers in a new process. */
function measureSide(side: Side, size: number): Promise<SideResult> {
  return new Promise((done, fail) => {
    const sender = fork(
      join(import.meta.dirname, 'fanout', 'sender.ts'),
      [side, String(size), String(seconds)],
      {
        execArgv: ['--import', 'tsx', '--expose-gc'],
      },
    )
    let result: SideResult | undefined
    sender.once('message', (message: SideResult) => (result = message))
    sender.once('error', fail)
    sender.once('exit', (code) => {
      if (result) done(result)
      else fail(new Error(`the ${side} sender ended with ${code}`))
    })
  })
}

/** How many files a process may open; Node has already raised the soft limit to the hard one. */
function filesMax(): number {
  const report = process.report.getReport() as unknown as {
    userLimits?: { open_files?: { hard: string | number } }
  }
  const hard = Number(report.userLimits?.open_files?.hard)
  return Number.isNaN(hard) ? Infinity : hard
}
