import type { Clock } from '../../platform/ports.ts'
import type { FeedTradingHours, LiveFeed, LiveReading, LiveTick } from './feed.ts'

/** A take-over later than this after the logged prices is a gap, even if nothing was missed. */
const takeOverMaxMs = 5000
/** Older ticks are dropped. Longer than a take-over takes, because the two nodes stamp arrivals on their own. */
const keptMs = takeOverMaxMs + 1000
const readEveryMs = 200

/** The end of a live product's log: its newest tick, null if it has none, and its watermark. */
export type LoggedEnd = { tick: Omit<LiveTick, 'at'> | null; watermark: number }

/**
 * The live feed of a standby node. It receives prices as a leader's does, and keeps the ticks of the last seconds. When
 * the node leads, the feed continues after the newest logged tick if that tick is among them: since then this node has
 * received every tick itself. Its ticks keep the arrival stamped here, but none is at or before what is committed.
 */
export class StandbyFeed implements LiveFeed {
  readonly kind = 'live'
  readonly isListening = true
  readonly #feed: LiveFeed
  readonly #clock: Clock
  /** Without a gap between them. */
  #recent: LiveTick[] = []
  #cancel: () => void

  /** @param feed is started here; from now on only this reads it */
  constructor(feed: LiveFeed, clock: Clock, report: (what: string, error: unknown) => void) {
    this.#feed = feed
    this.#clock = clock
    void feed.start().catch((error: unknown) => report('starting a live feed failed', error))
    const readLater = (): (() => void) =>
      clock.at(clock.now() + readEveryMs, () => {
        this.#cancel = readLater()
        try {
          this.#keep()
        } catch (error) {
          report('reading a live feed failed', error)
        }
      })
    this.#cancel = readLater()
  }

  /**
   * Ends the standby: from now on this is the feed of the leader's log.
   * @returns false if it cannot be shown that nothing was missed after the logged end: the time up to now is lost
   */
  takeOver({ tick, watermark }: LoggedEnd): boolean {
    this.#cancel()
    this.#keep()
    const logged = tick === null ? -1 : this.#recent.findLastIndex((each) => isSame(each, tick))
    if (logged === -1 || this.#clock.now() - watermark > takeOverMaxMs) {
      this.#recent = []
      return false
    }
    this.#recent = this.#recent
      .slice(logged + 1)
      .map((each) => ({ ...each, at: Math.max(each.at, watermark + 1) }))
    this.#feed.committed(Math.max(watermark, this.#recent.at(-1)?.at ?? 0))
    return true
  }

  read(now: number): LiveReading {
    const reading = this.#feed.read(now)
    if (this.#recent.length === 0) return reading
    return { ...reading, ticks: [...this.#recent, ...reading.ticks] }
  }

  committed(until: number): void {
    if (this.#recent.length > 0) this.#recent = this.#recent.filter(({ at }) => at > until)
    this.#feed.committed(until)
  }

  tradingHoursAt(t: number): FeedTradingHours {
    return this.#feed.tradingHoursAt(t)
  }

  get openingPrice(): number | null {
    return this.#feed.openingPrice
  }

  async start(): Promise<void> {
    // It listens since it was created.
  }

  async close(): Promise<void> {
    this.#cancel()
    await this.#feed.close()
  }

  /** Keeps what has arrived since the last call: up to a gap nothing, and of a quiet product at least the newest tick. */
  #keep(): void {
    const now = this.#clock.now()
    const { ticks, gaps, coveredUntil } = this.#feed.read(now)
    const lostUntil = gaps.at(-1)?.to
    this.#recent =
      lostUntil === undefined ? [...this.#recent, ...ticks] : ticks.filter(({ at }) => at > lostUntil)
    this.#feed.committed(coveredUntil)
    const oldest = this.#recent.findIndex(({ at }) => at > now - keptMs)
    this.#recent = this.#recent.slice(oldest === -1 ? -1 : Math.max(0, oldest - 1))
  }
}

/** The live feeds of a standby node, by product id. */
export type StandbyFeeds = ReadonlyMap<string, StandbyFeed>

const isSame = (a: LiveTick, b: Omit<LiveTick, 'at'>): boolean =>
  a.sourceId === b.sourceId && a.sourceAt === b.sourceAt && a.price === b.price && a.size === b.size
