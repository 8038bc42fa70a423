import type { Observable } from 'rxjs'
import type { WireTick } from '../../../../contract/chain.ts'
import { parsePrice } from '../../../../contract/price.ts'
import type { TicksAnswer } from '../../../../contract/products.ts'
import type { Tick } from '../../../../streams/index.ts'
import type { Result } from '../../../api/result.ts'
import type { Step } from './columns.ts'
import { createColumns } from './columns.ts'

/** The first ticks from an instant on, or those after one that is known. */
export type TicksQuery = { from: number } | { afterSeq: number }
export type LiveStepsParts = {
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
  fill: () => void
  steps: () => Step[]
  /** `waiting` until the past is here; `without` where it could not be had. */
  state: () => 'waiting' | 'without' | 'ready'
}

/** Of an order of many hours the past that is fetched: the line begins there. */
const pastMaxMs = 30 * 60_000
/** More than the busiest product fills in that time. */
const pagesMax = 40
/** Live ticks that wait for those before them; beyond, they are asked for like the others. */
const waitingMax = 5000
const retryMs = 3000

/** The ticks of a running order: those that were there when the page was opened, and each one since, none left out. */
export function createLiveSteps({ tick$, ticks, window, priceDecimals, now }: LiveStepsParts): LiveSteps {
  const columns = createColumns(window)
  let lastSeq: number | undefined
  let waiting: Tick[] = []
  let filling = false
  let state: ReturnType<LiveSteps['state']> = 'waiting'
  let failedAt = -Infinity
  let stopped = false

  const take = (seq: number, at: number, price: number | undefined): void => {
    if (lastSeq !== undefined && seq <= lastSeq) return
    lastSeq = seq
    if (price !== undefined) columns.add({ at, price })
  }
  const takeAll = (page: readonly WireTick[]): void => {
    for (const [seq, at, price] of page) take(seq, at, parsePrice(price, priceDecimals))
  }
  const query = (): TicksQuery =>
    lastSeq === undefined ? { from: Math.max(window.from, now() - pastMaxMs) } : { afterSeq: lastSeq }

  async function fillOnce(): Promise<boolean> {
    for (let page = 0; page < pagesMax; page++) {
      const answer = await ticks(query())
      if (stopped || !answer.ok) return false
      takeAll(answer.value.ticks)
      if (answer.value.complete || answer.value.ticks.length === 0) return true
    }
    return true
  }
  async function fill(): Promise<void> {
    if (filling || stopped) return
    filling = true
    const filled = await fillOnce()
    filling = false
    if (!filled) {
      failedAt = now()
      if (state === 'waiting') state = 'without'
      return
    }
    state = 'ready'
    for (const { seq, at, price } of waiting) take(seq, at, price)
    waiting = []
  }
  const live = ({ seq, at, price }: Tick): void => {
    if (state === 'ready' && !filling && lastSeq !== undefined && seq <= lastSeq + 1) {
      take(seq, at, price)
      return
    }
    if (waiting.length >= waitingMax) waiting = []
    waiting.push({ seq, at, price, size: 0 })
    if (now() - failedAt >= retryMs) void fill()
  }
  return {
    start: () => {
      stopped = false
      void fill()
      const running = tick$.subscribe(live)
      return () => {
        stopped = true
        running.unsubscribe()
      }
    },
    fill: () => void fill(),
    steps: () => columns.steps(),
    state: () => state,
  }
}
