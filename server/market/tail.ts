import type { Head } from '../../contract/chain.ts'
import { upperBound } from './columns.ts'
import type { TickColumns } from './columns.ts'

/** The head after a run of some flushes, and the row in which the run begins: what links the tail to the log. */
type TickRun = { batch: number; firstSeq: number; lastSeq: number; hash: string }

/** A tail as it travels to another thread, or is copied within one. */
export type PackedTail = {
  before: Head
  beforeAt: number
  at: Float64Array
  price: Float64Array
  size: Float64Array
  runs: readonly TickRun[]
}

const firstCapacity = 64
/** A run ends after this many ticks: so far at most is the chain walked to find a head in between. */
const runMaxTicks = 64

/**
 * A product's ticks that are committed but not compacted into a chunk yet, in memory: what settlement and live charts ask
 * for. Holds at most what the log lets wait (4,096 ticks and a flush, or ten minutes).
 */
export class Tail {
  /** The chain just before the first tick here, and the instant of the tick it stands for. */
  #before: Head
  #beforeAt: number
  #at: Float64Array = new Float64Array(firstCapacity)
  #price: Float64Array = new Float64Array(firstCapacity)
  #size: Float64Array = new Float64Array(firstCapacity)
  #count = 0
  #runs: TickRun[] = []
  #isRunClosed = false

  /** `beforeAt` is the instant of the last compacted tick, −∞ where there is none. */
  constructor(before: Head, beforeAt: number) {
    this.#before = before
    this.#beforeAt = beforeAt
  }

  /** Another tail with the same ticks. */
  static unpack({ before, beforeAt, at, price, size, runs }: PackedTail): Tail {
    const tail = new Tail(before, beforeAt)
    tail.#at = at
    tail.#price = price
    tail.#size = size
    tail.#count = at.length
    tail.#runs = [...runs]
    return tail
  }

  pack(): PackedTail {
    const { at, price, size } = this.slice(0, this.#count)
    const runs = this.#runs.map((run) => ({ ...run }))
    return { before: this.#before, beforeAt: this.#beforeAt, at, price, size, runs }
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
  /** The oldest flush with a tick after `seq` that is only here. */
  oldestBatchAfter(seq: number): number | undefined {
    return this.#runs.find((run) => run.lastSeq > seq)?.batch
  }

  /** Adds a committed block: (at, price, size) three by three, and the head after it. */
  append(batch: number, values: readonly number[], hash: string): void {
    const added = values.length / 3
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

  /** All ticks as they stand, for a chunk; what comes later begins a new run, so that {@link trim} finds its place. */
  beginCompaction(): { ticks: TickColumns; before: Head; after: Head } {
    this.#isRunClosed = true
    return { ticks: this.slice(0, this.#count), before: this.#before, after: this.head }
  }

  /** Index of the first tick with `at` > t. */
  indexAfter(t: number): number {
    return upperBound(this.#at, t, this.#count)
  }

  /** A copy of `count` ticks from an index on, fewer at the end. */
  slice(from: number, count: number): TickColumns {
    const to = Math.min(this.#count, from + count)
    return {
      seq0: this.seq0 + from,
      at: this.#at.slice(from, to),
      price: this.#price.slice(from, to),
      size: this.#size.slice(from, to),
    }
  }

  /** The nearest known head at or before `seq`: from there the chain is walked. */
  knownHead(seq: number): Head {
    let known = this.#before
    for (const run of this.#runs) {
      if (run.lastSeq > seq) break
      known = { seq: run.lastSeq, hash: run.hash }
    }
    return known
  }

  /** Lets go of ticks up to the head of a chunk that now holds them. */
  trim(after: Head): void {
    const trimmed = after.seq - this.#before.seq
    this.#beforeAt = this.#at[trimmed - 1] ?? this.#beforeAt
    this.#before = after
    this.#count -= trimmed
    // Growing again from a small size keeps a product that was busy once from holding on to its memory.
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
