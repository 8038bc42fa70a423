import type { Observable } from 'rxjs'
import type { WireTick } from '../../../../contract/chain.ts'
import { parsePrice } from '../../../../contract/price.ts'
import type { TicksAnswer } from '../../../../contract/products.ts'
import type { Tick } from '../../../../streams/index.ts'
import type { Result } from '../../../api/result.ts'
import type { Step } from '../../../chart/downsample.ts'
import { createDownsampler } from '../../../chart/downsample.ts'

/** The first ticks from an instant, or those after a known sequence number. */
export type TicksQuery = { from: number } | { afterSeq: number }
export type LiveStepsOptions = {
  tick$: Observable<Tick>
  ticks: (query: TicksQuery) => Promise<Result<TicksAnswer>>
  window: { from: number; to: number }
  priceDecimals: number
  /** The venue's clock. */
  now: () => number
}

export type LiveSteps = {
  /** Starts; returns the function that stops. */
  start: () => () => void
  /** Fetches missing ticks, if there are any. */
  backfill: () => void
  steps: () => Step[]
  /** `waiting` until the history is loaded; `unavailable` if loading it failed. */
  state: () => 'waiting' | 'unavailable' | 'ready'
}

/** The most history that is fetched for a long order: the line begins there. */
const historyMaxMs = 30 * 60_000
/** More pages than the busiest product fills in that time. */
const pagesMax = 40
/** Live ticks that wait for missing earlier ones; beyond this number they are dropped and fetched again. */
const bufferedMax = 5000
const retryMs = 3000

/** The ticks of an open order, without gaps: the history up to now, and every live tick since. */
export function createLiveSteps({ tick$, ticks, window, priceDecimals, now }: LiveStepsOptions): LiveSteps {
  const downsampler = createDownsampler(window)
  let lastSeq: number | undefined
  let buffered: Tick[] = []
  let isBackfilling = false
  let state: ReturnType<LiveSteps['state']> = 'waiting'
  let failedAt = -Infinity
  let isStopped = false

  const receive = (seq: number, at: number, price: number | undefined): void => {
    if (lastSeq !== undefined && seq <= lastSeq) return
    lastSeq = seq
    if (price !== undefined) downsampler.add({ at, price })
  }
  const receivePage = (page: readonly WireTick[]): void => {
    for (const [seq, at, price] of page) receive(seq, at, parsePrice(price, priceDecimals))
  }
  const nextQuery = (): TicksQuery =>
    lastSeq === undefined ? { from: Math.max(window.from, now() - historyMaxMs) } : { afterSeq: lastSeq }

  async function fetchMissing(): Promise<boolean> {
    for (let page = 0; page < pagesMax; page++) {
      const answer = await ticks(nextQuery())
      if (isStopped || !answer.ok) return false
      receivePage(answer.value.ticks)
      if (answer.value.complete || answer.value.ticks.length === 0) return true
    }
    return true
  }
  async function backfill(): Promise<void> {
    if (isBackfilling || isStopped) return
    isBackfilling = true
    const isComplete = await fetchMissing()
    isBackfilling = false
    if (!isComplete) {
      failedAt = now()
      if (state === 'waiting') state = 'unavailable'
      return
    }
    state = 'ready'
    for (const { seq, at, price } of buffered) receive(seq, at, price)
    buffered = []
  }
  const onTick = ({ seq, at, price }: Tick): void => {
    if (state === 'ready' && !isBackfilling && lastSeq !== undefined && seq <= lastSeq + 1) {
      receive(seq, at, price)
      return
    }
    if (buffered.length >= bufferedMax) buffered = []
    buffered.push({ seq, at, price, size: 0 })
    if (now() - failedAt >= retryMs) void backfill()
  }
  return {
    start: () => {
      isStopped = false
      void backfill()
      const subscription = tick$.subscribe(onTick)
      return () => {
        isStopped = true
        subscription.unsubscribe()
      }
    },
    backfill: () => void backfill(),
    steps: () => downsampler.steps(),
    state: () => state,
  }
}
