import { Subject } from 'rxjs'
import { vi } from 'vitest'
import { createStreams } from '../../streams/index.ts'
import type { Api, StoredPlacement, PlacementStore, Streams, Tick } from '../../streams/index.ts'
import { fakeMarket } from './fakeMarket.ts'
import type { FakeMarket } from './fakeMarket.ts'
import { fakeWire } from './fakeWire.ts'
import type { FakeWire } from './fakeWire.ts'

export type MemoryIntentStore = PlacementStore & { stored: Map<string, StoredPlacement> }

/** An intent store that outlives a reload, as the browser's does. */
export function memoryIntentStore(...stored: StoredPlacement[]): MemoryIntentStore {
  const entries = new Map(stored.map((intent) => [intent.key, intent]))
  return {
    stored: entries,
    load: () => [...entries.values()],
    save: (intent) => void entries.set(intent.key, intent),
    drop: (key) => void entries.delete(key),
  }
}

export type Setup = {
  transport: FakeWire
  market: FakeMarket
  frame: Subject<void>
  streams: Streams
  intents: MemoryIntentStore
  /** Collects the ticks of a product from now on. */
  ticksOf: (id: string) => Tick[]
  /** A second of the venue passes: time, heartbeat, frame of the screen. */
  passSecond: () => Promise<void>
}

/** Lets promises settle and timers within `ms` fire. For use under fake timers. */
export const flushTimers = async (ms = 0): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms)
}

/** The whole of `streams/` over a hand-driven wire and market. */
export function setup(ids = ['A', 'B'], api: Partial<Api> = {}, intents = memoryIntentStore()): Setup {
  const transport = fakeWire()
  const market = fakeMarket(transport, ids)
  const frame = new Subject<void>()
  let keys = 0
  transport.answer.clock = (t0) => ({ t0, t1: market.now, t2: market.now })
  const streams = createStreams({
    wire: transport.wire,
    api: { ...market.api, ...api },
    placementStore: intents,
    newKey: () => `key-${++keys}`,
    monotonic: () => performance.now(),
    animationFrame$: frame,
  })
  return {
    transport,
    market,
    frame,
    streams,
    intents,
    ticksOf: (id) => {
      const ticks: Tick[] = []
      streams.tick$(id).subscribe((tick) => ticks.push(tick))
      return ticks
    },
    passSecond: async () => {
      await flushTimers(1000)
      market.now += 1000
      market.flush()
      market.heartbeat()
      frame.next()
      await flushTimers()
    },
  }
}
