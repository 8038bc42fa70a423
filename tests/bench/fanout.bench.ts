import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { SideResult, Side } from './fanout/messages.ts'
import { median } from './row.ts'
import type { Row } from './row.ts'

/** `SOCKETS=50,200` tries it small, `SECONDS=2` with shorter stretches. */
const sizes = (process.env['SOCKETS'] ?? '1000,5000').split(',').map(Number)
const seconds = Number(process.env['SECONDS'] ?? 5)
const rounds = 3
/** What a process has open besides its sockets. */
const otherFiles = 100

/**
 * P5: one frame to many. The venue's gateway beside raw `ws` that writes one finished frame: the same text, the same
 * crowd, each side in a process of its own. The venue's time a frame is told as well, because it shows what a busy
 * machine hides.
 */
export async function run(): Promise<Row[]> {
  const rows: Row[] = []
  for (const wanted of sizes) {
    const size = Math.min(wanted, filesMax() - otherFiles)
    const at =
      size < wanted ? `${size} sockets (${wanted} are more than this system opens)` : `${size} sockets`
    const sides: Record<Side, SideResult[]> = { raw: [], venue: [] }
    for (let round = 0; round < rounds; round++) {
      const order: Side[] = round % 2 === 0 ? ['raw', 'venue'] : ['venue', 'raw']
      for (const side of order) sides[side].push(await measureSide(side, size))
    }
    rows.push(...compared(at, sides))
  }
  return rows
}

function compared(at: string, sides: Record<Side, SideResult[]>): Row[] {
  const of = (side: Side, select: (figures: SideResult) => number): number => median(sides[side].map(select))
  const ratio = (select: (figures: SideResult) => number): number => of('venue', select) / of('raw', select)
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
  const paced = (figures: SideResult): number => figures.paced.perSecond
  const saturated = (figures: SideResult): number => figures.saturated.perSecond
  const memory = (figures: SideResult): number => figures.bytesASocket
  const heap = (figures: SideResult): number => figures.heapASocket
  return [
    reported(`${at}, 20 frames/s: raw delivered`, of('raw', paced), 'frames/s'),
    least(`${at}, 20 frames/s: delivered, venue / raw`, ratio(paced), 0.95),
    reported(
      `${at}, 20 frames/s: raw delay p99`,
      of('raw', (figures) => figures.paced.p99Ms),
      'ms',
    ),
    most(
      `${at}, 20 frames/s: delay p99, venue / raw`,
      ratio((figures) => figures.paced.p99Ms),
      1.2,
    ),
    reported(`${at}, saturated: raw delivered`, of('raw', saturated), 'frames/s'),
    least(`${at}, saturated: delivered, venue / raw`, ratio(saturated), 0.9),
    reported(
      `${at}, saturated: processor time a frame, venue / raw`,
      ratio((figures) => figures.saturated.cpuUs),
      '×',
    ),
    reported(`${at}: raw memory a socket`, of('raw', memory) / 1024, 'kB'),
    most(`${at}: memory a socket, venue / raw`, ratio(memory), 2),
    reported(`${at}: of that JavaScript's heap, venue / raw`, ratio(heap), '×'),
  ]
}

/** One side with one crowd, from an empty house to its end. */
function measureSide(side: Side, size: number): Promise<SideResult> {
  return new Promise((done, fail) => {
    const sender = fork(
      join(import.meta.dirname, 'fanout', 'sender.ts'),
      [side, String(size), String(seconds)],
      {
        execArgv: ['--import', 'tsx', '--expose-gc'],
      },
    )
    let figures: SideResult | undefined
    sender.once('message', (told: SideResult) => (figures = told))
    sender.once('error', fail)
    sender.once('exit', (code) => {
      if (figures) done(figures)
      else fail(new Error(`the ${side} house ended with ${code}`))
    })
  })
}

/** How many files a process may open; Node itself has raised the soft limit as far as it goes. */
function filesMax(): number {
  const report = process.report.getReport() as unknown as {
    userLimits?: { open_files?: { hard: string | number } }
  }
  const hard = Number(report.userLimits?.open_files?.hard)
  return Number.isNaN(hard) ? Infinity : hard
}
