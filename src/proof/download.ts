import type { WholeProof } from './collect.ts'

/** Hands the whole proof over as a JSON file, as the venue gave it. */
export function downloadProof(proof: WholeProof): void {
  const text = JSON.stringify(proof, null, 1)
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `proof-${proof.order.no}.json`
  link.click()
  // Browsers read the object after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
