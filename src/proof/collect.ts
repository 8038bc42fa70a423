import type { Head, WireTick } from '../../contract/chain.ts'
import { ticksPageMax } from '../../contract/constants.ts'
import type { Proof } from '../../contract/orders.ts'
import { toRestTick, type TicksAnswer } from '../../contract/products.ts'
import type { Result } from '../api/result.ts'
import type { CompleteProof } from './completeProof.ts'
import { loggedHead } from './log.ts'

/** More pages than the longest order of the busiest product fills. */
const pagesMax = 200

export type TicksAfter = (productId: string, afterSeq: number, limit: number) => Promise<Result<TicksAnswer>>

/**
 * Completes a proof: fetches the ticks after those of the first answer, until one is past `closeAt` and at the head in the
 * public log, or the log ends, and then the head at that end. Sends nothing if the first answer is complete.
 */
export async function collectProof(proof: Proof, ticksAfter: TicksAfter): Promise<Result<CompleteProof>> {
  const { more, ...first } = proof
  const { productId, closeAt } = proof.order
  const untilSeq = loggedHead(proof)?.seq ?? 0
  const whole: CompleteProof = { ...first, ticks: [...proof.ticks], seams: [] }
  const done: Result<CompleteProof> = { ok: true, value: whole, at: proof.watermarkAt }
  if (!more) return done
  if (proof.after !== null) whole.seams.push(proof.after)
  for (let page = 0; page < pagesMax; page++) {
    const last = whole.ticks.at(-1)
    if (last === undefined || (last[1] > closeAt && last[0] >= untilSeq)) break
    const answer = await ticksAfter(productId, last[0], ticksPageMax)
    if (!answer.ok) return answer
    const { ticks, complete, before } = answer.value
    if (before !== null) whole.seams.push(before)
    whole.ticks.push(...upTo(ticks, closeAt, untilSeq))
    if (complete || ticks.length === 0) break
  }
  const last = whole.ticks.at(-1)
  if (last === undefined) return done
  whole.final = last[1] > closeAt
  const end = await ticksAfter(productId, last[0], 1)
  if (!end.ok) return end
  whole.after = end.value.before
  return done
}

/** Ticks up to and including the first one past `closeAt` that is not before number `untilSeq`. */
function upTo(ticks: readonly WireTick[], closeAt: number, untilSeq: number): TicksAnswer['ticks'] {
  const end = ticks.findIndex((tick) => tick[1] > closeAt && tick[0] >= untilSeq)
  const taken = end < 0 ? ticks : ticks.slice(0, end + 1)
  return taken.map(toRestTick)
}

/** Heads further away from an order than this are ignored: they would cost too many calls. */
const extendTicksMax = 4 * ticksPageMax

/**
 * Extends a proof in both directions to the heads that came with the order, so that the chain passes through them: the
 * newest of those before the proof's first tick, and the first of those after its last.
 */
export async function extendToHeads(
  whole: CompleteProof,
  heads: readonly Head[],
  ticksAfter: TicksAfter,
): Promise<Result<CompleteProof>> {
  const done: Result<CompleteProof> = { ok: true, value: whole, at: whole.watermarkAt }
  const { before, after, order } = whole
  if (before === null || after === null) return done
  const earlier = nearest(
    heads.filter(({ seq }) => seq < before.seq && seq >= before.seq - extendTicksMax),
    before,
  )
  if (earlier !== undefined) {
    const run = await ticksBetween(order.productId, earlier.seq, before.seq, ticksAfter)
    if (!run.ok && !isPruned(run)) return run
    if (run.ok && run.value.before !== null) {
      whole.ticks = [...run.value.ticks, ...whole.ticks]
      whole.seams.push(before)
      whole.before = run.value.before
    }
  }
  const later = nearest(
    heads.filter(({ seq }) => seq > after.seq && seq <= after.seq + extendTicksMax),
    after,
  )
  if (later !== undefined) {
    const run = await ticksBetween(order.productId, after.seq, later.seq, ticksAfter)
    if (!run.ok && !isPruned(run)) return run
    const last = run.ok ? run.value.ticks.at(-1) : undefined
    if (run.ok && (last?.[0] ?? after.seq) < later.seq) whole.logEnd = last?.[0] ?? after.seq
    if (run.ok && last !== undefined) {
      const end = await ticksAfter(order.productId, last[0], 1)
      if (!end.ok) return end
      whole.ticks = [...whole.ticks, ...run.value.ticks]
      whole.seams.push(after)
      whole.after = end.value.before
    }
  }
  return done
}

const nearest = (heads: readonly Head[], to: Head): Head | undefined =>
  [...heads].sort((a, b) => Math.abs(a.seq - to.seq) - Math.abs(b.seq - to.seq))[0]

/** The venue deletes old ticks that no order's proof needs: that is not an error. */
const isPruned = (answer: Result<unknown>): boolean =>
  !answer.ok && answer.failure.kind === 'rejected' && answer.failure.status === 410

/** The ticks after `from` up to `to`, from all pages, with the head that they start from. */
async function ticksBetween(
  productId: string,
  from: number,
  to: number,
  ticksAfter: TicksAfter,
): Promise<Result<Pick<TicksAnswer, 'ticks' | 'before'>>> {
  const ticks: TicksAnswer['ticks'] = []
  let before: Head | null = null
  while ((ticks.at(-1)?.[0] ?? from) < to) {
    const at = ticks.at(-1)?.[0] ?? from
    const page = await ticksAfter(productId, at, Math.min(ticksPageMax, to - at))
    if (!page.ok) return page
    before ??= page.value.before
    if (page.value.ticks.length === 0) break
    ticks.push(...page.value.ticks)
  }
  return { ok: true, value: { ticks, before }, at: 0 }
}
