import type { Sha256Hex } from '../../contract/chain.ts'
import type { Db } from '../platform/db/database.ts'
import type { MarketProduct } from './feed/loadProducts.ts'
import type { Commit } from './commit.ts'
import type { ReadMarket } from './market.ts'
import { recoverLog } from './log/tailRecovery.ts'
import { openMarketFollower, splitFollower, type LogFollower, type MarketFollower } from './read/follower.ts'
import { readRegistration } from './registration.ts'
import type { Clock, Random, Report } from '../platform/ports.ts'
import { runJobs } from '../platform/jobs.ts'
import type { Bus } from '../platform/cluster/bus.ts'
import { readCompacted } from './nodes/compactedRuns.ts'
import { commitOf, decodeFlush, type FlushMessage } from './nodes/flushMessage.ts'
import { readFlushesAfter } from './nodes/flushReader.ts'
import { followLog } from './nodes/followedLog.ts'

export type NodeMarketParts = {
  db: Db
  bus: Bus
  clock: Clock
  sha: Sha256Hex
  random: Random
  products: readonly MarketProduct[]
  report: Report
  /** Called with the instant of each flush of another process that was applied: the leader's time is at least that. */
  onFlush: (at: number, from: FlushOrigin) => void
  /** Whether the leader's time may be this by now. If not, the flush that says so is read from the database. */
  isPlausible: (at: number) => boolean
  /** Called once if the log can no longer be followed. */
  onLost: (error: unknown) => void
}

/** The market as the requests and sockets of a node read it, whether it leads or not. */
export type NodeMarket = {
  market: Omit<ReadMarket, 'dropped' | 'failedFlushes'>
  /**
   * A flush that the engine of this process has committed in this term: from then on it brings them all, and the bus is not
   * listened to.
   */
  apply(commit: Commit, term: number): void
  /** How long no flush has come, ms. */
  silentMs(): number
  /** How many flushes the bus did not bring in time, so that they were read from the database. */
  missedFlushes(): number
  stop(): Promise<void>
}

/** How often ticks leave the memory that are in chunks by now. */
const trimEveryMs = 10_000

/** How a flush of another process came here. */
type FlushOrigin = 'bus' | 'database'
type IdOf = (ix: number) => string | undefined
/** A flush, as a message or as this process committed it. `read` gives null for a message that is no flush. */
type ReceivedFlush = {
  id: number
  at: number
  term: number
  from: FlushOrigin | 'own'
  read: (idOf: IdOf) => Commit | null
}

function receivedOf(message: FlushMessage, from: FlushOrigin): ReceivedFlush {
  const { id, at, term } = message
  let commit: Commit | null | undefined
  return { id, at, term, from, read: (idOf) => (commit ??= readCommit(message, idOf)) }
}

function readCommit(message: FlushMessage, idOf: IdOf): Commit | null {
  try {
    return commitOf(message, idOf)
  } catch {
    return null
  }
}

/**
 * Opens the market from the database and follows the leader's log from there.
 * @throws SourceDiffersError, LogCorruptError
 */
export async function openNodeMarket(parts: NodeMarketParts): Promise<NodeMarket> {
  const { db, bus, clock, report, onLost, onFlush, isPlausible } = parts
  // What is committed while the market opens waits here: the bus does not send it again.
  const early: ReceivedFlush[] = []
  let receive = (flush: ReceivedFlush): void => void early.push(flush)
  let isListening = true
  const endSubscription = bus.subscribe('flush', (message) =>
    receive(receivedOf(decodeFlush(message), 'bus')),
  )
  const unsubscribe = (): void => {
    if (isListening) endSubscription()
    isListening = false
  }
  try {
    const { follower, newest } = await openFromDatabase(parts)
    const { market, log: followed } = splitFollower(follower)
    const idByIx = new Map(market.ids.map((id) => [market.index(id), id]))
    const read = (flush: ReceivedFlush): Commit | null => flush.read((ix) => idByIx.get(ix))
    const log = followLog<ReceivedFlush>({
      clock,
      newest,
      readAfter: async (flush) => {
        const { flushes, gaps } = await readFlushesAfter(db, flush)
        return { flushes: flushes.map((flush) => receivedOf(flush, 'database')), gaps }
      },
      continues: (flush) => {
        if (flush.from === 'own') return true
        if (flush.from === 'bus' && !isPlausible(flush.at)) return false
        const commit = read(flush)
        return commit !== null && followed.continues(commit)
      },
      apply: (flush) => {
        const commit = read(flush)
        if (!commit) throw new Error(`flush ${flush.id} cannot be read`)
        followed.apply(commit)
        if (flush.from !== 'own') onFlush(flush.at, flush.from)
      },
      applyGaps: followed.applyGaps,
      onLost,
      report,
    })
    const stopTrimming = startTrimming(parts, followed.applyCompacted)
    receive = (flush) => log.receive(flush)
    early.forEach(receive)
    return {
      market,
      apply: (commit, term) => {
        log.receive({ id: commit.id, at: commit.at, term, from: 'own', read: () => commit })
        // What fills a hole may still come from the bus.
        if (!log.hasHole()) unsubscribe()
      },
      silentMs: () => log.silentMs(),
      missedFlushes: () => log.missed(),
      stop: async () => {
        unsubscribe()
        await stopTrimming()
        await log.stop()
      },
    }
  } catch (error) {
    unsubscribe()
    throw error
  }
}

/** @returns stops it */
function startTrimming(
  { db, clock, report }: NodeMarketParts,
  applyCompacted: LogFollower['applyCompacted'],
): () => Promise<void> {
  const trim = {
    name: 'reading what is compacted',
    everyMs: trimEveryMs,
    run: async () => applyCompacted(await readCompacted(db)),
  }
  return runJobs(clock, [trim], report)
}

/** Everything is of one snapshot: the leader moves ticks between tables meanwhile. */
function openFromDatabase(
  parts: NodeMarketParts,
): Promise<{ follower: MarketFollower; newest: { id: number; at: number; term: number } }> {
  const { db, sha, products } = parts
  return db.transaction(
    async (snapshot) => {
      const log = await recoverLog(snapshot, sha)
      const registered = await readRegistration(snapshot, log, products)
      const newest = log.newest ?? { id: 0, at: 0, term: 0 }
      const tails = new Map([...log.tails].map(([ix, tail]) => [ix, tail.pack()]))
      const end = { newest, tails }
      const follower = await openMarketFollower({ ...parts, snapshot, registered, end, isCatchingUp: false })
      return { follower, newest }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}
