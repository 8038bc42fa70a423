import { Worker } from 'node:worker_threads'
import { assertNever } from '../../contract/brand.ts'
import type { Sha256Hex } from '../../contract/chain.ts'
import { SettingsError } from '../config.ts'
import type { Db } from '../db/database.ts'
import type { OrderRow } from '../db/schema/order.ts'
import type { MarketProduct } from '../feed/loadProducts.ts'
import { openMarketFollower } from '../market/read/follower.ts'
import type { MarketFollower } from '../market/read/follower.ts'
import { Listeners } from '../market/listeners.ts'
import type { RegisteredProduct } from '../market/registration.ts'
import type { Clock, Random } from '../ports.ts'
import type { LedgerChanges } from '../trading/settleStatement.ts'
import { workerUrl } from '../workers.ts'
import type { Engine } from './engine.ts'
import { deserializeError } from './errors.ts'
import { transferablesOf } from './messages.ts'
import type { EngineSettings, EngineEvent, RegisteredProductRow, EngineCommand } from './messages.ts'

export type ThreadEngineParts = {
  db: Db
  clock: Clock
  sha: Sha256Hex
  random: Random
  /** The same product table that the thread reads. */
  products: readonly MarketProduct[]
  settings: EngineSettings
  report: (what: string, error: unknown) => void
  /** Reports what is not a failure but needs an operator's attention: a suspicious tick. */
  warn: (what: string) => void
  /** Called once if the thread ends unexpectedly, or can no longer be relied on. */
  onLost: (error: unknown) => void
}

/**
 * Starts the engine's thread and opens the market that follows it in this thread.
 * @throws the error that the thread failed with: ProductsError, LogCorruptError, or the database's error
 */
export async function openThreadEngine(parts: ThreadEngineParts): Promise<Engine> {
  const { db, clock, sha, random, products, report } = parts
  const thread = new EngineThread(parts)
  try {
    const { registered, end, isCatchingUp } = await thread.waitFor('ready')
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
    return thread.follow(follower)
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

type PendingMessage = {
  kind: EngineEvent['kind']
  resolve: (message: EngineEvent) => void
  reject: (error: unknown) => void
}

/** The main thread's side of the message channel to the engine's thread. */
class EngineThread {
  readonly #parts: ThreadEngineParts
  readonly #worker: Worker
  readonly #opened: Listeners<[OrderRow]>
  readonly #settled: Listeners<[readonly OrderRow[], LedgerChanges]>
  #follower: MarketFollower | null = null
  #pending: PendingMessage | null = null
  #dropped = 0
  #stopping: Promise<void> | null = null
  #isEnding = false
  #hasExited = false
  #isLost = false

  constructor(parts: ThreadEngineParts) {
    this.#parts = parts
    this.#opened = new Listeners('an entry listener failed', parts.report)
    this.#settled = new Listeners('a settlement listener failed', parts.report)
    const { settings } = parts
    this.#worker = new Worker(workerUrl('engine/engineWorker'), {
      workerData: settings,
      transferList: transferablesOf(settings),
    })
    this.#worker
      .on('message', (message: EngineEvent) => this.#handle(message))
      .on('error', (error) => this.#fail(error))
      .on('exit', (code) => {
        this.#hasExited = true
        this.#fail(new Error(`the engine's thread ended with code ${code}`))
      })
  }

  follow(follower: MarketFollower): Engine {
    this.#follower = follower
    const { apply: _apply, applyCompacted: _applyCompacted, ...market } = follower
    return {
      market: { ...market, dropped: () => this.#dropped },
      processor: {
        follow: (rows) => this.#send({ kind: 'follow', rows }),
        recoverPlacements: () => this.#send({ kind: 'recover placements' }),
        onOpened: (listener) => this.#opened.add(listener),
        onSettled: (listener) => this.#settled.add(listener),
      },
      setCalendarOffset: (offsetMs) => this.#send({ kind: 'calendar', offsetMs }),
      start: async () => {
        this.#send({ kind: 'start' })
        await this.waitFor('started')
      },
      stop: () => (this.#stopping ??= this.#stop()),
    }
  }

  async #stop(): Promise<void> {
    if (this.#hasExited) return
    try {
      this.#send({ kind: 'stop' })
      await this.waitFor('stopped')
    } finally {
      await this.terminate()
    }
  }

  /** Resolves with the next message of a kind. @throws the error that the thread failed with */
  waitFor<K extends EngineEvent['kind']>(kind: K): Promise<Extract<EngineEvent, { kind: K }>> {
    if (this.#hasExited) return Promise.reject(new Error("the engine's thread has ended"))
    return new Promise((resolve, reject) => {
      const resolveMessage = resolve as (message: EngineEvent) => void
      this.#pending = { kind, resolve: resolveMessage, reject }
    })
  }

  async terminate(): Promise<void> {
    this.#isEnding = true
    await this.#worker.terminate()
  }

  #send(message: EngineCommand): void {
    this.#worker.postMessage(message)
  }

  #handle(message: EngineEvent): void {
    if (this.#pending?.kind === message.kind) {
      this.#pending.resolve(message)
      this.#pending = null
    }
    switch (message.kind) {
      case 'ready':
      case 'started':
      case 'stopped':
        return
      case 'failed':
        return this.#fail(deserializeError(message.error))
      case 'commit':
        return this.#apply((follower) => follower.apply(message.commit))
      case 'compacted':
        return this.#apply((follower) => follower.applyCompacted(message.compacted))
      case 'dropped':
        this.#dropped = message.count
        return
      case 'opened':
        return this.#opened.notify(message.row)
      case 'settled':
        return this.#settled.notify(message.rows, message.ledgerChanges)
      case 'report':
        return this.#parts.report(message.what, deserializeError(message.error))
      case 'warn':
        return this.#parts.warn(message.what)
      default:
        return assertNever(message)
    }
  }

  /** A follower that misses a commit would show wrong prices, so the venue stops instead. */
  #apply(change: (follower: MarketFollower) => void): void {
    if (this.#follower === null) return
    try {
      change(this.#follower)
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    if (this.#pending) {
      this.#pending.reject(error)
      this.#pending = null
      return
    }
    if (this.#isEnding || this.#isLost) return
    this.#isLost = true
    this.#parts.onLost(error)
  }
}
