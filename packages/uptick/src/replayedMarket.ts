import { Observable, type Observer, type SchedulerLike, type Subscription } from 'rxjs'
import type { Sha256Hex } from '../../../contract/chain.ts'
import type { Recording } from '../../../contract/recording.ts'
import {
  aligned,
  createReplayWire,
  createStreams,
  type Align,
  type Quote,
  type ReplayProduct,
  type Streams,
  type OuterClock,
  type Tick,
} from '../../../streams/index.ts'
import { isFinal, type Order } from '../../../contract/orders.ts'
import type { WholeReplayWire } from '../../../streams/replay/replay.ts'
import type { ReplayMarket } from '../../../streams/replay/replayMarket.ts'
import { marketClock, type MarketClock } from '../../../streams/replay/virtualClock.ts'
import { assertQuote, orderSettled, type ExpectedQuote } from './expectations.ts'
import { createFakeVenue, type FakeVenue } from './fakeVenue.ts'
import { createFault, createFaultPlan } from './faultPlan.ts'
import { watched } from './watched.ts'
import { ticksWithSides, withSides, type SidesOf } from './withSides.ts'
import { msOf, type Time } from './time.ts'

export type { ExpectedQuote } from './expectations.ts'
export type { Time } from './time.ts'

/**
 * A market of recordings on virtual time, with the app's streams on top. Times count from the first recorded instant.
 * What is to go wrong is said in advance; `play` then reaches it.
 */
export type ReplayedMarket = {
  streams: Streams
  /** The recorded instant reached, epoch ms. */
  now: () => number
  /** Plays every tick up to a time that is ahead. Without a subscriber to a stream, only the last seconds before it. */
  play: (until: Time) => Promise<void>
  /** Continues at a later time without sending what is in between, like a device that slept. */
  seek: (to: Time) => Promise<void>
  /** The venue receives nothing: ticks later than `from`, up to `to`, are lost permanently. */
  gap: (from: Time, to: Time, id?: string) => void
  /** The connection sends nothing: quotes become stale, then the delayed events arrive. */
  stale: (from: Time, to: Time) => void
  /** The line is down. */
  cut: (from: Time, to: Time) => void
  /** The quote of a product, of the first one by default; undefined before the first. */
  quote: (id?: string) => Quote | undefined
  /** Throws unless the quote has these values; the price as decimal text. */
  expectQuote: (expected: ExpectedQuote, id?: string) => void
  /** Every tick of a product, of the first one by default, with bid and ask if the recording has them. */
  ticks: (id?: string) => Observable<Tick>
  /** Takes the orders of `streams`, and of any client by its `fetch`. */
  venue: FakeVenue
  /** Plays on until an order is settled, by default the newest. @throws RangeError if there is none */
  untilOrderSettles: (id?: string) => Promise<Order>
  close: () => void
}

const frameMs = 50

/** The history that the streams keep, and longer than any of their timeouts. */
const playedAlwaysMs = 15_000

/** A silence that is longer is a closed time, as in a venue's default product table. */
const defaultClosedMs = 600_000

const rateBp = 8500
const stakes = { min: '1.00', max: '999999.00' }

const currency =
  '(AUD|CAD|CHF|CNH|CZK|DKK|EUR|GBP|HKD|HUF|JPY|MXN|NOK|NZD|PLN|SEK|SGD|THB|TRY|USD|XAG|XAU|ZAR)'
const currencyPair = new RegExp(`^${currency}${currency}$`)

/**
 * A recording as a product with plain terms.
 * @param closedMs a longer silence is a closed time; `Infinity`: the product is always open
 */
export function replayProduct(
  id: string,
  recording: Recording,
  part: Partial<ReplayProduct['product']> = {},
  closedMs = defaultClosedMs,
): ReplayProduct {
  const product: ReplayProduct['product'] = {
    id,
    code: id.replace(currencyPair, '$1/$2'),
    category: currencyPair.test(id) ? 'forex' : 'crypto',
    names: { en: id.replace(currencyPair, '$1/$2') },
    rateBp,
    recommended: true,
    source: `recording: ${id}`,
    durations: [30, 60, 120, 300].map((seconds) => ({ seconds, rateBp, ...stakes })),
    maxTickGapMs: 15_000,
    entryTimeoutMs: 10_000,
    rule: 'R1',
    sources: [],
    refunds: { orders: 0, ahead: 0, behind: 0, level: 0, pnl: '0.00' },
    ...part,
  }
  return { recording, product, closedMs }
}

export type OpenReplayOptions = { sha?: Sha256Hex; align?: Align; timers?: OuterClock; chain?: boolean }

/**
 * @param options `sha`: a SHA-256 that is faster than the one for every platform; `align`: `start`, the default, plays each
 * recording from its own first tick, at the instants of the first one; `time` plays them by the clock: before its first tick a
 * product has no quote, and after its last one a stale quote; `timers`: another clock that goes along; `chain`: whether
 * `streams.seenHeads` has the heads of each second, whose hashes take longer than all the rest; default: no
 */
