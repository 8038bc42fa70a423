import { checkProof, type ComparedHead, type ProofEvidence, type ProofReport } from '../../proof/check.ts'
import { isAmong, receiptEvidenceOf } from '../../proof/checkOnDevice.ts'
import type { CompleteProof } from '../../proof/completeProof.ts'
import type { LogKeys } from '../../proof/log.ts'
import { pause } from '../../proof/pause.ts'
import { proofFileMaxBytes, readProofFile, type ReadProofFile } from '../../proof/readProofFile.ts'
import type { ReceiptEvidence } from '../../proof/receipt.ts'
import { venueLogKeys } from '../../proof/venueLogKeys.ts'
import type { StoredEvidence, StoredReceipt } from '../../state/evidence.ts'
import { evidence } from '../../state/memberStores.ts'

export type FileCheck =
  /** `isKept`: this device kept the receipt of the order; `isOwn`: and the file holds. */
  | { ok: true; proof: CompleteProof; report: ProofReport; isKept: boolean; isOwn: boolean }
  | { ok: false; why: 'unreadable' }
  | { ok: false; why: 'large' }
  | Exclude<ReadProofFile, { ok: true }>

/** The order data stored on this device, and the keys with which it verifies signatures. */
export type CheckingDevice = {
  evidenceOf: (orderId: string) => Promise<StoredEvidence>
  receiptEvidenceOf: (kept: StoredReceipt | null) => ReceiptEvidence
  logKeys: () => LogKeys
}
const thisDevice: CheckingDevice = { evidenceOf: evidence.get, receiptEvidenceOf, logKeys: venueLogKeys }

/**
 * Reads an exported proof and recomputes its result from the file alone; its signatures are compared with the venue's key. What
 * the file says that a device saw or agreed to counts as that only for an order of this device.
 */
export async function checkProofFile(file: Blob, device = thisDevice): Promise<FileCheck> {
  if (file.size > proofFileMaxBytes) return { ok: false, why: 'large' }
  let text: string
  try {
    text = await file.text()
  } catch {
    // It was moved or changed since it was chosen.
    return { ok: false, why: 'unreadable' }
  }
  const read = readProofFile(parseJson(text))
  if (!read.ok) return read
  const { proof, evidence: stated } = read
  const { isKept, ...compared } = await comparedOnDevice(proof, stated, device)
  const report = await checkProof(proof, { ...compared, logKeys: device.logKeys() }, pause)
  return { ok: true, proof, report, isKept, isOwn: isKept && report.ok }
}

/** What the file is compared with: on the device of the member whose order it is also what that kept, whatever the file has. */
async function comparedOnDevice(
  { order }: CompleteProof,
  { agreed, heads }: ProofEvidence,
  device: CheckingDevice,
): Promise<Pick<ProofEvidence, 'agreed' | 'heads' | 'receipt'> & { isKept: boolean }> {
  const kept = await device.evidenceOf(order.id)
  const isKept = kept.receipt !== null
  const ofFile = heads.map((head): ComparedHead => ({ ...head, statedBy: 'file' }))
  if (!isKept) return { agreed, heads: ofFile, receipt: device.receiptEvidenceOf(null), isKept }
  return {
    // The file may have the venue's version, for its own device too.
    agreed: kept.agreed ?? agreed,
    heads: [...kept.heads, ...ofFile.filter((head) => !isAmong(kept.heads, head))],
    receipt: device.receiptEvidenceOf(kept.receipt),
    isKept,
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
