import { interval } from 'rxjs'
import type { Sha256Hex } from '../../../contract/chain.ts'
import type { Recording } from '../../../contract/recording.ts'
import { createReplayWire, createStreams, virtualClock } from '../../../streams/index.ts'
import type { Api, Quote, ReplayProduct, Streams } from '../../../streams/index.ts'
import { msOf } from './time.ts'
import type { Time } from './time.ts'

export type { Time } from './time.ts'

/**
 * A market of recordings on virtual time, with the app's streams on top. Times count from the first recorded instant.
 * What is to go wrong is said in advance; `play` then reaches it.
 */
export type ReplayedMarket = {
  streams: Streams
  /** The recorded instant reached, epoch ms. */
  now: () => number
  /** Plays every tick up to a time. */
  play: (until: Time) => Promise<void>
  /** Goes on at a later time without sending what is in between, as a device that slept. */
  seek: (to: Time) => Promise<void>
  /** The venue hears nothing: ticks later than `from`, up to `to`, are missing for good. */
  gap: (from: Time, to: Time, id?: string) => void
  /** The line is silent: quotes become stale, then what was held back arrives. */
  stale: (from: Time, to: Time) => void
  /** The line is down. */
  cut: (from: Time, to: Time) => void
  /** The quote of a product, of the first one by default; undefined before the first. */
  quote: (id?: string) => Quote | undefined
  close: () => void
}

const frameMs = 50

/** A silence that is longer is a closed time, as in a venue's default product table. */
const defaultClosedMs = 600_000

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
    code: id,
    category: 'crypto',
    names: { en: id },
    rateBp: 8500,
    recommended: true,
    source: 'recording',
    durations: [],
    maxTickGapMs: 15_000,
    entryTimeoutMs: 10_000,
    rule: 'R1',
    sources: [],
    refunds: { orders: 0, ahead: 0, behind: 0, level: 0, pnl: '0.00' },
    ...part,
  }
  return { recording, product, closedMs }
}

/** @param options `sha`: a SHA-256 that is faster than the one for every platform */
export function openReplay(
  products: readonly ReplayProduct[],
  options: { sha?: Sha256Hex } = {},
): ReplayedMarket {
  const scheduler = virtualClock()
  const { wire, api, clock, faults } = createReplayWire(products, { ...options, scheduler })
  const streams = createStreams({
    wire,
    api: { ...withoutMembers, ...api },
    placementStore: { load: () => [], save: () => undefined, drop: () => undefined },
    newKey: () => 'none',
    monotonic: () => scheduler.now(),
    scheduler,
    animationFrame$: interval(frameMs, scheduler),
  })
  const ids = products.map(({ product }) => product.id)
  const quotes = ids.map((id) => streams.quote$(id).subscribe())
  const origin = clock.now()
  const events: { at: number; act: () => void }[] = []
  const during = (from: Time, to: Time, begin: () => void, end: () => void): void => {
    if (!(origin + msOf(from) >= clock.now() && msOf(to) > msOf(from)))
      throw new RangeError(`${from} to ${to} is not ahead`)
    events.push({ at: origin + msOf(from), act: begin }, { at: origin + msOf(to), act: end })
    events.sort((a, b) => a.at - b.at)
  }
  const due = (until: number) =>
    events[0] !== undefined && events[0].at <= until ? events.shift() : undefined
  const advance = (until: number) =>
    scheduler.advanceWithPromises(scheduler.now() + Math.max(0, until - clock.now()))
  return {
    streams,
    now: () => clock.now(),
    play: async (time) => {
      const until = origin + msOf(time)
      for (let event = due(until); event; event = due(until)) {
        await advance(event.at)
        event.act()
      }
      await advance(until)
    },
    seek: async (time) => {
      const to = origin + msOf(time)
      faults.cut()
      clock.seek(to)
      for (let event = due(to); event; event = due(to)) event.act()
      faults.restore()
      await advance(to + frameMs)
    },
    gap: (from, to, id) => faults.gap(origin + msOf(from), origin + msOf(to), id),
    stale: (from, to) =>
      during(
        from,
        to,
        () => faults.silence(true),
        () => faults.silence(false),
      ),
    cut: (from, to) => during(from, to, faults.cut, faults.restore),
    quote: (id = ids[0] ?? '') => streams.lastQuote(id),
    close: () => {
      for (const quote of quotes) quote.unsubscribe()
      streams.close()
    },
  }
}

const noMember = (): Promise<never> =>
  Promise.reject(
    Object.assign(new Error('a replay has no members'), {
      kind: 'rejected',
      status: 401,
      code: 'UNAUTHENTICATED',
      params: {},
      fields: {},
      at: 0,
    }),
  )
const withoutMembers: Omit<Api, 'products' | 'product' | 'ticks' | 'candles'> = {
  positions: noMember,
  order: noMember,
  proof: noMember,
  place: noMember,
  orderByKey: noMember,
  assets: noMember,
  messages: noMember,
  readMessages: noMember,
}
