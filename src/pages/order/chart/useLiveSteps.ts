import { useEffect, useMemo, useState } from 'react'
import { productRoutes } from '../../../../contract/products.ts'
import type { Order } from '../../../../streams/index.ts'
import { call } from '../../../api/venue.ts'
import { useReconnect } from '../../../hooks/useReconnect.ts'
import { useStreams } from '../../../hooks/useStreams.ts'
import type { Step } from './downsample.ts'
import type { LiveSteps, TicksQuery } from './liveSteps.ts'
import { createLiveSteps } from './liveSteps.ts'
import { windowOf } from './plot.ts'
import { defaultWidth } from './size.ts'

export type DrawnSteps = {
  state: ReturnType<LiveSteps['state']>
  steps: readonly Step[]
  /** How long the last price is known to have stood, at most to the order's close. */
  until: number
  stale: boolean
}

const initialSteps: DrawnSteps = { state: 'waiting', steps: [], until: 0, stale: true }
/** A line moves by about a pixel a drawing, but a price is never older than this on it. */
const drawMaxMs = 250
const drawMinMs = 50
/** The last ticks before the close are told a little after it. */
const closeGraceMs = 2000

/** The ticks of a running order, told a few times a second however many there are. */
export function useLiveSteps({ productId, acceptedAt, closeAt, terms }: Order): DrawnSteps {
  const { tick$, quotes, clock } = useStreams()
  const { priceDecimals } = terms
  const [drawn, setDrawn] = useState(initialSteps)
  const live = useMemo(
    () =>
      createLiveSteps({
        tick$: tick$(productId),
        ticks: (query) => ticksOf(productId, query),
        // What comes after the close no longer counts.
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
      // While nothing vouches for the last price, it is not drawn on.
      const until = stale ? (steps.at(-1)?.at ?? acceptedAt) : Math.min(closeAt, now)
      const next = { state, steps, until, stale }
      setDrawn((before) => (same(before, next) ? before : next))
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

const same = (a: DrawnSteps, b: DrawnSteps): boolean =>
  a.state === b.state && a.steps === b.steps && a.until === b.until && a.stale === b.stale

const ticksOf = (id: string, query: TicksQuery) =>
  call(productRoutes.ticks, {
    params: { id },
    query: Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])),
  })
