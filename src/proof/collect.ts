import type { Head, WireTick } from '../../contract/chain.ts'
import { ticksPageMax } from '../../contract/constants.ts'
import type { Proof } from '../../contract/orders.ts'
import type { TicksAnswer } from '../../contract/products.ts'
import type { Result } from '../api/result.ts'

/** A proof with all its ticks, over as many pages as they took. */
export type WholeProof = Omit<Proof, 'more'> & {
  /** Where a page went on, and the head the venue gave for that place: the chain must pass through it. */
  seams: Head[]
}

/** More pages than the longest order's busiest product fills. */
const pagesMax = 200

export type TicksAfter = (productId: string, afterSeq: number, limit: number) => Promise<Result<TicksAnswer>>

/**
 * Follows a proof to its end: the ticks after those of the first answer, until one lies past `closeAt` or the
 * log ends, and then the head at that end. Calls nothing where the first answer holds all.
 */
export async function collectProof(proof: Proof, ticksAfter: TicksAfter): Promise<Result<WholeProof>> {
  const { more, ...first } = proof
  const { productId, closeAt } = proof.order
  const whole: WholeProof = { ...first, ticks: [...proof.ticks], seams: [] }
  const done: Result<WholeProof> = { ok: true, value: whole, at: proof.watermarkAt }
  if (!more) return done
  if (proof.after !== null) whole.seams.push(proof.after)
  for (let page = 0; page < pagesMax; page++) {
    const last = whole.ticks.at(-1)
    if (last === undefined || last[1] > closeAt) break
    const answer = await ticksAfter(productId, last[0], ticksPageMax)
    if (!answer.ok) return answer
    const { ticks, complete, before } = answer.value
    if (before !== null) whole.seams.push(before)
    whole.ticks.push(...upTo(ticks, closeAt))
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

/** Ticks to the first one past `closeAt`, that one included. */
function upTo(ticks: readonly WireTick[], closeAt: number): TicksAnswer['ticks'] {
  const end = ticks.findIndex((tick) => tick[1] > closeAt)
  const kept = end < 0 ? ticks : ticks.slice(0, end + 1)
  return kept.map(([seq, at, price, size]) => [seq, at, price, size])
}
