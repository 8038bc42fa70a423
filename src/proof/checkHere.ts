import type { SeenHead } from '../../streams/index.ts'
import type { Agreed, KeptHead } from '../state/evidence.ts'
import { headOfFeed } from '../state/evidence.ts'
import { evidence } from '../state/offlineMember.ts'
import type { ProofReport } from './check.ts'
import { checkProof } from './check.ts'
import type { WholeProof } from './collect.ts'

export type CheckedHere = {
  report: ProofReport
  /** The heads held on this device that say something about the order, oldest first. */
  heads: readonly KeptHead[]
  /** The order as this device first heard of it. */
  agreed: Agreed | null
}

/** Lets the page draw and answer taps between two chunks of work. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/**
 * Checks a proof against all that this device holds: what was agreed, the heads that came with the order, and those seen
 * live. The heads that matter for the order are kept with it.
 */
export async function checkHere(
  proof: WholeProof,
  seenHeads: (productId: string) => readonly SeenHead[],
): Promise<CheckedHere> {
  const { order } = proof
  const held = await evidence.held(order.id)
  const live = seenHeads(order.productId).map(headOfFeed)
  const heads = [...held.heads, ...live.filter((one) => !isAmong(held.heads, one))]
  const report = await checkProof(proof, { agreed: held.agreed, heads }, pause)
  const matter = heads.filter((one) => matters(one, proof)).sort((a, b) => a.seq - b.seq)
  void evidence.keepHeads(order, matter)
  return { report, heads: matter, agreed: held.agreed }
}

const isAmong = (heads: readonly KeptHead[], one: KeptHead): boolean =>
  heads.some(
    ({ seq, hash, watermark }) => seq === one.seq && hash === one.hash && watermark === one.watermark,
  )

/** A head that the proof's chain passes through, or that shows time of the order as covered. */
function matters({ seq, watermark }: KeptHead, { before, ticks, order }: WholeProof): boolean {
  const inChain = seq >= (before?.seq ?? 0) && seq <= (ticks.at(-1)?.[0] ?? 0)
  return inChain || (watermark > order.acceptedAt && watermark <= order.closeAt)
}
