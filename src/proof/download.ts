import { saveFile } from '../saveFile.ts'
import { proofFile } from './proofFile.ts'
import type { ProofFileParts } from './proofFile.ts'

/** Saves the proof as a JSON file, with the evidence on this device. */
export function downloadProof(parts: ProofFileParts): void {
  const text = JSON.stringify(proofFile(parts), null, 1)
  saveFile(new Blob([text], { type: 'application/json' }), `proof-${parts.proof.order.no}.json`)
}
