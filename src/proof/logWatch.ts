import { toBase64 } from '../../contract/tlog/base64.ts'
import { parseCheckpoint, type Checkpoint } from '../../contract/tlog/checkpoint.ts'
import { isContinued } from '../../contract/tlog/continuation.ts'
import {
  parseNote,
  parseVerifierKey,
  verifyEd25519,
  verifyNote,
  type VerifyEd25519,
} from '../../contract/tlog/note.ts'
import { tilePath } from '../../contract/tlog/tiles.ts'
import type { LogAlarm, SeenCheckpoint } from '../state/logMemory.ts'

export type LogWatchParts = {
  /** A file below the venue's `/log/`; undefined if it does not answer with one. */
  fetchLog: (path: string) => Promise<Uint8Array | undefined>
  /** The key that the venue states now. */
  logKey: string
  read: () => { newest: SeenCheckpoint | null; alarm: LogAlarm | null }
  write: (memory: { newest: SeenCheckpoint | null; alarm: LogAlarm | null }) => void
  now: () => number
  verify?: VerifyEd25519
}

type Tiles = Record<string, string>

/**
 * Compares the venue's public log with the newest checkpoint that this device has seen, and stores the newer of the two. If
 * the log does not continue it, that is an alarm, with what proves it. What cannot be fetched or verified changes nothing:
 * the next connect asks again, and a venue that has lost leaves shows it once it has more of them than this device saw.
 */
export async function compareLog(parts: LogWatchParts): Promise<void> {
  const { fetchLog, logKey, read, write, now, verify = verifyEd25519 } = parts
  const key = parseVerifierKey(logKey)
  const bytes = key && (await fetchLog('checkpoint'))
  if (!key || !bytes) return
  const seen = { note: new TextDecoder().decode(bytes), logKey }
  const checkpoint = checkpointIn(seen)
  const note = parseNote(seen.note)
  if (!checkpoint || !note || checkpoint.origin !== key.name) return
  const isSigned = await verifyNote(note, key, verify).catch(() => false)
  if (isSigned !== true) return
  const { newest, alarm } = read()
  const before = newest && checkpointIn(newest)
  // One alarm at a time: until it is read, the first contradiction stays.
  if (alarm !== null) return
  if (newest === null || before === null) return write({ newest: seen, alarm: null })
  const alarmOf = (kind: LogAlarm['kind'], tiles: Tiles): LogAlarm => ({
    kind,
    before: newest,
    now: seen,
    at: now(),
    tiles,
  })
  // Under the same name it is another log too: the venue's key does not change.
  if (newest.logKey !== logKey) return write({ newest, alarm: alarmOf('replaced', {}) })
  const tiles: Tiles = {}
  const continues = await isContinued(before, checkpoint, async (tile) => {
    const path = tilePath(tile)
    const tileBytes = await fetchLog(path)
    if (!tileBytes) throw new RangeError(`${path} is missing`)
    tiles[path] = toBase64(tileBytes)
    return tileBytes
  })
  // Another tab may have found a contradiction meanwhile.
  if (read().alarm !== null) return undefined
  if (continues === false) return write({ newest, alarm: alarmOf('fork', tiles) })
  if (continues === true && checkpoint.size > before.size) return write({ newest: seen, alarm: null })
  return undefined
}

const checkpointIn = ({ note }: SeenCheckpoint): Checkpoint | null => {
  const parsed = parseNote(note)
  return parsed && parseCheckpoint(parsed.text)
}
