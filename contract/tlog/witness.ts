import { fromBase64 } from './base64.ts'
import { parseCheckpoint, type Checkpoint } from './checkpoint.ts'
import { emptyRoot, isSameHash, verifyConsistency, type TreeHash } from './merkle.ts'
import {
  formatSignature,
  parseNote,
  verifyEd25519,
  verifyNote,
  type NoteSignature,
  type SignedNote,
  type VerifierKey,
  type VerifyEd25519,
} from './note.ts'

/** A log as a witness stores it: its key, and the newest tree that the witness has cosigned; null: none yet. */
export type WitnessedLog = { key: VerifierKey; latest: Checkpoint | null }

/** The answer of a witness; `cosigned` is what it must store before it sends a 200. */
export type WitnessAnswer =
  | { status: 200; text: string; cosigned: Checkpoint & { note: SignedNote } }
  | { status: 400 | 403 | 404 | 409 | 422; text: string }

const rejected = (status: 400 | 403 | 404 | 409 | 422, text = ''): WitnessAnswer => ({ status, text })
const proofMax = 63

/**
 * Decides a request to cosign a checkpoint (`add-checkpoint` of C2SP tlog-witness). Requests for one log must be
 * decided one after the other, with what the one before has stored. A 409 is sent with the type `text/x.tlog.size`.
 * @param logOf the log with an origin, if the witness is configured for it
 * @param cosign signs the text of a checkpoint, with the time
 */
export async function decideAddCheckpoint(
  request: string,
  logOf: (origin: string) => WitnessedLog | undefined,
  cosign: (text: string) => Promise<NoteSignature>,
  verify: VerifyEd25519 = verifyEd25519,
): Promise<WitnessAnswer> {
  const parsed = parseRequest(request)
  if (parsed === null) return rejected(400)
  const { oldSize, proof, note, checkpoint } = parsed
  const log = logOf(checkpoint.origin)
  if (log === undefined) return rejected(404)
  if ((await verifyNote(note, log.key, verify)) !== true) return rejected(403)
  if (oldSize > checkpoint.size) return rejected(400)
  const known = log.latest ?? { size: 0, root: emptyRoot() }
  if (oldSize !== known.size) return rejected(409, `${known.size}\n`)
  const isEmpty = checkpoint.size === 0 && !isSameHash(checkpoint.root, emptyRoot())
  if (isEmpty || !verifyConsistency(known, checkpoint, proof)) return rejected(422)
  const signature = await cosign(note.text)
  const own = note.signatures.filter(({ name }) => name === log.key.name)
  const cosigned = { ...checkpoint, note: { text: note.text, signatures: [...own, signature] } }
  return { status: 200, text: formatSignature(signature), cosigned }
}

type AddCheckpoint = { oldSize: number; proof: TreeHash[]; note: SignedNote; checkpoint: Checkpoint }

function parseRequest(request: string): AddCheckpoint | null {
  const end = request.indexOf('\n\n')
  const note = end < 0 ? null : parseNote(request.slice(end + 2))
  const checkpoint = note && parseCheckpoint(note.text)
  const [first = '', ...lines] = request.slice(0, Math.max(0, end)).split('\n')
  const [, old] = /^old (0|[1-9]\d{0,14})$/.exec(first) ?? []
  const proof = lines.flatMap((line) => fromBase64(line) ?? [])
  if (!note || !checkpoint || old === undefined) return null
  if (proof.length !== lines.length || proof.length > proofMax) return null
  return { oldSize: Number(old), proof, note, checkpoint }
}
