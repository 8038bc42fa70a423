import { saveFile } from '../saveFile.ts'
import { proofFile } from './proofFile.ts'
import type { ProofFileParts } from './proofFile.ts'

/** Hands the proof over as a JSON file, with what this device holds beside it. */
export function downloadProof(parts: ProofFileParts): void {
  const text = JSON.stringify(proofFile(parts), null, 1)
  saveFile(new Blob([text], { type: 'application/json' }), `proof-${parts.proof.order.no}.json`)
}
