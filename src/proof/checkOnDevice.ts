import type { SeenHead } from '../../streams/index.ts'
import type { AgreedTerms } from '../state/agreedTerms.ts'
import { headOfFeed, type StoredHead, type StoredReceipt } from '../state/evidence.ts'
import { evidence } from '../state/memberStores.ts'
import { session } from '../state/session.ts'
import { checkProof, type ProofReport } from './check.ts'
import type { CompleteProof } from './completeProof.ts'
import { pause } from './pause.ts'
import type { ReceiptEvidence } from './receipt.ts'
import { receiptKeys, venueLogKeys } from './venueLogKeys.ts'

export type DeviceCheck = {
  report: ProofReport
  /** The heads on this device that are relevant to the order, oldest first. */
  heads: readonly StoredHead[]
  /** The order's terms as this device first received them. */
  agreed: AgreedTerms | null
  /** The receipt that this device kept, or else that of the venue's answer. */
  receipt: string | null
}

/** What a receipt is compared with on this device. */
export function receiptEvidenceOf(kept: StoredReceipt | null): ReceiptEvidence {
  const memberId = session.userInfo?.id
  const account = kept !== null && memberId !== undefined ? { memberId, salt: kept.salt } : undefined
  return { kept: kept?.text, keys: receiptKeys(), account }
}

/**
 * Checks a proof against the evidence on this device: the agreed terms, the heads that came with the order, and those
 * received live. The relevant heads are stored with the order.
 */
export async function checkOnDevice(
  proof: CompleteProof,
  seenHeads: (productId: string) => readonly SeenHead[],
): Promise<DeviceCheck> {
  const { order } = proof
  const stored = await evidence.get(order.id)
  const live = seenHeads(order.productId).map(headOfFeed)
  const heads = [...stored.heads, ...live.filter((one) => !isAmong(stored.heads, one))]
  // The proof is the venue's answer, and so is its receipt.
  const receipt = stored.receipt?.text ?? proof.receipt
  const report = await checkProof(
    proof,
    {
      agreed: stored.agreed,
      heads,
      logKeys: venueLogKeys(),
      receipt: { ...receiptEvidenceOf(stored.receipt), kept: receipt },
    },
    pause,
  )
  const relevant = heads.filter((one) => isRelevant(one, proof)).sort((a, b) => a.seq - b.seq)
  void evidence.addHeads(order, relevant)
  return { report, heads: relevant, agreed: stored.agreed, receipt }
}

export const isAmong = (heads: readonly StoredHead[], one: SeenHead): boolean =>
  heads.some(
    ({ seq, hash, watermark }) => seq === one.seq && hash === one.hash && watermark === one.watermark,
  )

/** A head that the proof's chain passes through, or whose watermark covers time of the order. */
function isRelevant({ seq, watermark }: StoredHead, { before, ticks, order }: CompleteProof): boolean {
  const inChain = seq >= (before?.seq ?? 0) && seq <= (ticks.at(-1)?.[0] ?? 0)
  return inChain || (watermark > order.acceptedAt && watermark <= order.closeAt)
}
