import type { Sha256Hex } from '../../../contract/chain.ts'
import { bucketOf } from '../../../contract/candles.ts'
import { heartbeatMs } from '../../../contract/constants.ts'
import { minuteMs } from '../../../contract/time.ts'
import { isRejectedByDatabase } from '../../platform/db/errors.ts'
import type { Fence } from '../../platform/db/fence.ts'
import type { Clock, LogLine } from '../../platform/ports.ts'
import type { TickBlock } from '../ports.ts'
import { watermarkOf, type ProductState } from '../productState.ts'
import { minuteRowsOf } from '../candles/minuteRows.ts'
import { packBatch } from './batch.ts'
import { applyCommit, type Commit, type LiveProgress } from '../commit.ts'
import type { FlushRows, FlushStore, GapRow } from './flushStore.ts'
import { GapDetector, flushSpanMaxMs } from './gapDetector.ts'
import { LiveFeeds } from './liveFeeds.ts'
import type { Provenance } from './provenance.ts'
import { hashAfterBlock } from './rehash.ts'
import { validTicks } from './validTicks.ts'
import { Listeners } from '../listeners.ts'
import { FeedAnomalies } from './anomalies.ts'

export type TickLogParts = {
  store: FlushStore
  /** The leader's term that the store writes with. */
  fence: Pick<Fence, 'term' | 'declareLost'>
  clock: Clock
  sha: Sha256Hex
  productStates: readonly ProductState[]
  /** The newest flush of the log. */
  newest: { id: number; at: number }
  /** The first minute that has no row yet. */
  minutesUntil: number
  /** Whether the log continues where the previous run ended, however long this start takes. */
  isCatchingUp: boolean
  /**
   * Prepares a flush for other nodes while it is being written. What it returns sends it, and is called as soon as the flush
   * is committed, before this process applies it.
   */
  prepareSending?: (commit: Commit) => () => void
  report: (what: string, error: unknown) => void
  logLine: LogLine
}

type Additions = Pick<Commit, 'blocks' | 'gaps' | 'live'>
type FlushDraft = {
  commit: Commit
  rows: FlushRows
  /** Sends it to other nodes, once that is prepared. */
  send: (() => void) | null
}

/** If no product has ticks, a live watermark is committed once it has moved this far. */
const liveHeartbeatMs = heartbeatMs / 2

/**
 * The only writer of ticks. A flush numbers and chains the feeds' ticks since the watermark, commits them as one row,
 * and only then publishes them to the rest of the venue. The watermark of a computed product is the instant of the newest
 * flush; a live product has its own, which moves only while its source is received in full.
 */
export class TickLog {
  readonly #parts: TickLogParts
  readonly #commits: Listeners<[Commit]>
  #newest: { id: number; at: number }
  #minutesUntil: number
  /** Drafts with the next number whose commit is unknown: they are looked up before anything else is written. */
  #unconfirmed: FlushDraft[] = []
  #inFlight: Promise<boolean> | null = null
  readonly #gapDetector: GapDetector
  readonly anomalies: FeedAnomalies
  readonly liveFeeds: LiveFeeds
  /** How many flushes failed. Each was reported, and its ticks were due again. */
  failedFlushes = 0

  constructor(parts: TickLogParts) {
    this.#parts = parts
    this.#gapDetector = new GapDetector(parts.isCatchingUp)
    this.anomalies = new FeedAnomalies((what) => parts.logLine('warn', what))
    this.liveFeeds = new LiveFeeds(parts.productStates, parts.clock, parts.report)
    this.#commits = new Listeners('a tick listener failed', parts.report)
    this.#newest = parts.newest
    this.#minutesUntil = parts.minutesUntil
  }

  /** The watermark of computed products: every tick of theirs up to here is committed, and none will be added. */
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
  get isInGap(): boolean {
    return this.#gapDetector.isGap(this.#parts.clock.now() - this.#newest.at)
  }
  /** Whether another flush is due at once. */
  get isBehind(): boolean {
    return this.#parts.clock.now() - this.#newest.at > flushSpanMaxMs
  }

