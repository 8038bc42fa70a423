import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  parseCheckpoint,
  verifyCosignatures,
  type Checkpoint,
  type Cosignature,
} from '../../../../contract/tlog/checkpoint.ts'
import { isContinued } from '../../../../contract/tlog/continuation.ts'
import type { Tree } from '../../../../contract/tlog/merkle.ts'
import { parseNote, parseVerifierKey, verifyNote, type VerifierKey } from '../../../../contract/tlog/note.ts'
import { tilePath } from '../../../../contract/tlog/tiles.ts'
import { UsageError } from './command.ts'
import { originOf } from './venueCalls.ts'
import { isOk, waitingRequest } from './waitingRequest.ts'

/** Reads a file of a public log by its path, such as `checkpoint` or `tile/0/000`; undefined: there is none. */
export type LogFiles = (path: string) => Promise<Uint8Array | undefined>

/** A bundle of 256 entries, each as long as its two bytes of length can say, and no other file is larger. */
const fileMaxBytes = 256 * (2 + 0xff_ff)

/** The log of a venue. @throws UsageError if it does not answer, or with something else than a file or 4xx */
export function venueLogFiles(url: string, signal: AbortSignal): LogFiles {
  const origin = originOf(url)
  return async (path) => {
    const address = `${origin}/log/${path}`
    const { status, answer } = await waitingRequest(address, signal)
    if (!isOk(status)) {
      answer.resume()
      if (status >= 400 && status < 500) return undefined
      throw new UsageError(`${address} answered ${status}`)
    }
    const parts: Uint8Array[] = []
    let length = 0
    try {
      for await (const part of answer as AsyncIterable<Uint8Array>) {
        length += part.length
        if (length > fileMaxBytes) throw new UsageError(`${address} is too long`)
        parts.push(part)
      }
    } catch (error) {
      if (error instanceof UsageError) throw error
      throw new UsageError(`${address}: the answer breaks off`)
    }
    return Buffer.concat(parts, length)
  }
}

/** More files than one order needs: with 8 kB each at most, they take a few megabytes. */
const knownMax = 500

/** Reads each file once, for as long as there are few. */
export function knownLogFiles(files: LogFiles): LogFiles {
  const known = new Map<string, ReturnType<LogFiles>>()
  return (path) => {
    const found = known.get(path) ?? files(path)
    if (known.size >= knownMax) known.clear()
    known.set(path, found)
    return found
  }
}

/** A copy of a log in a folder, each file under its path. @throws UsageError if one cannot be read */
export const folderLogFiles =
  (folder: string): LogFiles =>
  async (path) => {
    try {
      return await readFile(join(folder, path))
    } catch (error) {
      throw new UsageError(`${join(folder, path)} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
    }
  }

/** The key of the log. @throws UsageError if the text is none */
export function logKeyOf(text: string): VerifierKey {
  const key = parseVerifierKey(text)
  if (key?.type !== 'ed25519')
    throw new UsageError(
      `${text} is no key of a public log`,
      'such as venue.example/log/1a2b3c4d+01234567+AQ…',
    )
  return key
}

/** The key of a witness. @throws UsageError if the text is none */
export function witnessKeyOf(text: string): VerifierKey {
  const key = parseVerifierKey(text)
  if (key?.type !== 'cosignature') throw new UsageError(`${text} is no key of a witness`)
  return key
}

/** A checkpoint that the log has signed, with the cosignatures of the witnesses asked for. */
export type SignedCheckpoint = Checkpoint & { cosignatures: Cosignature[] }

/** A log's newest checkpoint; null if the key has not signed it. @throws UsageError if there is none */
export async function readCheckpoint(
  read: LogFiles,
  key: VerifierKey,
  witnesses: readonly VerifierKey[] = [],
): Promise<SignedCheckpoint | null> {
  const note = parseNote(Buffer.from((await read('checkpoint')) ?? []).toString())
  const checkpoint = note && parseCheckpoint(note.text)
  if (!note || !checkpoint) throw new UsageError('there is no checkpoint of a public log')
  if (checkpoint.origin !== key.name || (await verifyNote(note, key)) !== true) return null
  return { ...checkpoint, cosignatures: await verifyCosignatures(note, witnesses) }
}

/** Whether the larger of two trees continues the other; undefined if the log's tiles do not show it. */
export const isContinuedBy = (files: LogFiles, a: Tree, b: Tree): Promise<boolean | undefined> =>
  isContinued(a, b, async (tile) => {
    const bytes = await files(tilePath(tile))
    if (bytes === undefined) throw new RangeError(`${tilePath(tile)} is missing`)
    return bytes
  })
