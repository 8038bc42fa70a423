import { fork } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { childMessage } from './childMessage.ts'
import type { FromSender, Measurement, Memory, Pace, Side, ToSender } from './fanout/messages.ts'
import { withBundle } from '../support/serverBundle.ts'
import { median, type Row } from './row.ts'

/** `SOCKETS=50,200` makes a small run, `SECONDS=0.5` one with shorter measurements, `PAIRS=1` one with fewer processes. */
const sizes = (process.env['SOCKETS'] ?? '1000,5000').split(',').map(Number)
const seconds = Number(process.env['SECONDS'] ?? 1)
/** Processes of each side, one pair after the other: each lays out its memory and compiles its code anew. */
const pairs = Number(process.env['PAIRS'] ?? 3)
/**
 * Measurements of each pair at each pace. The sides take turns, A B B A, so that whatever else the machine does affects
 * both, also if it grows or shrinks.
 */
const turns = 6
/** Files that a process has open besides its sockets. */
const otherFiles = 100

/** `memory`: of each socket, bytes. */
type Measured = Record<Pace, Measurement[]> & { memory: Memory[] }
type Sides<T> = Record<Side, T>

/**
 * P5: one frame to many sockets. The venue's sockets against raw `ws` that writes one encoded frame: the same text, the
 * same receivers, each side in its own process. Saturated, the limit is on the sender's processor time for each frame that
 * arrives: how many arrive depends on what else the machine does.
 */
export const run = (): Promise<Row[]> =>
  withBundle({ sender: script('sender'), receivers: script('receivers') }, measureSizes)

const script = (name: string): string => join(import.meta.dirname, 'fanout', `${name}.ts`)

async function measureSizes(bundle: string): Promise<Row[]> {
  const rows: Row[] = []
  for (const wanted of sizes) {
    const size = Math.min(wanted, filesMax() - otherFiles)
    const at = size < wanted ? `${size} sockets (${wanted} exceed this system's limit)` : `${size} sockets`
    const measured: Sides<Measured> = {
      raw: { paced: [], saturated: [], memory: [] },
      venue: { paced: [], saturated: [], memory: [] },
    }
    for (let pair = 0; pair < pairs; pair++) {
      await measurePair(bundle, size, measured)
      reportPair(`${at}, pair ${pair + 1} of ${pairs}`, measured)
    }
    rows.push(...compare(at, measured))
  }
  return rows
}

async function measurePair(bundle: string, size: number, measured: Sides<Measured>): Promise<void> {
  // Of the first ones the memory is not measured: with them a process loads and compiles what every socket needs.
  const first = Math.ceil(size / 5)
  const senders = {
    raw: await openSender(bundle, 'raw', first),
    venue: await openSender(bundle, 'venue', first),
  }
  const takeTurns = async (pace: Pace): Promise<void> => {
    // Both run once before they are measured: by then their code is compiled.
    for (let turn = -1; turn < turns; turn++) {
      const order: Side[] = turn % 2 === 0 ? ['raw', 'venue'] : ['venue', 'raw']
      for (const side of order) {
        const measurement = await senders[side].measure(pace)
        if (turn >= 0) measured[side][pace].push(measurement)
      }
    }
  }
  const sides = ['raw', 'venue'] as const
  const readMemory = async (): Promise<Sides<Memory>> => {
    for (const side of sides) {
      await senders[side].measure('paced')
      await senders[side].measure('saturated')
    }
    return { raw: await senders.raw.memory(), venue: await senders.venue.memory() }
  }
  const before = await readMemory()
  for (const side of sides) await senders[side].connect(size - first)
  await takeTurns('paced')
  await takeTurns('saturated')
  const full = await readMemory()
  for (const side of sides) {
    const ofEach = (read: (memory: Memory) => number): number =>
      (read(full[side]) - read(before[side])) / (size - first)
    measured[side].memory.push({
      resident: ofEach((each) => each.resident),
      heap: ofEach((each) => each.heap),
    })
  }
  await Promise.all([senders.raw.end(), senders.venue.end()])
}

