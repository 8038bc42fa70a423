import { Worker } from 'node:worker_threads'
import { assertNever } from '../../contract/brand.ts'
import type { Sha256Hex } from '../../contract/chain.ts'
import { SettingsError } from '../config.ts'
import type { Db } from '../db/database.ts'
import type { OrderRow } from '../db/schema/order.ts'
import type { MarketProduct } from '../feed/load.ts'
import { openMarketFollower } from '../market/follower.ts'
import type { MarketFollower } from '../market/follower.ts'
import { Listeners } from '../market/listeners.ts'
import type { Registered } from '../market/registration.ts'
import type { Clock } from '../ports.ts'
import type { Moved } from '../trading/settleStatement.ts'
import { workerUrl } from '../workers.ts'
import type { Engine } from './engine.ts'
import { unpackError } from './errors.ts'
import { transferOf } from './messages.ts'
import type { EngineSettings, FromEngine, RegisteredRow, ToEngine } from './messages.ts'

export type ThreadEngineParts = {
  db: Db
  clock: Clock
  sha: Sha256Hex
  /** The product table that the thread reads too. */
  products: readonly MarketProduct[]
  settings: EngineSettings
  report: (what: string, error: unknown) => void
  /** Reports what is no failure and yet needs a person's eyes: an odd tick. */
  tell: (what: string) => void
  /** Called once if the thread ends without having been asked to, or is not to be relied on any more. */
  onLost: (error: unknown) => void
}

/**
 * Starts the engine's thread and opens what follows it here.
 * @throws what the thread failed with: ProductsError, LogCorruptError, or the database's error
 */
export async function openThreadEngine(parts: ThreadEngineParts): Promise<Engine> {
  const { db, clock, sha, products, report } = parts
  const thread = new EngineThread(parts)
  try {
    const { registered, end, catchesUp } = await thread.waitFor('ready')
    const follower = await openMarketFollower({
      db,
      clock,
      sha,
      registered: withProducts(registered, products),
      end,
      catchesUp,
      report,
    })
    return thread.follow(follower)
  } catch (error) {
    await thread.terminate()
    throw error
  }
}

function withProducts(rows: readonly RegisteredRow[], products: readonly MarketProduct[]): Registered[] {
  const byId = new Map(products.map((product) => [product.settings.id, product]))
  return rows.map(({ id, ...rest }) => {
    const product = byId.get(id)
    if (!product) throw new Error(`the engine knows ${id}, which is not in the product table`)
    if (rest.sources.at(-1)?.fingerprint !== product.source.fingerprint) {
      throw new SettingsError(`the price source of ${id} changed while the venue started: start it again`)
    }
    return { product, ...rest }
  })
}

type Waiting = {
  kind: FromEngine['kind']
  resolve: (message: FromEngine) => void
  reject: (error: unknown) => void
}

/** One side of the conversation with the engine's thread. */
class EngineThread {
  readonly #parts: ThreadEngineParts
  readonly #worker: Worker
  readonly #opened: Listeners<[OrderRow]>
  readonly #settled: Listeners<[readonly OrderRow[], Moved]>
  #follower: MarketFollower | null = null
  #waiting: Waiting | null = null
  #dropped = 0
  #stopping: Promise<void> | null = null
  #ending = false
  #exited = false
  #lost = false

  constructor(parts: ThreadEngineParts) {
    this.#parts = parts
    this.#opened = new Listeners('a listener of entries failed', parts.report)
    this.#settled = new Listeners('a listener of results failed', parts.report)
    const { settings } = parts
    this.#worker = new Worker(workerUrl('engine/engine-worker'), {
      workerData: settings,
      transferList: transferOf(settings),
    })
    this.#worker
      .on('message', (message: FromEngine) => this.#take(message))
      .on('error', (error) => this.#fail(error))
      .on('exit', (code) => {
        this.#exited = true
        this.#fail(new Error(`the engine's thread ended with code ${code}`))
      })
  }

  follow(follower: MarketFollower): Engine {
    this.#follower = follower
    const { apply: _apply, applySealed: _applySealed, ...market } = follower
    return {
      market: { ...market, dropped: () => this.#dropped },
      processor: {
        follow: (rows) => this.#send({ kind: 'follow', rows }),
        pickUpLater: () => this.#send({ kind: 'pick up' }),
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
    if (this.#exited) return
    try {
      this.#send({ kind: 'stop' })
      await this.waitFor('stopped')
    } finally {
      await this.terminate()
    }
  }

  /** Resolves with the next message of a kind. @throws what the thread failed with */
  waitFor<K extends FromEngine['kind']>(kind: K): Promise<Extract<FromEngine, { kind: K }>> {
    if (this.#exited) return Promise.reject(new Error("the engine's thread has ended"))
    return new Promise((resolve, reject) => {
      const settled = resolve as (message: FromEngine) => void
      this.#waiting = { kind, resolve: settled, reject }
    })
  }

  async terminate(): Promise<void> {
    this.#ending = true
    await this.#worker.terminate()
  }

  #send(message: ToEngine): void {
    this.#worker.postMessage(message)
  }

  #take(message: FromEngine): void {
    if (this.#waiting?.kind === message.kind) {
      this.#waiting.resolve(message)
      this.#waiting = null
    }
    switch (message.kind) {
      case 'ready':
      case 'started':
      case 'stopped':
        return
      case 'failed':
        return this.#fail(unpackError(message.error))
      case 'commit':
        return this.#apply((follower) => follower.apply(message.commit))
      case 'sealed':
        return this.#apply((follower) => follower.applySealed(message.sealed))
      case 'dropped':
        this.#dropped = message.count
        return
      case 'opened':
        return this.#opened.notify(message.row)
      case 'settled':
        return this.#settled.notify(message.rows, message.moved)
      case 'report':
        return this.#parts.report(message.what, unpackError(message.error))
      case 'tell':
        return this.#parts.tell(message.what)
      default:
        return assertNever(message)
    }
  }

  /** What cannot follow the log would show wrong prices: the venue ends instead. */
  #apply(change: (follower: MarketFollower) => void): void {
    if (this.#follower === null) return
    try {
      change(this.#follower)
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    if (this.#waiting) {
      this.#waiting.reject(error)
      this.#waiting = null
      return
    }
    if (this.#ending || this.#lost) return
    this.#lost = true
    this.#parts.onLost(error)
  }
}
