import { createCipheriv, createDecipheriv, createHmac, randomBytes, type DecipherGCM } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { deriveKey } from '../keyDerivation.ts'

/** What the nodes of one venue share on the bus. */
export type BusKeys = {
  /** The part of every subject that separates venues; it shows nothing of the venue. */
  space: string
  /** Seals messages; 32 bytes. */
  sealKey: Uint8Array
}

/** The keys that all nodes of a venue have, as hexadecimal text. */
export type SharedKeys = Readonly<Record<'uploadKey' | 'idempotencyKey' | 'logKey', string | null>>

export function busKeysOf({ uploadKey, idempotencyKey, logKey }: SharedKeys, venueId: string): BusKeys {
  const shared = [uploadKey, idempotencyKey, logKey].map((key) => Buffer.from(key ?? '', 'hex'))
  const sealKey = deriveKey(Buffer.concat(shared), `bus of ${venueId}`)
  const space = createHmac('sha256', sealKey).update('subjects').digest('hex').slice(0, 32)
  return { space, sealKey }
}

/** An opened message. `id` is different for every message of the venue. */
export type Opened = { id: string; sender: string; counter: number; sentAt: number; body: Uint8Array }

const algorithm = 'aes-256-gcm'
const senderBytes = 16
const counterBytes = 8
const headBytes = senderBytes + counterBytes
const tagBytes = 16
const instantBytes = 8
/** More senders than that are not one venue's: each start of a node has six at most. */
const sendersMax = 1000

/**
 * Seals the messages of one sender: `sender (16 bytes), counter (8), ciphertext, tag (16)` by AES-256-GCM, inside it the
 * sender's instant (8) and the body. Each sender has a random name and, derived from it, a key of its own, so that the
 * counter is the nonce. `context` is associated data: what the message is for.
 */
export function createSealer(
  sealKey: Uint8Array,
  now: () => number,
): (context: string, body: Uint8Array) => { id: string; message: Uint8Array } {
  const sender = randomBytes(senderBytes)
  const key = senderKey(sealKey, sender)
  let counter = 0
  return (context, body) => {
    counter += 1
    const head = Buffer.alloc(headBytes)
    sender.copy(head)
    head.writeBigUInt64BE(BigInt(counter), senderBytes)
    const instant = Buffer.alloc(instantBytes)
    instant.writeDoubleBE(now())
    const cipher = createCipheriv(algorithm, key, nonceOf(head)).setAAD(Buffer.from(context))
    const sealed = [cipher.update(instant), cipher.update(body), cipher.final()]
    return { id: idOf(head), message: Buffer.concat([head, ...sealed, cipher.getAuthTag()]) }
  }
}

/** @returns opens a message; null if it was not sealed with this key, or in another context, or was changed */
export type Opener = (context: string, message: Uint8Array) => Opened | null

/** @param isAhead whether the next message of a sender is expected to have the same context */
export function createOpener(sealKey: Uint8Array, isAhead = false): Opener {
  const senders = new LRUCache<string, KnownSender>({ max: sendersMax })
  return (context, message) => {
    if (message.length < headBytes + instantBytes + tagBytes) return null
    const bytes = Buffer.from(message.buffer, message.byteOffset, message.length)
    const head = bytes.subarray(0, headBytes)
    const sender = head.toString('hex', 0, senderBytes)
    const known = senders.get(sender) ?? {
      key: senderKey(sealKey, head.subarray(0, senderBytes)),
      ahead: null,
      newest: null,
    }
    const id = idOf(head)
    const decipher = takeAhead(known, id, context) ?? decipherOf(known.key, head, context)
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    const opened = decipher.update(bytes.subarray(headBytes, -tagBytes))
    try {
      decipher.final()
    } catch {
      return null
    }
    senders.set(sender, known)
    const counter = Number(head.readBigUInt64BE(senderBytes))
    if (isAhead) expectNext(known, Buffer.from(head), context)
    const body = opened.subarray(instantBytes)
    return { id, sender, counter, sentAt: opened.readDoubleBE(0), body }
  }
}

/** What opens the message that is expected next. */
type Ahead = { id: string; context: string; decipher: DecipherGCM }
type KnownSender = { key: Buffer; ahead: Ahead | null; newest: { head: Buffer; context: string } | null }
/** Creating a decipher takes longer than using it: that waits until a message has had its effect at every node. */
const aheadAfterMs = 10

/** After a message that was lost or repeated, another one is needed. */
function takeAhead(known: KnownSender, id: string, context: string): DecipherGCM | null {
  const { ahead } = known
  if (ahead?.id !== id || ahead.context !== context) return null
  known.ahead = null
  return ahead.decipher
}

function expectNext(known: KnownSender, head: Buffer, context: string): void {
  const isWaiting = known.newest !== null
  known.newest = { head, context }
  if (isWaiting) return
  const prepare = (): void => {
    if (known.newest === null) return
    const { head: next, context } = known.newest
    known.newest = null
    next.writeBigUInt64BE(next.readBigUInt64BE(senderBytes) + 1n, senderBytes)
    known.ahead = { id: idOf(next), context, decipher: decipherOf(known.key, next, context) }
  }
  setTimeout(prepare, aheadAfterMs).unref()
}

const decipherOf = (key: Buffer, head: Buffer, context: string): DecipherGCM =>
  createDecipheriv(algorithm, key, nonceOf(head)).setAAD(Buffer.from(context))
const senderKey = (sealKey: Uint8Array, sender: Buffer): Buffer =>
  deriveKey(sealKey, `bus sender ${sender.toString('hex')}`)
const idOf = (head: Buffer): string => head.toString('hex')
/** 12 bytes: the counter, of a key that only one sender has. */
const nonceOf = (head: Buffer): Buffer => Buffer.concat([Buffer.alloc(4), head.subarray(senderBytes)])
