import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { filter, firstValueFrom } from 'rxjs'
import { parseRecording } from '../../contract/recording.ts'
import {
  decodeDelta,
  decodeTicks,
  encodeDelta,
  encodeTicks,
  type TickFrame,
} from '../../contract/tickFrame.ts'
import { createWire } from '../../streams/index.ts'
import { feedTransport } from './feedTransport.ts'
import { median, type Row } from './row.ts'

const perFrame = 50
const rounds = 9
const passes = 12
/** Several products of different pace and price, as on one page. */
const recordings: [file: string, priceDecimals: number][] = [
  ['BTCUSDT_binance_spot_2024-08-08T2354.csv.gz', 2],
  ['BTCUSDT-PERP_binance_usdm_2024-08-08T2354.csv.gz', 1],
  ['ETHUSDT_binance_spot_2024-08-08T2354.csv.gz', 2],
]
const ids = ['BTCUSDT', 'BTCUSDT-PERP', 'ETHUSDT']
const ticksEach = 10_000

type Sample = { ix: number; seq: number; at: number; price: number; size: number }

/** Ticks of several recordings merged by time, in frames of 50. */
function framesOfTicks(): Sample[][] {
  const all: Sample[] = []
  for (const [ix, [file, priceDecimals]] of recordings.entries()) {
    const { at, price, size } = parseRecording(
      gunzipSync(readFileSync(`streams/recordings/${file}`)).toString(),
      priceDecimals,
    )
    for (let n = 0; n < Math.min(ticksEach, at.length); n++) {
      all.push({ ix, seq: 1_000_000 + n, at: at[n] ?? 0, price: price[n] ?? 0, size: size[n] ?? 0 })
    }
  }
  all.sort((a, b) => a.at - b.at || a.ix - b.ix || a.seq - b.seq)
  const frames: Sample[][] = []
  for (let i = 0; i + perFrame <= all.length; i += perFrame) frames.push(all.slice(i, i + perFrame))
  return frames
}

function frameOf(ticks: readonly Sample[]): TickFrame {
  const at = ticks.at(-1)?.at ?? 0
  const blocks: TickFrame['blocks'] = []
  for (const ix of new Set(ticks.map((tick) => tick.ix))) {
    const own = ticks.filter((tick) => tick.ix === ix)
    blocks.push({ ix, seq0: own[0]?.seq ?? 0, values: own.flatMap((t) => [t.at, t.price, t.size]) })
  }
  return { at, blocks }
}

/**
 * The same five fields as compact as a fixed layout allows: for each product a header with number, first `seq`, first
 * price and count, then 8 bytes a tick (time and price as differences, size). A tick that does not fit is marked and
 * followed by its full values.
 */
const headBytes = 2 + 4 + 4 + 2
const wideMark = -32_768
function pack(ticks: readonly Sample[]): Uint8Array<ArrayBuffer> {
  const at = ticks.at(-1)?.at ?? 0
  const blocks = new Map(
    [...new Set(ticks.map(({ ix }) => ix))].map((ix) => [ix, ticks.filter((tick) => tick.ix === ix)]),
  )
  const view = new DataView(new ArrayBuffer(8 + blocks.size * headBytes + ticks.length * 16))
  view.setFloat64(0, at)
  let to = 8
  for (const [ix, own] of blocks) {
    let last = own[0]?.price ?? 0
    view.setUint16(to, ix)
    view.setUint32(to + 2, own[0]?.seq ?? 0)
    view.setUint32(to + 6, last)
    view.setUint16(to + 10, own.length)
    to += headBytes
    for (const tick of own) {
      const step = tick.price - last
      const wide = Math.abs(step) > 32_767 || tick.size >= 2 ** 32
      view.setUint16(to, Math.min(65_535, at - tick.at))
      view.setInt16(to + 2, wide ? wideMark : step)
      view.setUint32(to + 4, tick.size % 2 ** 32)
      if (wide) {
        view.setUint32(to + 8, tick.price)
        view.setUint32(to + 12, Math.floor(tick.size / 2 ** 32))
      }
      to += wide ? 16 : 8
      last = tick.price
    }
  }
  return new Uint8Array(view.buffer, 0, to)
}

function unpack(bytes: Uint8Array<ArrayBuffer>): Sample[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const at = view.getFloat64(0)
  const ticks: Sample[] = []
  let from = 8
  while (from < bytes.length) {
    const ix = view.getUint16(from)
    let seq = view.getUint32(from + 2)
    let price = view.getUint32(from + 6)
    const end = seq + view.getUint16(from + 10)
    from += headBytes
    for (; seq < end; seq++) {
      const step = view.getInt16(from + 2)
      const wide = step === wideMark
      price = wide ? view.getUint32(from + 8) : price + step
      const high = wide ? view.getUint32(from + 12) * 2 ** 32 : 0
      ticks.push({ ix, seq, at: at - view.getUint16(from), price, size: high + view.getUint32(from + 4) })
      from += wide ? 16 : 8
    }
  }
  return ticks
}

/** An event as the text of a WebSocket message: engine.io's 4, socket.io's 2. */
const eventText = (name: string, data: unknown): string => `42${JSON.stringify([name, data])}`

