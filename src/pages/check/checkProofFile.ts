import { checkProof } from '../../proof/check.ts'
import type { ProofReport } from '../../proof/check.ts'
import type { CompleteProof } from '../../proof/completeProof.ts'
import { pause } from '../../proof/pause.ts'
import { readProofFile } from '../../proof/readProofFile.ts'
import { venueLogKeys } from '../../proof/venueLogKeys.ts'
import type { ReadProofFile } from '../../proof/readProofFile.ts'

export type FileCheck =
  | { ok: true; proof: CompleteProof; report: ProofReport }
  | { ok: false; why: 'unreadable' }
  | Exclude<ReadProofFile, { ok: true }>

/** Reads an exported proof and recomputes its result from the file alone; the public log's signature is compared with its key. */
export async function checkProofFile(file: Blob): Promise<FileCheck> {
  let text: string
  try {
    text = await file.text()
  } catch {
    // It was moved or changed since it was chosen.
    return { ok: false, why: 'unreadable' }
  }
  const read = readProofFile(parseJson(text))
  if (!read.ok) return read
  const { proof, evidence } = read
  return { ok: true, proof, report: await checkProof(proof, { ...evidence, logKeys: venueLogKeys() }, pause) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
