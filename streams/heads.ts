import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Observable } from 'rxjs'
import type { FeedEvent } from '../contract/socket.ts'
import type { SeenHead } from './types.ts'

/** One a second: more than the longest order of the product table runs. */
export const seenHeadsMax = 1200
const hashBytes = 32

/**
 * Keeps the chain heads and watermarks that the venue announced while this client listened. A proof that comes
 * later is held against them, so that a rewritten past, or a gap claimed afterwards, does not pass.
 */
export function createHeads(feed$: Observable<FeedEvent>): {
  seen: (id: string) => readonly SeenHead[]
  close: () => void
} {
  const kept = new Map<string, HeadRing>()
  const listening = feed$.subscribe(({ p }) => {
    for (const [id, { watermark, seq, hash }] of Object.entries(p)) {
      let ring = kept.get(id)
      if (ring === undefined) kept.set(id, (ring = new HeadRing()))
      ring.push({ seq, hash, watermark })
    }
  })
  return { seen: (id) => kept.get(id)?.oldestFirst() ?? [], close: () => listening.unsubscribe() }
}

/** The newest heads of one product in 58 kB: as objects with strings they were most of what a day of ticks left. */
class HeadRing {
  private readonly seqs = new Float64Array(seenHeadsMax)
  private readonly watermarks = new Float64Array(seenHeadsMax)
  private readonly hashes = new Uint8Array(seenHeadsMax * hashBytes)
  private pushed = 0

  push({ seq, hash, watermark }: SeenHead): void {
    const at = this.pushed % seenHeadsMax
    this.seqs[at] = seq
    this.watermarks[at] = watermark
    this.hashes.set(hexToBytes(hash), at * hashBytes)
    this.pushed += 1
  }

  oldestFirst(): SeenHead[] {
    const length = Math.min(this.pushed, seenHeadsMax)
    return Array.from({ length }, (_, i) => this.head((this.pushed - length + i) % seenHeadsMax))
  }

  private head(at: number): SeenHead {
    return {
      seq: this.seqs[at] ?? 0,
      hash: bytesToHex(this.hashes.subarray(at * hashBytes, (at + 1) * hashBytes)),
      watermark: this.watermarks[at] ?? 0,
    }
  }
}
