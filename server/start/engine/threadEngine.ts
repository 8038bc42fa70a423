import type { Sha256Hex } from '../../../contract/chain.ts'
import { SettingsError } from '../../platform/settingsError.ts'
import type { Db } from '../../platform/db/database.ts'
import {
  type MarketProduct,
  openMarketFollower,
  splitFollower,
  type RegisteredProduct,
} from '../../market/index.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import type { Engine } from './engine.ts'
import { EngineThread, type EngineThreadParts } from './engineThread.ts'
import type { Leading, RegisteredProductRow } from './messages.ts'

export type ThreadEngineParts = EngineThreadParts & {
  db: Db
  clock: Clock
  sha: Sha256Hex
  random: Random
  /** The same product table that the thread reads. */
  products: readonly MarketProduct[]
}

/**
 * Starts the engine's thread, which leads at once, and opens the market that follows it in this thread.
 * @throws the error that the thread failed with: ProductsError, LogCorruptError, or the database's error
 */
export async function openThreadEngine(parts: ThreadEngineParts, leading: Leading): Promise<Engine> {
  const { db, clock, sha, random, products, report } = parts
  const thread = new EngineThread(parts)
  try {
    const { registered, end, isCatchingUp } = await thread.lead(leading)
    const follower = await openMarketFollower({
      db,
      clock,
      sha,
      registered: attachProducts(registered, products),
      end,
      isCatchingUp,
      random,
      report,
    })
    const { market, log } = splitFollower(follower)
    thread.follow(log.apply, log.applyCompacted)
    return {
      market: {
        ...market,
        dropped: () => thread.counts.dropped,
        failedFlushes: () => thread.counts.failedFlushes,
      },
      processor: thread.processor,
      setCalendarOffset: (offsetMs) => thread.setCalendarOffset(offsetMs),
      start: () => thread.start(),
      stop: () => thread.stop(),
    }
  } catch (error) {
    await thread.terminate()
    throw error
  }
}

function attachProducts(
  rows: readonly RegisteredProductRow[],
  products: readonly MarketProduct[],
): RegisteredProduct[] {
  const byId = new Map(products.map((product) => [product.settings.id, product]))
  return rows.map(({ id, ...rest }) => {
    const product = byId.get(id)
    if (!product) throw new Error(`the engine has registered ${id}, but it is not in the product table`)
    if (rest.sources.at(-1)?.fingerprint !== product.source.fingerprint) {
      throw new SettingsError(`the price source of ${id} changed while the venue started: restart the venue`)
    }
    return { product, ...rest }
  })
}
