import { sha256OfBytes } from '../../contract/chain.ts'
import { parsePrice } from '../../contract/price.ts'
import { tickCountAt, parseRecording, scheduleRecording, tickAt } from '../../contract/recording.ts'
import { replayOf } from '../../contract/replayFingerprint.ts'
import type { CompleteProof } from './completeProof.ts'

export type PricesCheck =
  | { ok: true; count: number }
  /** The file does not match the fingerprint. */
  | { ok: false; why: 'file' }
  /** A tick differs from the recording, or one of the recording's ticks is missing before it. */
  | { ok: false; why: 'tick'; seq: number }
  /** A tick of the recording is missing at the end. */
  | { ok: false; why: 'missing'; at: number }

/**
 * Computes every tick of an order's time from the public recording and compares them: the nth tick is a function of the
 * file and the source's epoch. Ticks in a gap are not expected; ticks of another source are not compared.
 * @param zipped the recording's file, unmodified
 * @throws RangeError if the file is not a recording
 */
export function checkPrices(proof: CompleteProof, zipped: Uint8Array, csv: string): PricesCheck {
  const { order, ticks, gaps, sources, watermarkAt } = proof
  const own = sources.findIndex(({ fingerprint }) => fingerprint === order.terms.source)
  const replay = replayOf(order.terms.source)
  const source = sources[own]
  if (!replay || !source || sha256OfBytes(zipped) !== replay.sha256) return { ok: false, why: 'file' }
  const { priceDecimals } = order.terms
  const schedule = scheduleRecording(parseRecording(csv, priceDecimals, 0), replay)
  const after = Math.max(order.acceptedAt, source.sinceAt)
  const until = Math.min(order.closeAt, watermarkAt, sources[own + 1]?.sinceAt ?? order.closeAt)
  const isInGap = (at: number): boolean => gaps.some(({ from, to }) => at > from && (to === null || at <= to))
  const stated = ticks.filter(([, at]) => at > after && at <= until)
  let count = 0
  for (
    let n = tickCountAt(schedule, source.epoch, after);
    n < tickCountAt(schedule, source.epoch, until);
    n++
  ) {
    const { at, price } = tickAt(schedule, source.epoch, n)
    if (isInGap(at)) continue
    const tick = stated[count]
    if (tick === undefined) return { ok: false, why: 'missing', at }
    if (tick[1] !== at || parsePrice(tick[2], priceDecimals) !== price)
      return { ok: false, why: 'tick', seq: tick[0] }
    count++
  }
  const extra = stated[count]
  return extra ? { ok: false, why: 'tick', seq: extra[0] } : { ok: true, count }
}