/** The real client, from the text of a message to the event's subscriber. */
async function client(
  onEvent: (data: unknown) => void,
): Promise<{ feed: (text: string) => void; close: () => void }> {
  const { transports, feed } = feedTransport()
  const wire = createWire({ url: 'http://bench.test', transports })
  const up = firstValueFrom(wire.event$.pipe(filter((event) => event.kind === 'up')))
  wire.connect()
  await up
  wire.event$.subscribe((event) => event.kind === 'event' && onEvent(event.data))
  return { feed, close: () => wire.disconnect() }
}

type Side = { bytes: number; repeats: number; run: () => void | Promise<void> }

/** The client emits each event in a microtask, so microtasks run after every 50 ticks, as between messages. */
async function feedAll(
  texts: readonly string[],
  atOnce: number,
  feed: (text: string) => void,
): Promise<void> {
  for (let i = 0; i < texts.length; i += atOnce) {
    for (let k = i; k < i + atOnce; k++) feed(texts[k] ?? '')
    await Promise.resolve()
  }
}

/** P4: the cost of a tick on the wire and for decoding. */
export async function run(): Promise<Row[]> {
  const frames = framesOfTicks()
  const total = frames.length * perFrame
  let ticksReceived = 0
  const flat = frames.map((ticks) => eventText('delta', encodeDelta(frameOf(ticks))))
  const absolute = frames.map((ticks) => eventText('ticks', encodeTicks(frameOf(ticks))))
  const single = frames.flatMap((ticks) =>
    ticks.map(({ ix, ...tick }) => eventText('tick', { id: ids[ix], ...tick })),
  )
  const binary = frames.map(pack)
  const order = (a: Sample, b: Sample): number => a.ix - b.ix || a.seq - b.seq
  const same = frames.every((ticks, n) => {
    const back = unpack(binary[n] ?? new Uint8Array())
    return JSON.stringify(back.sort(order)) === JSON.stringify(ticks.toSorted(order))
  })
  if (!same) throw new Error('packed binary does not read back')
  const size = (texts: readonly { length: number }[]): number => texts.reduce((n, text) => n + text.length, 0)
  const countTicks = (frame: TickFrame | undefined): void => {
    for (const block of frame?.blocks ?? []) ticksReceived += block.values.length / 3
  }
  const flatClient = await client((data) => countTicks(decodeDelta(data)))
  const absoluteClient = await client((data) => countTicks(decodeTicks(data)))
  const singleClient = await client((data) => {
    ticksReceived += (data as Sample).price > 0 ? 1 : 0
  })
  const sides: Record<'flat' | 'absolute' | 'single' | 'binary', Side> = {
    flat: { bytes: size(flat), repeats: passes, run: () => feedAll(flat, 1, flatClient.feed) },
    absolute: {
      bytes: size(absolute),
      repeats: passes,
      run: () => feedAll(absolute, 1, absoluteClient.feed),
    },
    single: { bytes: size(single), repeats: 1, run: () => feedAll(single, perFrame, singleClient.feed) },
    binary: {
      bytes: size(binary),
      repeats: passes,
      run: () => {
        for (const bytes of binary) ticksReceived += unpack(bytes).length
      },
    },
  }
  const ns: Record<keyof typeof sides, number[]> = { flat: [], absolute: [], single: [], binary: [] }
  for (let round = -2; round < rounds; round++) {
    for (const name of ['flat', 'absolute', 'single', 'binary'] as const) {
      const { repeats, run: play } = sides[name]
      ticksReceived = 0
      const start = process.hrtime.bigint()
      for (let pass = 0; pass < repeats; pass++) {
        await play()
        await new Promise((resolve) => setImmediate(resolve))
      }
      const each = Number(process.hrtime.bigint() - start) / (total * repeats)
      if (ticksReceived !== total * repeats) throw new Error(`${name} lost ticks`)
      if (round >= 0) ns[name].push(each)
    }
  }
  flatClient.close()
  absoluteClient.close()
  singleClient.close()
  const bytesRatio = sides.flat.bytes / sides.binary.bytes
  const timeRatio = median(ns.flat) / median(ns.single)
  const reported = (what: string, value: number, unit: string): Row => ({ id: 'P4', what, value, unit })
  return [
    reported('flat differences (`delta`), bytes', sides.flat.bytes / total, 'B/tick'),
    reported('flat integers (`ticks`), bytes', sides.absolute.bytes / total, 'B/tick'),
    reported('five fields packed binary, bytes', sides.binary.bytes / total, 'B/tick'),
    reported('one JSON event a tick, bytes', sides.single.bytes / total, 'B/tick'),
    reported('flat differences (`delta`), decoding', median(ns.flat), 'ns/tick'),
    reported('flat integers (`ticks`), decoding', median(ns.absolute), 'ns/tick'),
    reported('packed binary, decoding', median(ns.binary), 'ns/tick'),
    reported('one JSON event a tick, decoding', median(ns.single), 'ns/tick'),
    { ...reported('bytes against packed binary', bytesRatio, '×'), limit: '≤ 1.6', ok: bytesRatio <= 1.6 },
    {
      ...reported('decoding against one event a tick', timeRatio, '×'),
      limit: '≤ 0.05',
      ok: timeRatio <= 0.05,
    },
  ]
}
