import { epochMs } from '../../../contract/units.ts'
import type { LogReport } from '../../../contract/status.ts'
import { verifyCosignatures } from '../../../contract/tlog/checkpoint.ts'
import { parseNote } from '../../../contract/tlog/note.ts'
import type { Db } from '../../platform/db/database.ts'
import type { LogWitness } from './logWitnesses.ts'
import { readCheckpoints } from './logStore.ts'

/**
 * Reads what the status page states about the log. A stored checkpoint has the cosignatures of one round, some of which
 * may still be missing, so the newest one of each witness is remembered.
 */
export function createLogReport(db: Db, witnesses: readonly LogWitness[]): () => Promise<LogReport | null> {
  const keys = witnesses.map(({ key }) => key)
  let seen = { origin: '', secondsOf: new Map<string, number>() }
  return async () => {
    const { signed, witnessed } = await readCheckpoints(db)
    if (signed === null) return null
    if (seen.origin !== signed.origin) seen = { origin: signed.origin, secondsOf: new Map() }
    const { secondsOf } = seen
    const note = witnessed?.origin === signed.origin ? parseNote(witnessed.note) : null
    for (const { key, seconds } of note === null ? [] : await verifyCosignatures(note, keys)) {
      secondsOf.set(key.name, Math.max(seconds, secondsOf.get(key.name) ?? 0))
    }
    return {
      name: signed.origin,
      size: signed.size,
      at: epochMs(signed.at),
      witnesses: keys.map(({ name }) => {
        const seconds = secondsOf.get(name)
        return { name, seenAt: seconds === undefined ? null : epochMs(seconds * 1000) }
      }),
    }
  }
}
