import { EMPTY, distinctUntilChanged, from, map, startWith, switchMap, takeUntil, timer } from 'rxjs'
import type { Timeframe } from '../../../contract/candles.ts'
import type { ProductDetail, Streams } from '../../../streams/index.ts'
import { firstLoaded } from '../../start/firstLoaded.ts'
import { preferences } from '../../state/preferences.ts'
import { ticket } from '../../state/ticket.ts'
import { durationOf, timeframeOfDuration } from '../../chart/orderTimeframe.ts'
import { chartLibrary } from './chartLibrary.ts'

/** How long bars are kept for a chart that is still to come, ms. */
const keptMs = 10_000

/** The timeframe that fitted the previous product. Most products of a venue have the same durations. */
let fittingBefore: Timeframe | undefined

/**
 * Requests what a product's page shows first: the chart library, the product, and the bars of the timeframe that the chart
 * will probably have, so that they need not wait for the product. Resolves once product and bars are there, or the product
 * cannot be loaded.
 */
export async function loadProduct(
  streams: Streams,
  id: string,
  product$ = streams.product$(id),
): Promise<void> {
  void chartLibrary.get()
  const loaded = firstLoaded(product$)
  const { frame } = preferences.chart
  const frameOf = (product: ProductDetail): Timeframe => {
    fittingBefore = timeframeOfDuration(durationOf(product, ticket.seconds[id])?.seconds)
    return frame ?? fittingBefore
  }
  const bars$ = from(loaded).pipe(
    map((product) => product && frameOf(product)),
    startWith(frame ?? fittingBefore),
    distinctUntilChanged(),
    switchMap((each) => (each === undefined ? EMPTY : streams.candles(id, each).events$)),
    takeUntil(timer(keptMs)),
  )
  const barsLoaded = new Promise<void>((resolve) => {
    bars$.subscribe({ next: () => resolve(), complete: resolve })
  })
  await Promise.all([loaded, barsLoaded])
}
