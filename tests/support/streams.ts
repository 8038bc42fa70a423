import { Subject } from 'rxjs'
import { vi } from 'vitest'
import { createStreams } from '../../streams/index.ts'
import type { Api, Intent, IntentStore, Streams, Tick } from '../../streams/index.ts'
import { handMarket } from './handMarket.ts'
import type { HandMarket } from './handMarket.ts'
import { handWire } from './wire.ts'
import type { HandWire } from './wire.ts'

export type IntentShelf = IntentStore & { kept: Map<string, Intent> }

/** An intent store that outlives a reload, as the browser's does. */
export function intentShelf(...kept: Intent[]): IntentShelf {
  const shelf = new Map(kept.map((intent) => [intent.key, intent]))
  return {
    kept: shelf,
    load: () => [...shelf.values()],
    save: (intent) => void shelf.set(intent.key, intent),
    drop: (key) => void shelf.delete(key),
  }
}

export type Scene = {
  hand: HandWire
  market: HandMarket
  frame: Subject<void>
  streams: Streams
  intents: IntentShelf
  /** Collects the ticks of a product from now on. */
  ticksOf: (id: string) => Tick[]
  /** A second of the venue passes: time, heartbeat, frame of the screen. */
  second: () => Promise<void>
}

/** Lets promises settle and timers within `ms` fire. For use under fake timers. */
export const settle = async (ms = 0): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms)
}

/** The whole of `streams/` over a hand-driven wire and market. */
export function scene(ids = ['A', 'B'], api: Partial<Api> = {}, intents = intentShelf()): Scene {
  const hand = handWire()
  const market = handMarket(hand, ids)
  const frame = new Subject<void>()
  let keys = 0
  hand.answer.clock = (t0) => ({ t0, t1: market.now, t2: market.now })
  const streams = createStreams({
    wire: hand.wire,
    api: { ...market.api, ...api },
    intents,
    newKey: () => `key-${++keys}`,
    monotonic: () => performance.now(),
    frame$: frame,
  })
  return {
    hand,
    market,
    frame,
    streams,
    intents,
    ticksOf: (id) => {
      const ticks: Tick[] = []
      streams.tick$(id).subscribe((tick) => ticks.push(tick))
      return ticks
    },
    second: async () => {
      await settle(1000)
      market.now += 1000
      market.flush()
      market.feed()
      frame.next()
      await settle()
    },
  }
}
