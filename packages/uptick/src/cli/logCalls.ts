import { parseCheckpoint } from '../../../../contract/tlog/checkpoint.ts'
import type { Checkpoint } from '../../../../contract/tlog/checkpoint.ts'
import { isContinued } from '../../../../contract/tlog/continuation.ts'
import type { Tree } from '../../../../contract/tlog/merkle.ts'
import { parseNote, parseVerifierKey, verifyNote } from '../../../../contract/tlog/note.ts'
import type { VerifierKey } from '../../../../contract/tlog/note.ts'
import { tilePath } from '../../../../contract/tlog/tiles.ts'
import { UsageError } from './command.ts'
import { originOf } from './venueCalls.ts'

const timeoutMs = 30_000

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

async function get(url: string, path: string): Promise<Response> {
  try {
    return await fetch(`${originOf(url)}/log/${path}`, { signal: AbortSignal.timeout(timeoutMs) })
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${originOf(url)} does not answer`)
  }
}

/** A venue's newest checkpoint, and its text; null if the key has not signed it. @throws UsageError without a log */
export async function fetchCheckpoint(
  url: string,
  key: VerifierKey,
): Promise<(Checkpoint & { text: string }) | null> {
  const answer = await get(url, 'checkpoint')
  const text = await answer.text()
  const note = answer.ok ? parseNote(text) : null
  const checkpoint = note && parseCheckpoint(note.text)
  if (!note || !checkpoint) throw new UsageError(`${originOf(url)} has no public log`)
  const isSigned = checkpoint.origin === key.name && (await verifyNote(note, key)) === true
  return isSigned ? { ...checkpoint, text } : null
}

/** Whether the larger of two trees continues the other; undefined if the venue's tiles do not show it. */
export const isContinuedBy = (url: string, a: Tree, b: Tree): Promise<boolean | undefined> =>
  isContinued(a, b, async (tile) => {
    const answer = await get(url, tilePath(tile))
    if (!answer.ok) throw new RangeError(`${tilePath(tile)} is missing`)
    return new Uint8Array(await answer.arrayBuffer())
  })

/** The 32 bytes of a secret key in hexadecimal. @throws UsageError for any other text */
export function seedOf(text: string): Buffer {
  if (!/^[0-9a-f]{64}$/i.test(text.trim())) throw new UsageError('a secret key has 64 hexadecimal characters')
  return Buffer.from(text.trim(), 'hex')
}
