import { firstValueFrom, type SchedulerLike } from 'rxjs'
import { ticksPageMax } from '../../contract/constants.ts'
import type { TickSequencer } from './tickSequencer.ts'
import { failureOf, isTransient } from '../operators/failure.ts'
import { retryPause$ } from '../operators/attempts.ts'
import { runOf } from './tickRun.ts'
import type { Api } from '../parts.ts'
import type { Scale } from '../types.ts'

/** A gap of more than this many pages (20,000 ticks) takes too long to fetch: restart from the head. */
const pagesMax = 4
const triesMax = 5
const retryMinMs = 1000

export type BackfillParts = {
  api: Pick<Api, 'ticks'>
  scaleOf: (id: string) => Promise<Scale>
  scheduler: SchedulerLike
}

/**
 * Fetches the ticks that a sequencer misses until it is in sync again. Gives up (pruned, gap too long, answers that do
 * not fit, or no answer) by restarting the sequencer, so that its subscribers reload what they show. Stops if the
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
      const answer = await parts.api.ticks(sequencer.id, { afterSeq: sequencer.seq })
      if (isAbandoned()) return
      const run = runOf(answer, scale)
      if (!run || (run.values.length > 0 && run.seq0 !== sequencer.seq + 1)) break
      sequencer.fill(run)
      if (sequencer.seq >= head() && sequencer.drain()) return
      if (run.values.length === 0) break
    } catch (error) {
      if (isAbandoned()) return
      if (!isTransient(failureOf(error)) || ++tries >= triesMax) break
      page--
      await firstValueFrom(retryPause$(tries, retryMinMs, parts.scheduler))
      if (isAbandoned()) return
    }
  }
  if (!isAbandoned()) sequencer.restart(Math.max(head(), sequencer.seq))
}
