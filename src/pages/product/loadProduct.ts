import { EMPTY, filter, firstValueFrom, of, switchMap, take, takeUntil, timer } from 'rxjs'
import type { Streams } from '../../../streams/index.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { preferences } from '../../state/preferences.ts'
import { ticket } from '../../state/ticket.ts'
import { durationOf, frameOfDuration } from './chartFrame.ts'
import { chartLibrary } from './chartLibrary.ts'

/** How long bars are kept for a chart that is still to come, ms. */
const keptMs = 10_000

/**
 * Requests what a product's page shows first: the chart library, the product, and the bars of the timeframe that the chart
 * will have. Resolves once product and bars are there, or the product cannot be loaded.
 */
export async function loadProduct(
  streams: Streams,
  id: string,
  product$ = streams.product$(id),
): Promise<void> {
  void chartLibrary.get()
  const loaded$ = product$.pipe(
    filter(({ state }) => state !== 'loading'),
    take(1),
  )
  const { frame } = preferences.chart
  const fitting$ = loaded$.pipe(
    switchMap((loaded) => {
      const product = valueOf(loaded)
      return product === undefined
        ? EMPTY
        : of(frameOfDuration(durationOf(product, ticket.seconds[id])?.seconds))
    }),
  )
  const bars$ = (frame === null ? fitting$ : of(frame)).pipe(
    switchMap((timeframe) => streams.candles(id, timeframe).events$),
    takeUntil(timer(keptMs)),
  )
  const barsLoaded = new Promise<void>((resolve) => {
    bars$.subscribe({ next: () => resolve(), complete: resolve })
  })
  await Promise.all([firstValueFrom(loaded$, { defaultValue: undefined }), barsLoaded])
}
