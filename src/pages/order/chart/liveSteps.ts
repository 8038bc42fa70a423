import type { Observable } from 'rxjs'
import type { WireTick } from '../../../../contract/chain.ts'
import { parsePrice } from '../../../../contract/price.ts'
import type { TicksAnswer } from '../../../../contract/products.ts'
import type { Tick } from '../../../../streams/index.ts'
import type { Result } from '../../../api/result.ts'
import type { Step } from './downsample.ts'
import { createDownsampler } from './downsample.ts'

/** The first ticks from an instant on, or those after one that is known. */
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
  /** Begins; returns how to stop. */
  start: () => () => void
  /** Asks for what is missing, where something is. */
  backfill: () => void
  steps: () => Step[]
  /** `waiting` until the past is here; `without` where it could not be had. */
  state: () => 'waiting' | 'unavailable' | 'ready'
}

/** Of an order of many hours the past that is fetched: the line begins there. */
const historyMaxMs = 30 * 60_000
/** More than the busiest product fills in that time. */
const pagesMax = 40
/** Live ticks that wait for those before them; beyond, they are asked for like the others. */
const bufferedMax = 5000
const retryMs = 3000

/** The ticks of a running order: those that were there when the page was opened, and each one since, none left out. */
export function createLiveSteps({ tick$, ticks, window, priceDecimals, now }: LiveStepsOptions): LiveSteps {
  const downsampler = createDownsampler(window)
  let lastSeq: number | undefined
  let buffered: Tick[] = []
  let isBackfilling = false
  let state: ReturnType<LiveSteps['state']> = 'waiting'
  let failedAt = -Infinity
  let stopped = false

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
      if (stopped || !answer.ok) return false
      receivePage(answer.value.ticks)
      if (answer.value.complete || answer.value.ticks.length === 0) return true
    }
    return true
  }
  async function backfill(): Promise<void> {
    if (isBackfilling || stopped) return
    isBackfilling = true
    const fetched = await fetchMissing()
    isBackfilling = false
    if (!fetched) {
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
      stopped = false
      void backfill()
      const subscription = tick$.subscribe(onTick)
      return () => {
        stopped = true
        subscription.unsubscribe()
      }
    },
    backfill: () => void backfill(),
    steps: () => downsampler.steps(),
    state: () => state,
  }
}
