import type { Head } from '../../../contract/chain.ts'
import { upperBound, type TickColumns } from './columns.ts'
import { sliceProvenance, type Provenance } from './provenance.ts'

/** The head after a run of flushes, and the flush in which the run starts: these connect the tail to the log. */
type TickRun = { batch: number; firstSeq: number; lastSeq: number; hash: string }

/** A tail as plain data, to send to another thread or to copy. */
export type PackedTail = {
  before: Head
  beforeAt: number
  at: Float64Array
  price: Float64Array
  size: Float64Array
  provenance?: Provenance | undefined
  runs: readonly TickRun[]
}

const firstCapacity = 64
/** A run ends after this many ticks, which bounds the hashing to compute a head between two runs. */
const runMaxTicks = 64

/**
 * A product's ticks that are committed but not yet compacted into a chunk, in memory: settlement and live charts read
 * them. It has at most the ticks that the compactor lets wait (4,096 ticks and a flush, or ten minutes).
 */
export class Tail {
  /** The head just before the first tick here, and the instant of that head's tick. */
  #before: Head
  #beforeAt: number
  #at: Float64Array = new Float64Array(firstCapacity)
  #price: Float64Array = new Float64Array(firstCapacity)
  #size: Float64Array = new Float64Array(firstCapacity)
  /** Null while no tick here is of a live source. */
  #provenance: { ids: (string | null)[]; at: number[] } | null = null
  #count = 0
  #runs: TickRun[] = []
  #isRunClosed = false

  /** @param beforeAt the instant of the last compacted tick, −∞ if there is none */
  constructor(before: Head, beforeAt: number) {
    this.#before = before
    this.#beforeAt = beforeAt
  }

  /** Creates a tail with the packed ticks. */
  static unpack({ before, beforeAt, at, price, size, provenance, runs }: PackedTail): Tail {
    const tail = new Tail(before, beforeAt)
    tail.#at = at
    tail.#price = price
    tail.#size = size
    if (provenance) tail.#provenance = { ids: [...provenance.ids], at: [...provenance.at] }
    tail.#count = at.length
    tail.#runs = [...runs]
    return tail
  }

  pack(): PackedTail {
    const { at, price, size, provenance } = this.slice(0, this.#count)
    const runs = this.#runs.map((run) => ({ ...run }))
    return { before: this.#before, beforeAt: this.#beforeAt, at, price, size, provenance, runs }
  }

  get before(): Head {
    return this.#before
  }
  /** Instant of the last compacted tick: every tick after it is here. */
  get beforeAt(): number {
    return this.#beforeAt
  }
  get seq0(): number {
    return this.#before.seq + 1
  }
  get count(): number {
    return this.#count
  }
  get firstAt(): number | undefined {
    return this.#count > 0 ? this.#at[0] : undefined
  }
  get head(): Head {
    const run = this.#runs.at(-1)
    return run ? { seq: run.lastSeq, hash: run.hash } : this.#before
  }
  /** The oldest flush with a tick after `seq` that is not compacted. */
  oldestBatchAfter(seq: number): number | undefined {
    return this.#runs.find((run) => run.lastSeq > seq)?.batch
  }

  /** Appends a committed block: a flat list of (at, price, size), the hash after it, and where live ticks come from. */
  append(batch: number, values: readonly number[], hash: string, provenance?: Provenance): void {
    const added = values.length / 3
    this.#appendProvenance(added, provenance)
    this.#ensureCapacity(added)
    for (let i = 0; i < added; i++) {
      this.#at[this.#count + i] = values[i * 3] ?? 0
      this.#price[this.#count + i] = values[i * 3 + 1] ?? 0
      this.#size[this.#count + i] = values[i * 3 + 2] ?? 0
    }
    this.#count += added
    const lastSeq = this.#before.seq + this.#count
    const run = this.#runs.at(-1)
    if (run && !this.#isRunClosed && run.lastSeq - run.firstSeq < runMaxTicks) {
      run.lastSeq = lastSeq
      run.hash = hash
    } else {
      this.#runs.push({ batch, firstSeq: lastSeq - added + 1, lastSeq, hash })
      this.#isRunClosed = false
    }
  }

  #appendProvenance(added: number, provenance: Provenance | undefined): void {
    if (!provenance && !this.#provenance) return
    const noIds = (count: number): null[] => Array.from({ length: count }, () => null)
    const zeros = (count: number): number[] => Array.from({ length: count }, () => 0)
    this.#provenance ??= { ids: noIds(this.#count), at: zeros(this.#count) }
    const { ids, at } = this.#provenance
    for (const id of provenance?.ids ?? noIds(added)) ids.push(id)
    for (const each of provenance?.at ?? zeros(added)) at.push(each)
  }

  /** All current ticks, for a chunk. Later ticks start a new run, so that {@link trim} can cut between the two. */
  beginCompaction(): { ticks: TickColumns; before: Head; after: Head } {
    this.#isRunClosed = true
    return { ticks: this.slice(0, this.#count), before: this.#before, after: this.head }
  }

  /** Index of the first tick with `at` > t. */
  indexAfter(t: number): number {
    return upperBound(this.#at, t, this.#count)
  }

  /** A copy of up to `count` ticks from an index on. */
  slice(from: number, count: number): TickColumns {
    const to = Math.min(this.#count, from + count)
    return {
      seq0: this.seq0 + from,
      at: this.#at.slice(from, to),
      price: this.#price.slice(from, to),
      size: this.#size.slice(from, to),
      provenance: sliceProvenance(this.#provenance ?? undefined, from, to),
    }
  }

  /** The nearest known head at or before `seq`; hashing continues from it. */
  knownHead(seq: number): Head {
    let known = this.#before
    for (const run of this.#runs) {
      if (run.lastSeq > seq) break
      known = { seq: run.lastSeq, hash: run.hash }
    }
    return known
  }

  /** Drops the ticks up to `after`, the head of the chunk that they are in now. */
  trim(after: Head): void {
    const trimmed = after.seq - this.#before.seq
    this.#beforeAt = this.#at[trimmed - 1] ?? this.#beforeAt
    this.#before = after
    this.#count -= trimmed
    this.#provenance?.ids.splice(0, trimmed)
    this.#provenance?.at.splice(0, trimmed)
    if (this.#provenance?.ids.every((id) => id === null)) this.#provenance = null
    // Shrinking releases the memory of a product that was busy once.
    const capacity = Math.max(firstCapacity, this.#count * 2)
    this.#at = copyColumn(this.#at, trimmed, this.#count, capacity)
    this.#price = copyColumn(this.#price, trimmed, this.#count, capacity)
    this.#size = copyColumn(this.#size, trimmed, this.#count, capacity)
    this.#runs = this.#runs.filter((run) => run.lastSeq > after.seq)
  }

  #ensureCapacity(added: number): void {
    if (this.#count + added <= this.#at.length) return
    const capacity = Math.max(this.#at.length * 2, this.#count + added)
    this.#at = copyColumn(this.#at, 0, this.#count, capacity)
    this.#price = copyColumn(this.#price, 0, this.#count, capacity)
    this.#size = copyColumn(this.#size, 0, this.#count, capacity)
  }
}

function copyColumn(column: Float64Array, from: number, count: number, capacity: number): Float64Array {
  const next = new Float64Array(capacity)
  next.set(column.subarray(from, from + count))
  return next
}
