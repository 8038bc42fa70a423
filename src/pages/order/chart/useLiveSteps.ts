import { useEffect, useState } from 'react'
import { minuteMs } from '../../../../contract/time.ts'
import { createDownsampler, type Step } from '../../../chart/downsample.ts'
import { useStreams } from '../../../hooks/useStreams.ts'
import { forEachTick, type Order } from '../../../../streams/index.ts'
import { windowOf } from './plot.ts'
import { defaultWidth } from './size.ts'

export type DrawnSteps = {
  /** `waiting` until the history is loaded; `unavailable` while loading it fails. */
  state: 'waiting' | 'unavailable' | 'ready'
  steps: readonly Step[]
  /** Until when the last price is known to be valid, at most the order's close. */
  until: number
  stale: boolean
}

const initialSteps: DrawnSteps = { state: 'waiting', steps: [], until: 0, stale: true }
/** The most history that is fetched for a long order: the line begins there. */
const historyMaxMs = 30 * minuteMs
/** The line moves by about a pixel per drawing, but a price is never drawn later than this. */
const drawMaxMs = 250
const drawMinMs = 50
/** The last ticks before the close arrive shortly after it. */
const closeGraceMs = 2000

/** The ticks of an open order, updated a few times a second independent of their number. */
export function useLiveSteps({ productId, acceptedAt, closeAt }: Order): DrawnSteps {
  const { ticksSince$, quote$, clock } = useStreams()
  const [drawn, setDrawn] = useState(initialSteps)
  useEffect(() => {
    const { from } = windowOf({ acceptedAt, closeAt })
    // Ticks after the close do not count.
    const downsampler = createDownsampler({ from, to: closeAt })
    let state: DrawnSteps['state'] = 'waiting'
    let stale = true
    const since = Math.max(from, clock.now() - historyMaxMs)
    const subscription = ticksSince$(productId, since).subscribe((event) => {
      if (event.kind === 'run') {
        state = 'ready'
        forEachTick(event.run, (_seq, at, price) => downsampler.add({ at, price }))
      } else if (state === 'waiting') {
        state = 'unavailable'
      }
    })
    subscription.add(quote$(productId).subscribe((quote) => (stale = quote.stale)))
    const draw = (): void => {
      const now = clock.now()
      const steps = downsampler.steps()
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
      subscription.unsubscribe()
    }
  }, [ticksSince$, quote$, clock, productId, acceptedAt, closeAt])
  return drawn
}

const isSame = (a: DrawnSteps, b: DrawnSteps): boolean =>
  a.state === b.state && a.steps === b.steps && a.until === b.until && a.stale === b.stale
