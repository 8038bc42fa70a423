import { Subject } from 'rxjs'
import { vi } from 'vitest'
import {
  createStreams,
  ticksOf,
  type Api,
  type StoredPlacement,
  type PlacementStore,
  type Streams,
  type Tick,
} from '../../streams/index.ts'
import { fakeWireMarket, type FakeWireMarket } from './fakeWireMarket.ts'
import { fakeWire, type FakeWire } from './fakeWire.ts'

export type MemoryPlacementStore = PlacementStore & { stored: Map<string, StoredPlacement> }

/** A placement store that survives a reload, as the browser's does. */
export function memoryPlacementStore(...stored: StoredPlacement[]): MemoryPlacementStore {
  const entries = new Map(stored.map((placement) => [placement.key, placement]))
  return {
    stored: entries,
    load: () => [...entries.values()],
    save: (placement) => void entries.set(placement.key, placement),
    drop: (key) => void entries.delete(key),
  }
}

export type Setup = {
  transport: FakeWire
  market: FakeWireMarket
  frame: Subject<void>
  streams: Streams
  placements: MemoryPlacementStore
  /** Collects the ticks of a product from now on. */
  ticksOf: (id: string) => Tick[]
  /** Lets a second pass: time, ticks, heartbeat, animation frame. */
  passSecond: () => Promise<void>
}

/** Runs pending promises and the timers due within `ms`. For use under fake timers. */
export const flushTimers = async (ms = 0): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms)
}

/** All of `streams/` over a fake wire and market. */
export function streamsSetup(
  ids = ['A', 'B'],
  api: Partial<Api> = {},
  placements = memoryPlacementStore(),
): Setup {
  const transport = fakeWire()
  const market = fakeWireMarket(transport, ids)
  const frame = new Subject<void>()
  let keys = 0
  transport.answer.clock = (t0) => ({ t0, t1: market.now, t2: market.now })
  const streams = createStreams({
    wire: transport.wire,
    api: { ...market.api, ...api },
    placementStore: placements,
    newKey: () => `key-${++keys}`,
    monotonic: () => performance.now(),
    animationFrame$: frame,
  })
  return {
    transport,
    market,
    frame,
    streams,
    placements,
    ticksOf: (id) => {
      const ticks: Tick[] = []
      streams.run$(id).subscribe((run) => ticks.push(...ticksOf(run)))
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
