import { saveFile } from '../saveFile.ts'
import type { WholeProof } from './collect.ts'

/** Hands the whole proof over as a JSON file, as the venue gave it. */
export function downloadProof(proof: WholeProof): void {
  const text = JSON.stringify(proof, null, 1)
  saveFile(new Blob([text], { type: 'application/json' }), `proof-${proof.order.no}.json`)
}
