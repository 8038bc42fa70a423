import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Observable } from 'rxjs'
import type { FeedEvent } from '../../contract/socket.ts'
import type { SeenHead } from '../types.ts'

/** One a second: more than the longest order of the product table runs. */
export const seenHeadsMax = 1200
const hashBytes = 32

/**
 * Stores the chain heads and watermarks that the venue announced while this client listened. Later proofs are compared
 * with them, so that a rewritten past, or a gap claimed afterwards, is detected.
 */
export function createSeenHeads(feed$: Observable<FeedEvent>): {
  seen: (id: string) => readonly SeenHead[]
  close: () => void
} {
  const rings = new Map<string, HeadRing>()
  const listening = feed$.subscribe(({ at, p }) => {
    for (const id in p) {
      const { watermark, seq, hash } = p[id] ?? {}
      if (watermark === undefined || seq === undefined || hash === undefined) continue
      let ring = rings.get(id)
      if (ring === undefined) rings.set(id, (ring = new HeadRing()))
      ring.push({ seq, hash, watermark, seenAt: at })
    }
  })
  return { seen: (id) => rings.get(id)?.oldestFirst() ?? [], close: () => listening.unsubscribe() }
}

/** Doubles as it fills: most products are watched only briefly. */
const initialCapacity = 64

/** The newest heads of one product, 56 bytes each: objects with strings used most of the memory after a day of ticks. */
class HeadRing {
  #seqs = new Float64Array(initialCapacity)
  #watermarks = new Float64Array(initialCapacity)
  #instants = new Float64Array(initialCapacity)
  #hashes = new Uint8Array(initialCapacity * hashBytes)
  #pushed = 0

  push({ seq, hash, watermark, seenAt }: SeenHead): void {
    if (this.#pushed === this.#seqs.length && this.#pushed < seenHeadsMax) this.#grow()
    const at = this.#pushed % this.#seqs.length
    this.#seqs[at] = seq
    this.#watermarks[at] = watermark
    this.#instants[at] = seenAt
    this.#hashes.set(hexToBytes(hash), at * hashBytes)
    this.#pushed += 1
  }

  oldestFirst(): SeenHead[] {
    const capacity = this.#seqs.length
    const length = Math.min(this.#pushed, capacity)
    return Array.from({ length }, (_, i) => this.#head((this.#pushed - length + i) % capacity))
  }

  /** Called only before the ring first wraps around, so that all positions stay the same. */
  #grow(): void {
    const capacity = Math.min(seenHeadsMax, this.#seqs.length * 2)
    const seqs = this.#seqs
    const watermarks = this.#watermarks
    const instants = this.#instants
    const hashes = this.#hashes
    this.#seqs = new Float64Array(capacity)
    this.#watermarks = new Float64Array(capacity)
    this.#instants = new Float64Array(capacity)
    this.#hashes = new Uint8Array(capacity * hashBytes)
    this.#seqs.set(seqs)
    this.#watermarks.set(watermarks)
    this.#instants.set(instants)
    this.#hashes.set(hashes)
  }

  #head(at: number): SeenHead {
    return {
      seq: this.#seqs[at] ?? 0,
      hash: bytesToHex(this.#hashes.subarray(at * hashBytes, (at + 1) * hashBytes)),
      watermark: this.#watermarks[at] ?? 0,
      seenAt: this.#instants[at] ?? 0,
    }
  }
}
