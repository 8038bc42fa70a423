import type { Sha256Hex } from '../../contract/chain.ts'
import type { Db } from '../db/database.ts'
import type { MarketProduct } from '../feed/loadProducts.ts'
import type { ReadMarket } from '../market/market.ts'
import { recoverLog } from '../market/log/tailRecovery.ts'
import { openMarketFollower } from '../market/read/follower.ts'
import type { MarketFollower } from '../market/read/follower.ts'
import { readRegistration } from '../market/registration.ts'
import type { Clock, Random, Report } from '../ports.ts'
import type { Bus } from './bus.ts'
import { commitOf, decodeFlush } from './flushMessage.ts'
import type { FlushMessage } from './flushMessage.ts'
import { createFlushReader } from './flushReader.ts'
import { followLog } from './followedLog.ts'

export type NodeMarketParts = {
  db: Db
  bus: Bus
  clock: Clock
  sha: Sha256Hex
  random: Random
  products: readonly MarketProduct[]
  report: Report
  /** Called once if the log can no longer be followed. */
  onLost: (error: unknown) => void
}

/** The market of a node that does not lead, as its requests and sockets read it. */
export type NodeMarket = {
  market: ReadMarket
  /** How long no flush has come from the bus, ms. */
  silentMs(): number
  stop(): Promise<void>
}

/**
 * Opens the market from the database and follows the leader's log from there.
 * @throws SourceDiffersError, LogCorruptError
 */
export async function openNodeMarket(parts: NodeMarketParts): Promise<NodeMarket> {
  const { db, bus, clock, report, onLost } = parts
  // What is committed while the market opens waits here: the bus does not send it again.
  const early: FlushMessage[] = []
  let receive = (flush: FlushMessage): void => void early.push(flush)
  const unsubscribe = bus.subscribe('flush', (message) => receive(decodeFlush(message)))
  try {
    const { follower, newest } = await openFromDatabase(parts)
    const idByIx = new Map(follower.ids.map((id) => [follower.index(id), id]))
    const log = followLog({
      clock,
      reader: createFlushReader(db),
      newest,
      apply: (flush) => follower.apply(commitOf(flush, (ix) => idByIx.get(ix))),
      onLost,
      report,
    })
    receive = (flush) => log.receive(flush)
    early.forEach(receive)
    const { apply: _apply, applyCompacted: _applyCompacted, ...market } = follower
    return {
      market: { ...market, dropped: () => 0 },
      silentMs: () => log.silentMs(),
      stop: async () => {
        unsubscribe()
        await log.stop()
      },
    }
  } catch (error) {
    unsubscribe()
    throw error
  }
}

/** Everything is of one snapshot: the leader moves ticks between tables meanwhile. */
function openFromDatabase(
  parts: NodeMarketParts,
): Promise<{ follower: MarketFollower; newest: { id: number; at: number } }> {
  const { db, sha, products } = parts
  return db.transaction(
    async (snapshot) => {
      const log = await recoverLog(snapshot, sha)
      const registered = await readRegistration(snapshot, log, products)
      const newest = log.newest ?? { id: 0, at: 0 }
      const tails = new Map([...log.tails].map(([ix, tail]) => [ix, tail.pack()]))
      const end = { newest, tails }
      const follower = await openMarketFollower({ ...parts, snapshot, registered, end, isCatchingUp: false })
      return { follower, newest }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}
