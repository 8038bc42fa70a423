/** What a PostgreSQL client sent, split at the points where the server has to answer. */
export type FrontendBatch =
  | { readonly kind: 'ssl' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'startup'; readonly bytes: Uint8Array }
  | { readonly kind: 'messages'; readonly bytes: Uint8Array }
  | { readonly kind: 'terminate' }

const sslRequestCode = 80_877_103
const gssRequestCode = 80_877_104
const cancelRequestCode = 80_877_102

/** Messages after which a client waits: Query, Sync, Flush, CopyDone, CopyFail. */
const awaitsAnswer = new Set(['Q', 'S', 'H', 'c', 'f'].map((letter) => letter.charCodeAt(0)))
const terminateMessage = 'X'.charCodeAt(0)

const parseMessage = 'P'.charCodeAt(0)

const emptyBytes = new Uint8Array(0)

/**
 * Splits the bytes of the PostgreSQL wire protocol (version 3) into batches. A batch of an extended query is held back
 * until its Sync, so that the engine is never in the middle of one when the connection breaks.
 * Message formats: https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export class FrontendMessageParser {
  #rest: Uint8Array = emptyBytes
  #started = false

  /** Takes bytes in chunks of any size; returns the batches that they complete. */
  push(chunk: Uint8Array): FrontendBatch[] {
    this.#rest = this.#rest.length === 0 ? chunk : concat(this.#rest, chunk)
    const batches: FrontendBatch[] = []
    while (!this.#started) {
      const first = this.#takeStartup()
      if (first === null) return batches
      batches.push(first)
    }
    this.#takeMessages(batches)
    return batches
  }

  /** Messages up to the start-up packet have no type letter: a length, then a code. */
  #takeStartup(): FrontendBatch | null {
    if (this.#rest.length < 8) return null
    const view = viewOf(this.#rest)
    const length = view.getInt32(0)
    if (this.#rest.length < length) return null
    const bytes = this.#take(length)
    switch (view.getInt32(4)) {
      case sslRequestCode:
      case gssRequestCode:
        return { kind: 'ssl' }
      case cancelRequestCode:
        return { kind: 'cancel' }
      default:
        this.#started = true
        return { kind: 'startup', bytes }
    }
  }

  #takeMessages(batches: FrontendBatch[]): void {
    const view = viewOf(this.#rest)
    let batchStart = 0
    let at = 0
    while (at + 5 <= this.#rest.length) {
      const end = at + 1 + view.getInt32(at + 1)
      if (end > this.#rest.length) break
      const letter = view.getUint8(at)
      if (letter === terminateMessage) batches.push({ kind: 'terminate' })
      else if (awaitsAnswer.has(letter))
        batches.push({ kind: 'messages', bytes: this.#rest.subarray(batchStart, end) })
      if (letter === terminateMessage || awaitsAnswer.has(letter)) batchStart = end
      at = end
    }
    this.#take(batchStart)
  }

  #take(length: number): Uint8Array {
    const taken = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    return taken
  }
}

/** The names under which a batch of messages prepares statements; those without a name are left out. */
export function statementNames(bytes: Uint8Array): string[] {
  const names: string[] = []
  const view = viewOf(bytes)
  for (let at = 0; at + 5 <= bytes.length; at += 1 + view.getInt32(at + 1)) {
    const end = bytes.indexOf(0, at + 5)
    if (bytes[at] === parseMessage && end > at + 5)
      names.push(Buffer.from(bytes.subarray(at + 5, end)).toString())
  }
  return names
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function concat(left: Uint8Array, right: Uint8Array): Uint8Array {
  const result = new Uint8Array(left.length + right.length)
  result.set(left)
  result.set(right, left.length)
  return result
}
