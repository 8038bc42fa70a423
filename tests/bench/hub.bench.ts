import { EMPTY, NEVER, Subject, asyncScheduler, filter, of } from 'rxjs'
import type { TickBlock, TickFrame } from '../../contract/tickFrame.ts'
import { Hub } from '../../streams/prices/hub.ts'
import { median, seeded, type Row } from './row.ts'

const ticksTotal = 1_000_000
/** `filter` runs for every subscriber at every tick, so it gets fewer ticks, or the run takes minutes. */
const filterTicks = 20_000
const perFrame = 50
const rounds = 7
const counts = [50, 500, 5000]

/** Frames as the wire decodes them: 50 ticks of random products, grouped by product as the venue groups them. */
function framesOf(products: number, ticks: number): TickFrame[] {
  const random = seeded(products)
  const seqs = Array.from({ length: products }, () => 0)
  const frames: TickFrame[] = []
  for (let t = 0; t < ticks; t += perFrame) {
    const blocks = new Map<number, TickBlock>()
    for (let i = 0; i < perFrame; i++) {
      const ix = random() % products
      const block = blocks.get(ix) ?? { ix, seq0: (seqs[ix] ?? 0) + 1, values: [] }
      blocks.set(ix, block)
      block.values.push(1_000_000 + t, 100_000 + (random() % 100), 1)
      seqs[ix] = (seqs[ix] ?? 0) + 1
    }
    frames.push({ at: 1_000_000 + t, blocks: [...blocks.values()] })
  }
  return frames
}

type Side = { name: string; play: (frames: readonly TickFrame[]) => void; close: () => void }

/** Every side passes (seq, at, price, size) of each tick to its subscriber; the sum proves it. */
const total = { sum: 0 }

function mapOfCallbacks(products: number): Side {
  const callbacks = new Map<number, (seq: number, at: number, price: number, size: number) => void>()
  for (let ix = 0; ix < products; ix++) {
    callbacks.set(ix, (seq, _at, price) => {
      total.sum += price + seq
    })
  }
  const play = (frames: readonly TickFrame[]): void => {
    for (const frame of frames) {
      for (const { ix, seq0, values } of frame.blocks) {
        for (let i = 0, seq = seq0; i < values.length; i += 3, seq++) {
          callbacks.get(ix)?.(seq, values[i] ?? 0, values[i + 1] ?? 0, values[i + 2] ?? 0)
        }
      }
    }
  }
  return { name: 'Map of callbacks', play, close: () => undefined }
}

function subjectFilter(products: number): Side {
  const subject = new Subject<{ ix: number; seq: number; price: number }>()
  for (let ix = 0; ix < products; ix++) {
    subject.pipe(filter((tick) => tick.ix === ix)).subscribe((tick) => {
      total.sum += tick.price + tick.seq
    })
  }
  const play = (frames: readonly TickFrame[]): void => {
    for (const frame of frames) {
      for (const { ix, seq0, values } of frame.blocks) {
        for (let i = 0, seq = seq0; i < values.length; i += 3, seq++) {
          subject.next({ ix, seq, price: values[i + 1] ?? 0 })
        }
      }
    }
  }
  return { name: 'subject.pipe(filter)', play, close: () => subject.complete() }
}

