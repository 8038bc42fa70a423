import type { Sha256Hex } from '../../contract/chain.ts'
import { link } from '../../contract/chain.ts'
import { bucketOf } from '../../contract/candles.ts'
import { heartbeatMs } from '../../contract/constants.ts'
import { priceUnits, sizeUnits } from '../../contract/brand.ts'
import { formatPrice, formatSize } from '../../contract/price.ts'
import { isRefusedByDatabase } from '../db/errors.ts'
import type { Fence } from '../db/fence.ts'
import type { Clock, MarketBlock } from '../ports.ts'
import type { Book } from './book.ts'
import { packBatch } from './batch.ts'
import { packMinute } from './bucket-rows.ts'
import { applyCommit } from './commit.ts'
import type { Commit } from './commit.ts'
import type { FlushRows, FlushStore, GapRow, MinuteRow } from './flush-store.ts'
import { Lateness, spanMaxMs } from './lateness.ts'
import { Listeners } from './listeners.ts'
import { minuteMs } from './minute-buckets.ts'
import { Oddities } from './oddities.ts'

export type TickLogParts = {
  store: FlushStore
  /** The term under which the store writes. */
  fence: Pick<Fence, 'term' | 'lose'>
  clock: Clock
  sha: Sha256Hex
  books: readonly Book[]
  /** Where the log stands: the newest flush, and the first minute that has no row yet. */
  newest: { id: number; at: number }
  minutesUntil: number
  /** The log goes on where the run before ended, however long this start takes. */
  catchesUp: boolean
  report: (what: string, error: unknown) => void
  tell: (what: string) => void
}

type Draft = FlushRows & { blocks: (MarketBlock & { hash: string })[]; minutesUntil: number }

/**
 * The one writer of ticks. A flush numbers and chains what the feeds hold since the watermark, commits it as one row,
 * and only then lets the rest of the venue see it.
 */
export class TickLog {
  readonly #parts: TickLogParts
  readonly #commits: Listeners<[Commit]>
  #newest: { id: number; at: number }
  #minutesUntil: number
  /** Sent to the database with an unknown end, all under the next number: looked up before anything else is written. */
  #unsure: Draft[] = []
  #busy: Promise<boolean> | null = null
  readonly #lateness: Lateness
  readonly oddities: Oddities

  constructor(parts: TickLogParts) {
    this.#parts = parts
    this.#lateness = new Lateness(parts.catchesUp)
    this.oddities = new Oddities(parts.tell)
    this.#commits = new Listeners('a listener of ticks failed', parts.report)
    this.#newest = parts.newest
    this.#minutesUntil = parts.minutesUntil
  }

  /** Every tick up to here is committed, and none will be added. */
  get watermark(): number {
    return this.#newest.at
  }
  get batchId(): number {
    return this.#newest.id
  }
  /** The first minute that has no row yet. */
  get minutesUntil(): number {
    return this.#minutesUntil
  }
  /** Whether the time since the newest flush is a gap. */
  get late(): boolean {
    return this.#lateness.isGap(this.#parts.clock.now() - this.#newest.at)
  }
  /** Whether another flush is due at once. */
  get behind(): boolean {
    return this.#parts.clock.now() - this.#newest.at > spanMaxMs
  }

  /** After each commit, in its order. */
  onCommit(listener: (commit: Commit) => void): () => void {
    return this.#commits.add(listener)
  }

