import { createRoot, type Root } from 'react-dom/client'
import { priceUnits } from '../../../contract/units.ts'
import { decodeTicks, encodeTicks, type TickBlock } from '../../../contract/tickFrame.ts'
import { formatOf } from '../../../src/text/format.ts'
import { StreamsProvider } from '../../../src/hooks/useStreams.ts'
import { LivePrice } from '../../../src/features/market/LivePrice.tsx'
import { createStreams } from '../../../streams/index.ts'
import { fakeWireMarket } from '../../support/fakeWireMarket.ts'
import { fakeWire } from '../../support/fakeWire.ts'

/** As the venue sends: every 50 ms. */
const frameMs = 50
/** The start of the market; the first tick is a second later. */
const start = 1_000_000

export type Painter = 'app' | 'vanilla'
export type Gaps = { frames: number; p99Ms: number; longTasks: number }

/** A painter: gets the integers of `ticks` events, and is removed at the end. */
type Painting = { feed: (flat: number[]) => void; end: () => void }

/** The app: wire, hub, one publish per animation frame, rows that read `quote$`. */
async function app(box: HTMLElement, ids: string[]): Promise<Painting> {
  const transport = fakeWire()
  const market = fakeWireMarket(transport, ids, start)
  const streams = createStreams({
    wire: transport.wire,
    api: market.api,
    placementStore: { load: () => [], save: () => undefined, drop: () => undefined },
    newKey: () => 'key',
    monotonic: () => performance.now(),
  })
  for (const id of ids) market.tick(id, 100_000)
  transport.up()
  const root: Root = createRoot(box)
  root.render(
    <StreamsProvider value={streams}>
      {ids.map((id) => (
        <div key={id}>
          {id} <LivePrice id={id} />
        </div>
      ))}
    </StreamsProvider>,
  )
  await new Promise((resolve) => setTimeout(resolve, 500))
  // As the venue: products that are subscribed for their newest tick are listed only while they are not live.
  const beat = setInterval(() => market.heartbeat('live', []), 1000)
  return {
    feed: (flat) => transport.event('ticks', flat),
    end: () => {
      clearInterval(beat)
      root.unmount()
      streams.close()
    },
  }
}

/** The minimum: decodes the same frames and writes the newest price of each row on the next animation frame. */
function vanilla(box: HTMLElement, ids: string[]): Painting {
  const format = formatOf('en')
  const cells = ids.map((id) => {
    const row = document.createElement('div')
    const cell = document.createElement('span')
    row.append(`${id} `, cell)
    box.append(row)
    return cell
  })
  const changed = new Map<number, number>()
  let request = 0
  const paint = () => {
    request = 0
    for (const [row, price] of changed) {
      const cell = cells[row]
      if (cell) cell.textContent = format.price(priceUnits(price), 2)
    }
    changed.clear()
  }
  return {
    feed: (flat) => {
      const frame = decodeTicks(flat)
      for (const { ix, values } of frame?.blocks ?? []) changed.set(ix - firstIx, values.at(-2) ?? 0)
      if (request === 0) request = requestAnimationFrame(paint)
    },
    end: () => cancelAnimationFrame(request),
  }
}

/** The first product number of the fake market. */
const firstIx = 7

let current: { painting: Painting; rows: number } | undefined

/** Renders the rows in advance, so that the run measures only ticks. */
async function open(painter: Painter, rows: number): Promise<void> {
  current?.painting.end()
  document.body.replaceChildren()
  const box = document.createElement('main')
  document.body.append(box)
  const ids = Array.from({ length: rows }, (_, i) => `P${i}`)
  current = { painting: painter === 'app' ? await app(box, ids) : vanilla(box, ids), rows }
}

/** Feeds `perSecond` ticks for `seconds` and measures the gaps between frames. */
async function run(perSecond: number, seconds: number): Promise<Gaps> {
  if (current === undefined) throw new Error('nothing is open')
  const gaps: number[] = []
  let longTasks = 0
  const long = new PerformanceObserver((list) => {
    longTasks += list.getEntries().length
  })
  long.observe({ type: 'longtask' })
  let last = performance.now()
  let watching = requestAnimationFrame(function watch(now) {
    gaps.push(now - last)
    last = now
    watching = requestAnimationFrame(watch)
  })
  await feed(current.painting, current.rows, (perSecond * frameMs) / 1000, (seconds * 1000) / frameMs)
  cancelAnimationFrame(watching)
  longTasks += long.takeRecords().length
  long.disconnect()
  gaps.sort((a, b) => a - b)
  return { frames: gaps.length, p99Ms: gaps[Math.floor(gaps.length * 0.99)] ?? Number.NaN, longTasks }
}

function feed(painting: Painting, rows: number, perFrame: number, frames: number): Promise<void> {
  const seqs = Array.from({ length: rows }, () => 2)
  let sent = 0
  let row = 0
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const blocks = new Map<number, TickBlock>()
      const at = start + 1000 + sent * frameMs
      for (let n = 0; n < perFrame; n++) {
        const seq = seqs[row] ?? 2
        const block = blocks.get(row) ?? { ix: firstIx + row, seq0: seq, values: [] }
        block.values.push(at, 100_000 + ((sent * 31 + n * 7) % 900), 1)
        blocks.set(row, block)
        seqs[row] = seq + 1
        row = (row + 1) % rows
      }
      painting.feed(encodeTicks({ at, blocks: [...blocks.values()] }))
      sent += 1
      if (sent < frames) return
      clearInterval(timer)
      resolve()
    }, frameMs)
  })
}

declare global {
  var pixelBench: { open: typeof open; run: typeof run }
}
globalThis.pixelBench = { open, run }
