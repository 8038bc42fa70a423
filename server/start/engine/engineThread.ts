import { Worker } from 'node:worker_threads'
import { assertNever } from '../../../contract/units.ts'
import { monotonicMs } from '../../platform/clock.ts'
import type { OrderRow, OrderProcessor, LedgerChanges } from '../../trading/index.ts'
import { type Commit, type Compacted, Listeners, type WriterCounts } from '../../market/index.ts'
import type { LogLine, Report } from '../../platform/ports.ts'
import { workerUrl } from '../../platform/workers.ts'
import { deserializeError } from './errors.ts'
import {
  transferablesOf,
  type EngineSettings,
  type EngineEvent,
  type EngineCommand,
  type Leading,
} from './messages.ts'

type PendingMessage = {
  kind: EngineEvent['kind']
  resolve: (message: EngineEvent) => void
  reject: (error: unknown) => void
}

export type EngineThreadParts = {
  settings: EngineSettings
  report: Report
  /** Logs what is not a failure: a suspicious tick, a live source that sends again. */
  logLine: LogLine
  /** Called once if the thread ends unexpectedly, or can no longer be relied on. */
  onLost: (error: unknown) => void
}

/** The main thread's side of the message channel to the engine's thread. */
export class EngineThread {
  readonly #parts: EngineThreadParts
  readonly #worker: Worker
  readonly #opened: Listeners<[OrderRow]>
  readonly #settled: Listeners<[readonly OrderRow[], LedgerChanges]>
  #apply: (commit: Commit) => void = () => undefined
  #applyCompacted: (compacted: Compacted) => void = () => undefined
  #pending: PendingMessage | null = null
  #counts: WriterCounts = { dropped: 0, failedFlushes: 0 }
  #stopping: Promise<void> | null = null
  #isEnding = false
  #hasExited = false
  #isLost = false

  constructor(parts: EngineThreadParts) {
    this.#parts = parts
    this.#opened = new Listeners('an entry listener failed', parts.report)
    this.#settled = new Listeners('a settlement listener failed', parts.report)
    const { settings } = parts
    this.#worker = new Worker(workerUrl('start/engine/engineWorker'), {
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

  /** Finds entries and settles orders; from `start` on. */
  readonly processor: OrderProcessor = {
    follow: (rows) => this.#send({ kind: 'follow', rows }),
    recoverPlacements: () => this.#send({ kind: 'recover placements' }),
    onOpened: (listener) => this.#opened.add(listener),
    onSettled: (listener) => this.#settled.add(listener),
  }

  get counts(): WriterCounts {
    return this.#counts
  }

  /** A follower that misses a commit would show wrong prices, so the thread counts as lost if one of these throws. */
  follow(apply: (commit: Commit) => void, applyCompacted: (compacted: Compacted) => void): void {
    this.#apply = apply
    this.#applyCompacted = applyCompacted
  }

  /**
   * Opens the log to write it; nothing is written until `start`.
   * @throws the error that the thread failed with: ProductsError, LogCorruptError, or the database's error
   */
  lead(leading: Leading): Promise<Extract<EngineEvent, { kind: 'ready' }>> {
    this.#send({ kind: 'lead', ...leading })
    return this.#waitFor('ready')
  }

  /** Listens to the live sources until it leads. `reached`: an instant that the leader has reached. */
  standBy(reached: number): void {
    this.#send({ kind: 'stand by', clockOffsetMs: reached - monotonicMs() })
  }

  /** The leader that this node follows has reached an instant. */
  observe(instant: number): void {
    this.#send({ kind: 'observe', clockOffsetMs: instant - monotonicMs() })
  }

  setCalendarOffset(offsetMs: number): void {
    this.#send({ kind: 'calendar', offsetMs })
  }

  async start(): Promise<void> {
    this.#send({ kind: 'start' })
    await this.#waitFor('started')
  }

  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop())
  }

  async #stop(): Promise<void> {
    if (this.#hasExited) return
    try {
      this.#send({ kind: 'stop' })
      await this.#waitFor('stopped')
    } finally {
      await this.terminate()
    }
  }

  /** Resolves with the next message of a kind. @throws the error that the thread failed with */
  #waitFor<K extends EngineEvent['kind']>(kind: K): Promise<Extract<EngineEvent, { kind: K }>> {
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
        return this.#follow(() => this.#apply(message.commit))
      case 'compacted':
        return this.#follow(() => this.#applyCompacted(message.compacted))
      case 'counts':
        this.#counts = message
        return
      case 'opened':
        return this.#opened.notify(message.row)
      case 'settled':
        return this.#settled.notify(message.rows, message.ledgerChanges)
      case 'report':
        return this.#parts.report(message.what, deserializeError(message.error))
      case 'log':
        return this.#parts.logLine(message.level, message.what)
      default:
        return assertNever(message)
    }
  }

  #follow(change: () => void): void {
    try {
      change()
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
