import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * One tick as REST sends it. A tick of a live source also has the exchange's own id of it, and the exchange's instant in
 * epoch milliseconds.
 */
export type WireTick =
  | readonly [seq: number, at: number, price: string, size: string]
  | readonly [seq: number, at: number, price: string, size: string, sourceId: string, sourceAt: number]
/** 2 if the product's source is live, so that its ticks are hashed with `sourceId` and `sourceAt`; otherwise 1. */
export type ChainVersion = 1 | 2
export type Head = { seq: number; hash: string }
export type Sha256Hex = (text: string) => string

/** SHA-256 of UTF-8 text as 64 lower-case hex characters; the venue may inject a faster native one. */
export const sha256Hex: Sha256Hex = (text) => bytesToHex(sha256(utf8ToBytes(text)))

/** SHA-256 of bytes as 64 lower-case hex characters. */
export const sha256OfBytes = (bytes: Uint8Array): string => bytesToHex(sha256(bytes))

/** The head before the first tick of a product: hash(0) = SHA-256(productId). */
export const genesis = (productId: string, sha: Sha256Hex = sha256Hex): Head => ({
  seq: 0,
  hash: sha(productId),
})

/**
 * hash(seq) = SHA-256(hash(seq−1) | productId | seq | at | price | size), followed by | sourceId | sourceAt if the tick
 * has them. One text never belongs to two ticks: only the source id may contain a bar.
 */
export function linkHash(
  before: string,
  productId: string,
  tick: WireTick,
  sha: Sha256Hex = sha256Hex,
): string {
  const source = tick.length === 6 ? `|${tick[4]}|${tick[5]}` : ''
  return sha(`${before}|${productId}|${tick[0]}|${tick[1]}|${tick[2]}|${tick[3]}${source}`)
}

export type ChainVerification =
  | { ok: true; head: Head; hashes: number }
  | { ok: false; atSeq: number; why: 'hole' | 'order' | 'hash' }

/**
 * Walks ticks from a known head and returns the head they lead to, or the first tick that does not follow: a hole in
 * `seq`, an instant before the previous one, or (if `expected` is passed) another hash.
 */
export function verifyChain(
  productId: string,
  before: Head,
  ticks: readonly WireTick[],
  expected?: Head,
  sha: Sha256Hex = sha256Hex,
): ChainVerification {
  let head = before
  let at = Number.NEGATIVE_INFINITY
  for (const tick of ticks) {
    if (tick[0] !== head.seq + 1) return { ok: false, atSeq: tick[0], why: 'hole' }
    if (tick[1] < at) return { ok: false, atSeq: tick[0], why: 'order' }
    head = { seq: tick[0], hash: linkHash(head.hash, productId, tick, sha) }
    at = tick[1]
  }
  const differs = expected !== undefined && (expected.seq !== head.seq || expected.hash !== head.hash)
  return differs ? { ok: false, atSeq: expected.seq, why: 'hash' } : { ok: true, head, hashes: ticks.length }
}