  /** After each commit, in its order. */
  onCommit(listener: (commit: Commit) => void): () => void {
    return this.#commits.add(listener)
  }

  /**
   * Commits what is due. Flushes never overlap: a call during one waits for it. A failed one is reported, and its ticks
   * are due again.
   * @param isLast moves the watermark even if nothing is due, so that a clean stop leaves the smallest possible gap
   * @returns whether something was committed
   */
  async flush(isLast = false): Promise<boolean> {
    this.#inFlight ??= this.#flush(isLast).finally(() => {
      this.#inFlight = null
    })
    return this.#inFlight
  }

  async #flush(isLast: boolean): Promise<boolean> {
    try {
      if (this.#unconfirmed.length > 0) await this.#resolveUnconfirmed()
      const draft = this.isInGap ? this.#gapDraft() : this.#tickDraft(isLast ? 1 : heartbeatMs)
      if (!draft) return false
      await this.#write(draft)
      await this.#apply(draft)
      return true
    } catch (error) {
      this.failedFlushes += 1
      this.#parts.report('a flush of ticks failed', error)
      return false
    }
  }

  async #write(draft: FlushDraft): Promise<void> {
    try {
      const writing = this.#parts.store.write(draft.rows)
      // The statement is on its way by then: what is done before its answer delays nothing.
      setImmediate(() => this.#prepareSending(draft))
      await writing
    } catch (error) {
      if (!isRejectedByDatabase(error)) this.#unconfirmed.push(draft)
      throw error
    }
  }

  /**
   * A failed write may have been committed nevertheless, so this reads the newest row. It must be one of this leader's
   * own drafts, byte by byte. Drafts are retained until one is applied, since a statement of a broken connection may
   * still be in progress.
   */
  async #resolveUnconfirmed(): Promise<void> {
    const { store, fence } = this.#parts
    const row = await store.newest()
    if (row === null || row.id <= this.#newest.id) return
    const committed = this.#unconfirmed.find(
      ({ rows: { id, at, data } }) =>
        id === row.id && at === row.at && fence.term === row.term && data.equals(row.data),
    )
    if (!committed)
      throw fence.declareLost(`flush ${row.id} of term ${row.term} was not written by this process`)
    await this.#apply(committed)
  }

  #tickDraft(emptyAfterMs: number): FlushDraft | null {
    const { clock, productStates } = this.#parts
    const after = this.#newest.at
    const until = Math.min(clock.now(), after + flushSpanMaxMs)
    if (until <= after) return null
    const blocks: (TickBlock & { hash: string })[] = []
    for (const state of productStates) {
      if (state.feed.kind === 'live' || until <= state.dueFrom) continue
      const due = state.feed.due(Math.max(after, state.dueFrom), until)
      const values = validTicks(due, Math.max(after + 1, state.last.at), until, (tick) =>
        this.anomalies.recordDropped(state.settings.id, tick),
      )
      if (values.length > 0) blocks.push(this.#chain(state, values))
    }
    const live = this.#liveAdditions(until)
    const isEmpty = blocks.length === 0 && live.blocks.length === 0 && live.gaps.length === 0
    if (isEmpty && live.movedMs < liveHeartbeatMs && until - after < emptyAfterMs) return null
    return this.#draft(until, { ...live, blocks: [...blocks, ...live.blocks] })
  }

  /** What a flush up to `until` adds to live products, and how far the watermark moves that moves furthest. */
  #liveAdditions(until: number): Additions & { movedMs: number } {
    const blocks: (TickBlock & { hash: string })[] = []
    const gaps: GapRow[] = []
    const live: LiveProgress[] = []
    const now = this.#parts.clock.now()
    let movedMs = 0
    for (const state of this.liveFeeds.states) {
      const { ix, feed, settings } = state
      const read = this.liveFeeds.read(state, this.#newest.at, now, until)
      for (const { at, price, size } of read.dropped)
        this.anomalies.recordDropped(settings.id, [at, price, size])
      for (const { from, to } of read.gaps) gaps.push({ ix, fromAt: from, toAt: to })
      if (read.ticks.length > 0) {
        const values = read.ticks.flatMap(({ at, price, size }) => [at, price, size])
        const ids = read.ticks.map(({ sourceId }) => sourceId)
        blocks.push(this.#chain(state, values, { ids, at: read.ticks.map(({ sourceAt }) => sourceAt) }))
      }
      live.push({ ix, watermark: read.watermark, openingPrice: feed.openingPrice })
      movedMs = Math.max(movedMs, read.watermark - state.coveredUntil)
    }
    return { blocks, gaps, live, movedMs }
  }

  #gapDraft(): FlushDraft {
    const from = this.#newest.at
    const to = this.#parts.clock.now()
    const gaps = this.#parts.productStates.flatMap((state) => {
      const fromAt = Math.max(watermarkOf(state, from), state.dueFrom)
      return fromAt < to ? [{ ix: state.ix, fromAt, toAt: to }] : []
    })
    const live = this.liveFeeds.states.map(({ ix, feed, coveredUntil }) => ({
      ix,
      watermark: Math.max(coveredUntil, to),
      openingPrice: feed.openingPrice,
    }))
    return this.#draft(to, { blocks: [], gaps, live })
  }

  #draft(at: number, { blocks, gaps, live }: Additions): FlushDraft {
    const settledUntil = this.liveFeeds.settledUntil(this.#newest.at)
    const minutesUntil = Math.max(this.#minutesUntil, bucketOf(settledUntil, minuteMs))
    const minutes = minuteRowsOf(this.#parts.productStates, this.#minutesUntil, minutesUntil)
    const data = packBatch(at, blocks, live)
    const id = this.#newest.id + 1
    return {
      commit: { id, at, data, blocks, live, minutesUntil, gaps },
      rows: { id, at, data, minutes, gaps },
      send: null,
    }
  }

  /** Numbers and hashes a block of ticks. */
  #chain(
    state: ProductState,
    values: readonly number[],
    provenance?: Provenance,
  ): TickBlock & { hash: string } {
    const { head } = state.tail
    const ticks = { seq0: head.seq + 1, values, ...(provenance && { provenance }) }
    const hash = hashAfterBlock(head.hash, state.settings, ticks, this.#parts.sha)
    return { id: state.settings.id, ix: state.ix, hash, ...ticks }
  }

  #prepareSending(draft: FlushDraft): void {
    try {
      draft.send ??= this.#parts.prepareSending?.(draft.commit) ?? (() => undefined)
    } catch (error) {
      this.#parts.report('preparing a flush for other nodes failed', error)
    }
  }

  #send(draft: FlushDraft): void {
    this.#prepareSending(draft)
    try {
      draft.send?.()
    } catch (error) {
      this.#parts.report('sending a flush to other nodes failed', error)
    }
  }

  async #apply(draft: FlushDraft): Promise<void> {
    const { commit } = draft
    const { id, at, blocks, minutesUntil } = commit
    this.#send(draft)
    // The bus writes to its connection in a microtask: the flush is on its way before the work below.
    await Promise.resolve()
    this.#unconfirmed = []
    this.#newest = { id, at }
    this.#minutesUntil = minutesUntil
    const lastPrices = new Map(this.#parts.productStates.map((state) => [state.ix, state.last.price]))
    for (const block of blocks)
      this.anomalies.recordJumps(block.id, lastPrices.get(block.ix) ?? 0, block.values)
    applyCommit(this.#parts.productStates, commit)
    this.liveFeeds.release()
    this.#commits.notify(commit)
  }
}