export function openReplay(
  products: readonly ReplayProduct[],
  options: OpenReplayOptions = {},
): ReplayedMarket {
  const { align = 'start', chain = false, timers, sha } = options
  const scheduler = marketClock(0, timers)
  const played = aligned(
    products.map((product) => [product]),
    align,
  )
  const replay = createReplayWire(played, {
    ...(sha && { sha }),
    scheduler: scheduler.quiet,
    withHashes: chain,
    isDecoded: true,
  })
  const { wire, api, clock, market, emit } = replay
  const fake = createFakeVenue(market, emit)
  const { expectPromises } = scheduler
  const settling = wire.event$.subscribe((event) => {
    fake.advance()
    if (event.kind !== 'event' || event.name !== 'ticks') expectPromises()
  })
  const sidesOf: SidesOf = (id, seq) => market.find(id).sidesOf(seq)
  const appStreams = createStreams({
    wire: reporting(wire, expectPromises),
    api: reporting({ ...fake.api, ...api }, expectPromises),
    placementStore: { load: () => [], save: () => undefined, drop: () => undefined },
    newKey: fake.newId,
    monotonic: () => scheduler.now(),
    scheduler,
    animationFrame$: new NextFrame(scheduler.quiet),
  })
  const { streams, isWatched } = watched(
    products.some(({ recording: { bid, ask } }) => bid !== undefined || ask !== undefined)
      ? withSides(appStreams, sidesOf)
      : appStreams,
    expectPromises,
  )
  const ids = products.map(({ product }) => product.id)
  /** @throws RangeError if it has no recording */
  const known = (id = ids[0] ?? ''): string => market.find(id).id
  const quotes = ids.map((id) => appStreams.quote$(id).subscribe())
  /** Whether skipping would have an effect: on a subscriber, on an order that settles, or on a timer of the replay. */
  const isMissed = (): boolean =>
    timers !== undefined || isWatched() || fake.venue.orders().some(({ status }) => !isFinal(status))
  const { origin, ...player } = createPlayer(replay, scheduler, isMissed, timers?.sleep)
  return {
    streams,
    now: () => clock.now(),
    ...player,
    quote: (id) => streams.lastQuote(known(id)),
    expectQuote: (expected, id) => assertQuote(streams.lastQuote(known(id)), expected, known(id)),
    ticks: (id) => ticksWithSides(streams, sidesOf, known(id)),
    venue: fake.venue,
    untilOrderSettles: (id) => orderSettled(fake, clock.now, (until) => player.play(until - origin), id),
    close: () => {
      settling.unsubscribe()
      for (const quote of quotes) quote.unsubscribe()
      streams.close()
    },
  }
}

/** Plays with the simulated faults, and skips what has no effect. */
function createPlayer(
  { clock, faults, market }: WholeReplayWire,
  scheduler: MarketClock,
  isMissed: () => boolean,
  sleep: OuterClock['sleep'],
) {
  const origin = clock.now()
  const { assertAhead, during, due, isFaulty } = createFaultPlan(origin, clock.now)
  const down = createFault(faults.cut, faults.restore)
  const silent = createFault(
    () => faults.silence(true),
    () => faults.silence(false),
  )
  const advance = (until: number) => {
    const to = scheduler.now() + Math.max(0, until - clock.now())
    if (!isMissed() && !isFaulty()) scheduler.skipTo(to - playedAlways(market, until))
    return scheduler.advanceWithPromises(to)
  }
  return {
    origin,
    gap: (from: Time, to: Time, id?: string) => {
      assertAhead(from, to)
      faults.gap(origin + msOf(from), origin + msOf(to), id)
    },
    stale: (from: Time, to: Time) => during(from, to, silent),
    cut: (from: Time, to: Time) => during(from, to, down),
    play: async (time: Time): Promise<void> => {
      const until = origin + msOf(time)
      // `seek` ends a frame later.
      if (until < clock.now() - frameMs)
        throw new RangeError(`${time} is over: it is ${clock.now() - origin} ms`)
      for (let event = due(until); event; event = due(until)) {
        await advance(event.at)
        event.act()
      }
      await advance(until)
    },
    seek: async (time: Time): Promise<void> => {
      const to = origin + msOf(time)
      down.begin()
      const ms = to - clock.now()
      clock.seek(to)
      sleep?.(ms)
      for (let event = due(to); event; event = due(to)) event.act()
      down.end()
      await advance(to + frameMs)
    },
  }
}

/** How much is played before an instant even without a subscriber, because a quote compares the last two ticks. */
const playedAlways = ({ ids, find }: ReplayMarket, until: number): number =>
  Math.max(playedAlwaysMs, ...ids.map((id) => until - find(id).secondLastAt(until) + frameMs))

/** The next animation frame. For a function it is only an action: a day has a quarter of a million frames. */
class NextFrame extends Observable<void> {
  readonly #scheduler: SchedulerLike

  constructor(scheduler: SchedulerLike) {
    super((subscriber) => this.subscribe(() => subscriber.next()))
    this.#scheduler = scheduler
  }

  override subscribe(observer?: Partial<Observer<void>> | ((value: void) => void) | null): Subscription {
    return typeof observer === 'function'
      ? this.#scheduler.schedule(() => observer(), frameMs)
      : super.subscribe(observer ?? {})
  }
}

/** The same functions; `onCall` runs before each call. */
function reporting<T extends object>(parts: T, onCall: () => void): T {
  const wrapped = Object.entries(parts).map(([name, part]: [string, unknown]) => [
    name,
    typeof part !== 'function'
      ? part
      : (...args: unknown[]): unknown => {
          onCall()
          return part(...args)
        },
  ])
  return Object.fromEntries(wrapped) as T
}
