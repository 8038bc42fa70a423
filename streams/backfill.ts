import { firstValueFrom, timer } from 'rxjs'
import type { SchedulerLike } from 'rxjs'
import { ticksPageMax } from '../contract/constants.ts'
import type { TicksAnswer } from '../contract/products.ts'
import { parsePrice, parseSize } from '../contract/price.ts'
import type { TickSequencer } from './tickSequencer.ts'
import { failureOf, isTransient } from './failure.ts'
import type { Api } from './types.ts'

/** A gap of more than this many pages (20,000 ticks) takes too long to fetch: restart from the head. */
const pagesMax = 4
const triesMax = 5
const retryMs = 500

/** Decimal places of a product's prices and sizes. */
export type Scale = { priceDecimals: number; sizeDecimals: number }

export type BackfillParts = {
  api: Pick<Api, 'ticksAfter'>
  scaleOf: (id: string) => Promise<Scale>
  scheduler: SchedulerLike
}

/**
 * Fetches the ticks that a sequencer misses until it is in sync again. Gives up (pruned, gap too long, answers that do
 * not fit, or no answer) by restarting the sequencer, so that its listeners reload what they show. Stops if the
 * subscription ends meanwhile. Never throws.
 */
export async function backfill(
  sequencer: TickSequencer,
  head: () => number,
  parts: BackfillParts,
): Promise<void> {
  const { epoch } = sequencer
  const isAbandoned = (): boolean => sequencer.epoch !== epoch || sequencer.phase !== 'filling'
  let tries = 0
  const pages = head() - sequencer.seq > pagesMax * ticksPageMax ? 0 : pagesMax
  for (let page = 0; page < pages; page++) {
    try {
      const scale = await parts.scaleOf(sequencer.id)
      const answer = await parts.api.ticksAfter(sequencer.id, sequencer.seq)
      if (isAbandoned()) return
      const values = valuesOf(answer, sequencer.seq, scale)
      if (!values) break
      sequencer.fill(sequencer.seq + 1, values)
      if (sequencer.seq >= head() && sequencer.drain()) return
      if (values.length === 0) break
    } catch (error) {
      if (isAbandoned()) return
      if (!isTransient(failureOf(error)) || ++tries >= triesMax) break
      page--
      await firstValueFrom(timer(retryMs * 2 ** tries, parts.scheduler))
      if (isAbandoned()) return
    }
  }
  if (!isAbandoned()) sequencer.restart(Math.max(head(), sequencer.seq))
}

/** Integer triples (at, price, size); undefined if the answer does not follow `after`. */
function valuesOf(answer: TicksAnswer, after: number, scale: Scale): number[] | undefined {
  const values: number[] = []
  let seq = after
  for (const [tickSeq, at, priceText, sizeText] of answer.ticks) {
    const price = parsePrice(priceText, scale.priceDecimals)
    const size = parseSize(sizeText, scale.sizeDecimals)
    if (tickSeq !== ++seq || price === undefined || size === undefined) return undefined
    values.push(at, price, size)
  }
  return values
}