  /**
   * Commits what is due. Flushes never overlap: a call during one waits for it. A failed one is reported, and what it
   * held is due again. `last` moves the watermark even where nothing is due: what stops cleanly leaves no more of a gap
   * than it must.
   * @returns whether something was committed
   */
  async flush(last = false): Promise<boolean> {
    this.#busy ??= this.#flush(last).finally(() => {
      this.#busy = null
    })
    return this.#busy
  }

  async #flush(last: boolean): Promise<boolean> {
    try {
      if (this.#unsure.length > 0) await this.#resolve()
      const draft = this.late ? this.#gapDraft() : this.#tickDraft(last ? 1 : heartbeatMs)
      if (!draft) return false
      await this.#write(draft)
      this.#apply(draft)
      return true
    } catch (error) {
      this.#parts.report('a flush of ticks failed', error)
      return false
    }
  }

  async #write(draft: Draft): Promise<void> {
    try {
      await this.#parts.store.write(draft)
    } catch (error) {
      if (!isRefusedByDatabase(error)) this.#unsure.push(draft)
      throw error
    }
  }

  /**
   * A write that failed may have been committed all the same: the database knows. What it holds must be one of this
   * leader's own drafts, byte by byte; they are kept until one is applied, since a statement of a broken connection may
   * still be under way.
   */
  async #resolve(): Promise<void> {
    const { store, fence } = this.#parts
    const row = await store.newest()
    if (row === null || row.id <= this.#newest.id) return
    const own = this.#unsure.find(
      ({ id, at, data }) =>
        id === row.id && at === row.at && fence.term === row.term && data.equals(row.data),
    )
    if (!own) throw fence.lose(`flush ${row.id} of the log is of term ${row.term} and not of this process`)
    this.#apply(own)
  }

  #tickDraft(emptyAfterMs: number): Draft | null {
    const { clock, books } = this.#parts
    const after = this.#newest.at
    const until = Math.min(clock.now(), after + spanMaxMs)
    if (until <= after) return null
    const blocks: Draft['blocks'] = []
    for (const book of books) {
      if (until <= book.dueFrom) continue
      const values = this.#checked(book, book.feed.due(Math.max(after, book.dueFrom), until), until)
      if (values.length > 0) blocks.push(this.#chain(book, values))
    }
    if (blocks.length === 0 && until - after < emptyAfterMs) return null
    return this.#draft(until, blocks, [])
  }

  #gapDraft(): Draft {
    const from = this.#newest.at
    const to = this.#parts.clock.now()
    const gaps = this.#parts.books.flatMap(({ ix, dueFrom }) => {
      const fromAt = Math.max(from, dueFrom)
      return fromAt < to ? [{ ix, fromAt, toAt: to }] : []
    })
    return this.#draft(to, [], gaps)
  }

  #draft(at: number, blocks: Draft['blocks'], gaps: GapRow[]): Draft {
    const minutesUntil = Math.max(this.#minutesUntil, bucketOf(this.#newest.at, minuteMs))
    const minutes = minutesUntil > this.#minutesUntil ? this.#minuteRows(minutesUntil) : []
    return { id: this.#newest.id + 1, at, data: packBatch(at, blocks), blocks, minutes, minutesUntil, gaps }
  }

  /** The minutes that the watermark has left behind: nothing is added to them any more. */
  #minuteRows(until: number): MinuteRow[] {
    const rows = new Map<number, Parameters<typeof packMinute>[0][number][]>()
    for (const { ix, buckets } of this.#parts.books) {
      for (
        let i = buckets.indexFrom(this.#minutesUntil);
        i < buckets.count && buckets.openAt(i) < until;
        i++
      ) {
        const bucket = buckets.bucket(i)
        const row = rows.get(bucket.openAt)
        if (row) row.push({ ix, bucket })
        else rows.set(bucket.openAt, [{ ix, bucket }])
      }
    }
    return [...rows].map(([openAt, buckets]) => ({ openAt, data: packMinute(buckets) }))
  }

  /** Numbers and hashes a block of ticks. */
  #chain(book: Book, values: readonly number[]): MarketBlock & { hash: string } {
    const { id, priceDecimals, sizeDecimals } = book.settings
    const head = book.tail.head
    let { hash, seq } = head
    for (let i = 0; i < values.length; i += 3) {
      const price = formatPrice(priceUnits(values[i + 1] ?? 0), priceDecimals)
      const size = formatSize(sizeUnits(values[i + 2] ?? 0), sizeDecimals)
      hash = link(hash, id, [++seq, values[i] ?? 0, price, size], this.#parts.sha)
    }
    return { id, ix: book.ix, seq0: head.seq + 1, values, hash }
  }

  /** Leaves out what no log may hold; a computed feed never gives it, a foreign one might. */
  #checked(book: Book, values: readonly number[], until: number): readonly number[] {
    let at = Math.max(this.#newest.at + 1, book.last.at)
    let good = true
    for (let i = 0; i < values.length; i += 3) {
      if (!isTick(values, i, at, until)) good = false
      else at = values[i] ?? at
    }
    if (good) return values
    const kept: number[] = []
    at = Math.max(this.#newest.at + 1, book.last.at)
    for (let i = 0; i < values.length; i += 3) {
      if (isTick(values, i, at, until)) {
        kept.push(...values.slice(i, i + 3))
        at = values[i] ?? at
      } else this.oddities.drop(book.settings.id, values.slice(i, i + 3))
    }
    return kept
  }

  #apply(draft: Draft): void {
    this.#unsure = []
    this.#newest = { id: draft.id, at: draft.at }
    this.#minutesUntil = draft.minutesUntil
    const lasts = new Map(this.#parts.books.map((book) => [book.ix, book.last.price]))
    for (const { id, ix, values } of draft.blocks) this.oddities.look(id, lasts.get(ix) ?? 0, values)
    const { id, at, blocks, gaps, minutesUntil } = draft
    const commit: Commit = { id, at, blocks, gaps, minutesUntil }
    applyCommit(this.#parts.books, commit)
    this.#commits.notify(commit)
  }
}

function isTick(values: readonly number[], i: number, notBefore: number, until: number): boolean {
  const [at = Number.NaN, price = Number.NaN, size = Number.NaN] = [values[i], values[i + 1], values[i + 2]]
  return (
    Number.isSafeInteger(at) &&
    at >= notBefore &&
    at <= until &&
    Number.isSafeInteger(price) &&
    price > 0 &&
    Number.isSafeInteger(size) &&
    size >= 0
  )
}
