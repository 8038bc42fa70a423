import type { LiveFeed } from '../feed/feed.ts'
import type { Clock } from '../../platform/ports.ts'
import type { ProductState } from '../productState.ts'
import { liveTicksUntil, lostAfterMs, type LiveTicks } from './liveTicks.ts'

type LiveState = ProductState & { feed: LiveFeed }

const isLive = (state: ProductState): state is LiveState => state.feed.kind === 'live'

/** The live feeds of the log: starts, reads and closes them. One that fails affects its own product only. */
export class LiveFeeds {
  readonly states: readonly LiveState[]
  readonly #clock: Clock
  readonly #report: (what: string, error: unknown) => void
  /** Of the feeds that started with the log: nothing was received before this instant. */
  readonly #startedAt = new Map<LiveState, number>()
  /** Feeds whose last reading failed: reported once. */
  readonly #failing = new Set<LiveState>()

  constructor(
    productStates: readonly ProductState[],
    clock: Clock,
    report: (what: string, error: unknown) => void,
  ) {
    this.states = productStates.filter(isLive)
    this.#clock = clock
    this.#report = report
  }

  start(): void {
    for (const state of this.states) {
      // What a feed that listened before has up to the watermark is in the log, or is lost.
      if (state.feed.isListening) {
        state.feed.committed(state.coveredUntil)
        continue
      }
      void state.feed.start().catch((error: unknown) => this.#report('starting a live feed failed', error))
      this.#startedAt.set(state, this.#clock.now())
    }
  }

  async close(): Promise<void> {
    const closed = await Promise.allSettled(this.states.map(async ({ feed }) => feed.close()))
    for (const each of closed)
      if (each.status === 'rejected') this.#report('closing a live feed failed', each.reason)
  }

  /**
   * What a flush up to `until` can commit of a product.
   * @param flushedAt the instant of the newest flush
   */
  read(state: LiveState, flushedAt: number, now: number, until: number): LiveTicks {
    const { coveredUntil: watermark, last } = state
    try {
      const isLost = flushedAt - watermark > lostAfterMs
      const startedAt = this.#startedAt.get(state) ?? Number.NEGATIVE_INFINITY
      const lostUntil = Math.max(startedAt, isLost ? flushedAt : Number.NEGATIVE_INFINITY)
      const ticks = liveTicksUntil(state.feed.read(now), { watermark, lostUntil, notBefore: last.at, until })
      this.#failing.delete(state)
      return ticks
    } catch (error) {
      if (!this.#failing.has(state))
        this.#report(`reading the live feed of ${state.settings.id} failed`, error)
      this.#failing.add(state)
      return { watermark, ticks: [], gaps: [], dropped: [] }
    }
  }

  /** Reports to each feed how far it is committed now. */
  release(): void {
    for (const { feed, coveredUntil } of this.states) {
      try {
        feed.committed(coveredUntil)
      } catch (error) {
        this.#report('a live feed failed', error)
      }
    }
  }

  /** The instant before which no product gets another tick, if the newest flush is at `flushedAt`. */
  settledUntil(flushedAt: number): number {
    return this.states.reduce(
      (until, { coveredUntil }) =>
        flushedAt - coveredUntil > lostAfterMs ? until : Math.min(until, coveredUntil),
      flushedAt,
    )
  }
}