async function hubSide(products: number): Promise<Side> {
  const ids = Array.from({ length: products }, (_, ix) => `P${ix}`)
  const hub = new Hub({
    wire: {
      subscribe: (requested) =>
        Promise.resolve({
          ok: true,
          index: Object.fromEntries(requested.map((id) => [id, Number(id.slice(1))])),
          quotes: [],
          heads: Object.fromEntries(requested.map((id) => [id, { seq: 0, hash: '0'.repeat(64) }])),
        }),
      unsubscribe: () => Promise.resolve({ ok: true }),
    },
    api: { ticks: () => Promise.reject(new Error('the bench has no gaps')) },
    scaleOf: () => Promise.reject(new Error('the bench has no gaps')),
    up$: of(true),
    stale$: of(false),
    frame$: NEVER,
    ticker$: EMPTY,
    feed$: EMPTY,
    product$: EMPTY,
    // Quotes are made once per animation frame: not part of this measurement.
    animationFrame$: NEVER,
    scheduler: asyncScheduler,
  })
  for (const id of ids) {
    hub.run$(id).subscribe(({ seq0, values }) => {
      for (let i = 0, seq = seq0; i < values.length; i += 3, seq++) total.sum += (values[i + 1] ?? 0) + seq
    })
  }
  await new Promise((resolve) => setImmediate(resolve))
  const play = (frames: readonly TickFrame[]): void => {
    for (const frame of frames) hub.dispatch(frame)
  }
  return { name: 'hub', play, close: () => hub.close() }
}

/** The processor time of one run on new subscribers, in ns per tick; throws if a tick was lost. */
async function measureNs(
  make: () => Side | Promise<Side>,
  frames: readonly TickFrame[],
  ticks: number,
): Promise<number> {
  const side = await make()
  const expected = frames.reduce((sum, { blocks }) => sum + blocks.reduce((part, b) => part + sumOf(b), 0), 0)
  total.sum = 0
  const start = process.cpuUsage()
  side.play(frames)
  const { user, system } = process.cpuUsage(start)
  side.close()
  if (total.sum !== expected) throw new Error(`${side.name} lost ticks`)
  return ((user + system) * 1000) / ticks
}

const sumOf = ({ seq0, values }: TickBlock): number => {
  let sum = 0
  for (let i = 0; i < values.length; i += 3) sum += (values[i + 1] ?? 0) + seq0 + i / 3
  return sum
}

/** P1: the cost of delivering a tick to the only subscriber of its product. */
export async function run(): Promise<Row[]> {
  const rows: Row[] = []
  const hubNs = new Map<number, number>()
  for (const products of counts) {
    const frames = framesOf(products, ticksTotal)
    const fewFrames = framesOf(products, filterTicks)
    const ns: Record<'map' | 'hub' | 'filter', number[]> = { map: [], hub: [], filter: [] }
    for (let round = -1; round < rounds; round++) {
      const measured = {
        map: await measureNs(() => mapOfCallbacks(products), frames, ticksTotal),
        hub: await measureNs(() => hubSide(products), frames, ticksTotal),
        filter:
          round < 3 ? await measureNs(() => subjectFilter(products), fewFrames, filterTicks) : Number.NaN,
      }
      // The first round only warms up.
      if (round < 0) continue
      for (const key of ['map', 'hub', 'filter'] as const)
        if (!Number.isNaN(measured[key])) ns[key].push(measured[key])
    }
    const map = median(ns.map)
    const hub = median(ns.hub)
    hubNs.set(products, hub)
    const ratio = map / hub
    rows.push({ id: 'P1', what: `Map of callbacks, ${products} products`, value: map, unit: 'ns/tick' })
    rows.push({ id: 'P1', what: `hub, ${products} products`, value: hub, unit: 'ns/tick' })
    rows.push({
      id: 'P1',
      what: `hub against Map, ${products} products`,
      value: ratio,
      unit: '×',
      // Nobody has thousands on one page: there only the growth counts.
      ...(products <= 500 && { limit: '≥ 0.9', ok: ratio >= 0.9 }),
    })
    rows.push({
      id: 'P1',
      what: `subject.pipe(filter) against Map, ${products}`,
      value: map / median(ns.filter),
      unit: '×',
    })
  }
  const growth = (hubNs.get(5000) ?? Number.NaN) / (hubNs.get(50) ?? Number.NaN)
  rows.push({
    id: 'P1',
    what: 'hub, 5,000 against 50 products',
    value: growth,
    unit: '×',
    limit: '≤ 2.5',
    ok: growth <= 2.5,
  })
  return rows
}
