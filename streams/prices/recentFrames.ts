import type { Observable } from 'rxjs'
import { epochMs } from '../../contract/units.ts'
import type { TickFrame } from '../../contract/tickFrame.ts'
import type { RecentFrames, Scale } from '../types.ts'

/** How much of the wire is kept: what arrived in this time before the newest frame. */
export const keptMs = 10_000
/** In all kept frames: ten seconds of 2,000 ticks a second, about 2 MB. */
export const keptTicksMax = 20_000

export type RecentFramesParts = {
  frame$: Observable<TickFrame>
  /** Product ids by their index in the frames of the open connection; another list on each connection. */
  ids: () => readonly string[]
  scaleOf: (id: string) => Scale | undefined
  monotonic: () => number
}

type Kept = { receivedAt: number; frame: TickFrame; ids: readonly string[]; ticks: number }

/**
 * Keeps the newest frames as the wire decoded them, with the instant of their arrival, so that a report can carry them.
 * Nothing is copied before a report is made, and nothing else that the socket receives is kept. Old frames are dropped
 * when a new one arrives: a page that no longer watches a product still has the last seconds of it.
 */
export function createRecentFrames({ frame$, ids, scaleOf, monotonic }: RecentFramesParts): {
  /** @param toVenueTime what to add to a monotonic instant for the venue's, ms */
  recent: (toVenueTime: number) => RecentFrames
  close: () => void
} {
  const kept: Kept[] = []
  let ticks = 0
  /** Where the kept ones begin. Dropped ones are removed many at a time: `shift` would move all others for each. */
  let first = 0
  const listening = frame$.subscribe((frame) => {
    const newest = { receivedAt: monotonic(), frame, ids: ids(), ticks: ticksIn(frame) }
    kept.push(newest)
    ticks += newest.ticks
    for (let oldest = kept[first]; oldest && oldest !== newest; oldest = kept[first]) {
      if (newest.receivedAt - oldest.receivedAt <= keptMs && ticks <= keptTicksMax) break
      ticks -= oldest.ticks
      first++
    }
    if (first <= kept.length / 2) return
    kept.splice(0, first)
    first = 0
  })
  return {
    recent: (toVenueTime) => {
      const scales = new Map<string, Scale>()
      const frames = kept.slice(first).map(({ receivedAt, frame, ids }) => ({
        receivedAt: epochMs(Math.round(receivedAt + toVenueTime)),
        blocks: frame.blocks.flatMap(({ ix, seq0, values }) => {
          const id = ids[ix]
          const scale = id === undefined ? undefined : (scales.get(id) ?? scaleOf(id))
          if (id === undefined || scale === undefined) return []
          scales.set(id, scale)
          return [{ id, seq0, values }]
        }),
      }))
      return {
        products: [...scales].map(([id, scale]) => ({ id, ...scale })),
        frames: frames.filter(({ blocks }) => blocks.length > 0),
      }
    },
    close: () => listening.unsubscribe(),
  }
}

function ticksIn({ blocks }: TickFrame): number {
  let values = 0
  for (const block of blocks) values += block.values.length
  return values / 3
}
