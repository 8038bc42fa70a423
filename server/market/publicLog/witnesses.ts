import { toBase64 } from '../../../contract/tlog/base64.ts'
import { parseCheckpoint, verifyCosignatures } from '../../../contract/tlog/checkpoint.ts'
import {
  formatNote,
  parseNote,
  parseSignature,
  type NoteSignature,
  type SignedNote,
} from '../../../contract/tlog/note.ts'
import type { CheckpointRow } from '../schema.ts'
import type { LogWitness } from './logWitnesses.ts'
import type { Report } from '../../platform/ports.ts'
import type { LogReader } from './logReader.ts'

type WitnessParts = {
  witnesses: readonly LogWitness[]
  reader: Pick<LogReader, 'consistency'>
  newest: () => Promise<CheckpointRow | null>
  save: (checkpoint: Omit<CheckpointRow, 'kind'>) => Promise<void>
  report: Report
}

/** Requests to a witness that got no cosignature; `conflicts`: it has cosigned what this log does not continue. */
export type WitnessCounts = { name: string; failures: number; conflicts: number }

/** The witness has cosigned a larger log or a different history: this key signs two logs. */
class WitnessConflictError extends Error {
  override readonly name = 'WitnessConflictError'
}

/** A witness that takes longer for both tries is asked again in the next round. */
const answersMaxMs = 4000
const answerMaxBytes = 16_384

/**
 * Asks every witness to cosign the newest checkpoint (C2SP tlog-witness); `run` is one round. Each cosignature is
 * stored as it arrives, so that a witness that does not answer delays no other.
 */
export function createWitnessRound({ witnesses, reader, newest, save, report }: WitnessParts): {
  run: () => Promise<void>
  counts: () => readonly WitnessCounts[]
} {
  const counts = new Map(
    witnesses.map((each): [LogWitness, WitnessCounts] => [
      each,
      { name: each.key.name, failures: 0, conflicts: 0 },
    ]),
  )
  const count = (witness: LogWitness, error: unknown): void => {
    const own = counts.get(witness)
    if (own) own.failures += 1
    if (own && error instanceof WitnessConflictError) own.conflicts += 1
  }
  /** The size that each witness cosigned last, as far as known. */
  const sizes = new Map<LogWitness, number>()

  const ask = async (witness: LogWitness, note: SignedNote, size: number): Promise<NoteSignature | null> => {
    const signal = AbortSignal.timeout(answersMaxMs)
    // The second time with the size that the witness has named.
    for (let tries = 0; tries < 2; tries++) {
      const from = sizes.get(witness) ?? 0
      const proof = await reader.consistency(from, size)
      const lines = [`old ${from}`, ...proof.map(toBase64), '', '']
      const body = lines.join('\n') + formatNote(note)
      const answer = await post(`${witness.url}/add-checkpoint`, { body, signal })
      if (answer.status === 200) {
        sizes.set(witness, size)
        return cosignatureIn(answer.text, note, witness)
      }
      if (answer.status === 422)
        throw new WitnessConflictError(`it has cosigned another past: ${size} leaves do not continue ${from}`)
      const seen = answer.status === 409 ? sizeIn(answer.text) : null
      if (seen === null) throw new Error(`it answered ${answer.status}`)
      if (seen > size)
        throw new WitnessConflictError(`it has cosigned a larger log, of size ${seen}: this one has ${size}`)
      sizes.set(witness, seen)
    }
    return null
  }

  const run = async (): Promise<void> => {
    const checkpoint = witnesses.length === 0 ? null : await newest()
    const note = checkpoint && parseNote(checkpoint.note)
    if (!checkpoint || !note) return
    const signatures = [...note.signatures]
    let saved = Promise.resolve()
    await Promise.all(
      witnesses.map(async (witness) => {
        try {
          const signature = await ask(witness, note, checkpoint.size)
          if (signature === null) return
          signatures.push(signature)
          const { text } = note
          const { origin, size, at } = checkpoint
          saved = saved.then(() => save({ origin, size, at, note: formatNote({ text, signatures }) }))
          await saved
        } catch (error) {
          count(witness, error)
          report(`the witness ${witness.key.name} did not cosign the public log`, error)
        }
      }),
    )
  }
  return { run, counts: () => [...counts.values()] }
}

async function post(
  url: string,
  { body, signal }: { body: string; signal: AbortSignal },
): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, { method: 'POST', body, redirect: 'error', signal })
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of answer.body ?? []) {
    length += part.length
    // Ends the connection: a witness could send until the memory is full.
    if (length > answerMaxBytes) throw new Error('its answer is too long')
    parts.push(part)
  }
  return { status: answer.status, text: Buffer.concat(parts).toString() }
}

const sizeIn = (text: string): number | null => (/^(0|[1-9]\d{0,14})\n$/.test(text) ? Number(text) : null)

/** The witness's own line in its answer, if that is a cosignature of the note. */
async function cosignatureIn(
  answer: string,
  note: SignedNote,
  { key }: LogWitness,
): Promise<NoteSignature | null> {
  const lines = answer.split('\n').flatMap((line) => parseSignature(line) ?? [])
  for (const line of lines) {
    const [found] = await verifyCosignatures({ text: note.text, signatures: [line] }, [key])
    if (found) return line
  }
  throw new Error(`its answer has no cosignature of checkpoint ${parseCheckpoint(note.text)?.size}`)
}