/** Printed as soon as a pair is done, because all of them take minutes. */
function reportPair(what: string, { raw, venue }: Sides<Measured>): void {
  const newest = ({ paced, saturated, memory }: Measured): Measured => ({
    paced: paced.slice(-turns),
    saturated: saturated.slice(-turns),
    memory: memory.slice(-1),
  })
  const rows = compare('', { raw: newest(raw), venue: newest(venue) }).filter(
    ({ limit }) => limit !== undefined,
  )
  const figures = rows.map((row) => `${row.what.replace(/^[,:] /, '')} ${row.value.toFixed(3)}`)
  console.error(`  ${what}, load ${loadavg()[0]?.toFixed(1)}: ${figures.join('; ')}`)
}

type Figure<T> = { of: (side: Measured) => readonly T[]; read: (measured: T) => number }

function compare(at: string, { raw, venue }: Sides<Measured>): Row[] {
  const medianOf = <T>(side: Measured, { of, read }: Figure<T>): number => median(of(side).map(read))
  /** The median of the ratios of neighbours, because the machine treated them alike. */
  const ratio = <T>({ of, read }: Figure<T>): number => {
    const denominators = of(raw).map(read)
    return median(of(venue).map((each, i) => read(each) / (denominators[i] ?? Number.NaN)))
  }
  const reported = (what: string, value: number, unit: string): Row => ({
    id: 'P5',
    what: `${at}${what}`,
    value,
    unit,
  })
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
  return [
    reported(', 20 frames/s: raw delivered', medianOf(raw, paced), 'frames/s'),
    least(', 20 frames/s: delivered, venue / raw', ratio(paced), 0.95),
    reported(', 20 frames/s: raw delay p99', medianOf(raw, delay), 'ms'),
    most(', 20 frames/s: delay p99, venue / raw', ratio(delay), 1.2),
    reported(', saturated: raw delivered', medianOf(raw, saturated), 'frames/s'),
    reported(', saturated: delivered, venue / raw', ratio(saturated), '×'),
    reported(', saturated: raw processor time a delivered frame', medianOf(raw, processor), 'µs'),
    reported(', saturated: venue processor time a delivered frame', medianOf(venue, processor), 'µs'),
    most(', saturated: processor time a delivered frame, venue / raw', ratio(processor), 1.1),
    reported(': raw memory a socket', medianOf(raw, memory) / 1024, 'kB'),
    most(': memory a socket, venue / raw', ratio(memory), 2),
    reported(": of that JavaScript's heap, raw", medianOf(raw, heap) / 1024, 'kB'),
    reported(": of that JavaScript's heap, venue / raw", ratio(heap), '×'),
  ]
}

const paced: Figure<Measurement> = { of: (side) => side.paced, read: ({ perSecond }) => perSecond }
const delay: Figure<Measurement> = { of: (side) => side.paced, read: ({ p99Ms }) => p99Ms }
const saturated: Figure<Measurement> = { of: (side) => side.saturated, read: ({ perSecond }) => perSecond }
const processor: Figure<Measurement> = { of: (side) => side.saturated, read: ({ cpuUs }) => cpuUs }
const memory: Figure<Memory> = { of: (side) => side.memory, read: (each) => each.resident }
const heap: Figure<Memory> = { of: (side) => side.memory, read: (each) => each.heap }

type Sender = {
  connect(more: number): Promise<void>
  measure(pace: Pace): Promise<Measurement>
  memory(): Promise<Memory>
  end(): Promise<void>
}

/** Starts one side with its receivers in a new process. @returns once all are connected */
async function openSender(bundle: string, side: Side, size: number): Promise<Sender> {
  const child = fork(join(bundle, 'sender.js'), [side, String(size)], { execArgv: ['--expose-gc'] })
  await childMessage<FromSender, 'connected'>(child, 'connected')
  const ask = async <K extends FromSender['kind']>(message: ToSender, kind: K) => {
    const answer = childMessage<FromSender, K>(child, kind)
    child.send(message)
    return answer
  }
  return {
    measure: async (pace) =>
      (await ask({ kind: 'measure', pace, ms: seconds * 1000 }, 'measured')).measurement,
    connect: async (more) => void (await ask({ kind: 'connect', more }, 'connected')),
    memory: async () => (await ask({ kind: 'memory' }, 'memory')).memory,
    end: async () => {
      await ask({ kind: 'end' }, 'ended')
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
    },
  }
}

/** How many files a process may open; Node has already raised the soft limit to the hard one. */
function filesMax(): number {
  const report = process.report.getReport() as unknown as {
    userLimits?: { open_files?: { hard: string | number } }
  }
  const hard = Number(report.userLimits?.open_files?.hard)
  return Number.isNaN(hard) ? Infinity : hard
}
