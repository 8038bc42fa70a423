import { isUtf8 } from 'node:buffer'
import type { Head } from '../../../../contract/chain.ts'
import { parseLeaf } from '../../../../contract/tlog/leaf.ts'
import { secondMs } from '../../../../contract/time.ts'
import { LogFaultError } from './logFault.ts'
import type { Bundle } from './logTree.ts'

/** What the leaves of a log cover. */
export type LogSpan = {
  leaves: number
  /** The instants of the first and the newest leaf, epoch ms; null without leaves. */
  from: number | null
  to: number | null
  /** How many seconds between the two have no leaf. */
  missingSeconds: number
  /** The newest head of each product. */
  heads: ReadonlyMap<string, Head>
  /** The names under which the log was kept, oldest first, with their first leaf. */
  names: readonly { origin: string; leaf: number }[]
}

/** Reads the leaves of a log in order, and follows what they state. */
export class LogLeaves implements LogSpan {
  leaves = 0
  from: number | null = null
  to: number | null = null
  missingSeconds = 0
  readonly heads = new Map<string, Head>()
  readonly names: { origin: string; leaf: number }[] = []

  /** @throws LogFaultError for the first leaf that is none, or contradicts one before it */
  add({ tile, entries }: Bundle): void {
    for (const entry of entries) {
      const found = this.#addLeaf(entry)
      if (found !== null) throw new LogFaultError({ tile, leaf: this.leaves, ...found })
      this.leaves += 1
    }
  }

  /** What is wrong with the next leaf; null: nothing. */
  #addLeaf(entry: Uint8Array): ({ why: string } & Record<string, unknown>) | null {
    const text = Buffer.from(entry.buffer, entry.byteOffset, entry.length)
    const leaf = isUtf8(text) ? parseLeaf(text.toString()) : null
    if (leaf === null) return { why: 'the entry is no leaf', found: text.toString().slice(0, 200) }
    const { origin, at, heads } = leaf
    if (this.names.at(-1)?.origin !== origin) {
      if (this.names.some((name) => name.origin === origin))
        return { why: `the leaf goes back to the name ${origin}` }
      this.names.push({ origin, leaf: this.leaves })
    }
    const seconds = this.to === null ? 1 : secondOf(at) - secondOf(this.to)
    if (seconds < 1) return { why: 'the leaf is not of a later second', before: this.to, found: at }
    this.missingSeconds += seconds - 1
    this.from ??= at
    this.to = at
    for (const { productId, seq, hash } of heads) {
      const before = this.heads.get(productId)
      if (before === undefined) this.heads.set(productId, { seq, hash })
      else if (seq > before.seq) {
        before.seq = seq
        before.hash = hash
      } else if (seq < before.seq || hash !== before.hash) {
        const why = seq < before.seq ? 'a head goes back' : 'a head has another hash than before'
        return { why, product: productId, before, found: { seq, hash } }
      }
    }
    return null
  }
}

const secondOf = (at: number): number => Math.floor(at / secondMs)
