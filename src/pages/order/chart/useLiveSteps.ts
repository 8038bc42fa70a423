import { useEffect, useMemo, useState } from 'react'
import { productRoutes } from '../../../../contract/products.ts'
import type { Order } from '../../../../streams/index.ts'
import { call } from '../../../api/venue.ts'
import { useReconnect } from '../../../hooks/useReconnect.ts'
import { useStreams } from '../../../hooks/useStreams.ts'
import type { Step } from '../../../chart/downsample.ts'
import type { LiveSteps, TicksQuery } from './liveSteps.ts'
import { createLiveSteps } from './liveSteps.ts'
import { windowOf } from './plot.ts'
import { defaultWidth } from './size.ts'

export type DrawnSteps = {
  state: ReturnType<LiveSteps['state']>
  steps: readonly Step[]
  /** Until when the last price is known to be valid, at most the order's close. */
  until: number
  stale: boolean
}

const initialSteps: DrawnSteps = { state: 'waiting', steps: [], until: 0, stale: true }
/** The line moves by about a pixel per drawing, but a price is never drawn later than this. */
const drawMaxMs = 250
const drawMinMs = 50
/** The last ticks before the close arrive shortly after it. */
const closeGraceMs = 2000

/** The ticks of an open order, updated a few times a second independent of their number. */
export function useLiveSteps({ productId, acceptedAt, closeAt, terms }: Order): DrawnSteps {
  const { tick$, quotes, clock } = useStreams()
  const { priceDecimals } = terms
  const [drawn, setDrawn] = useState(initialSteps)
  const live = useMemo(
    () =>
      createLiveSteps({
        tick$: tick$(productId),
        ticks: (query) => ticksOf(productId, query),
        // Ticks after the close do not count.
        window: { from: windowOf({ acceptedAt, closeAt }).from, to: closeAt },
        priceDecimals,
        now: () => clock.now(),
      }),
    [tick$, clock, productId, acceptedAt, closeAt, priceDecimals],
  )
  useEffect(() => {
    const stop = live.start()
    const release = quotes.watch(productId, () => undefined)
    const draw = (): void => {
      const now = clock.now()
      const state = live.state()
      const steps = live.steps()
      const stale = quotes.get(productId)?.stale ?? true
      // While the last price is stale, the line is not extended.
      const until = stale ? (steps.at(-1)?.at ?? acceptedAt) : Math.min(closeAt, now)
      const next = { state, steps, until, stale }
      setDrawn((before) => (isSame(before, next) ? before : next))
      if (state === 'ready' && now >= closeAt + closeGraceMs) clearInterval(drawing)
    }
    const pixelMs = (closeAt - acceptedAt) / defaultWidth
    const drawing = setInterval(draw, Math.min(drawMaxMs, Math.max(drawMinMs, pixelMs)))
    return () => {
      clearInterval(drawing)
      release()
      stop()
    }
  }, [live, quotes, clock, productId, acceptedAt, closeAt])
  useReconnect(live.backfill)
  return drawn
}

const isSame = (a: DrawnSteps, b: DrawnSteps): boolean =>
  a.state === b.state && a.steps === b.steps && a.until === b.until && a.stale === b.stale

const ticksOf = (id: string, query: TicksQuery) =>
  call(productRoutes.ticks, {
    params: { id },
    query: Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])),
  })
