import { secondMs } from '../../../contract/time.ts'
import type { DatabaseTrouble, TroubleKind } from './trouble.ts'

/** What failed because of the database: the request of a member or the desk, or the venue's own work. */
export type FailedWork = 'request' | 'task'

type Outage = {
  /** On the process's own monotonic clock, ms. */
  readonly since: number
  lastAt: number
  readonly kinds: Set<TroubleKind>
  readonly failed: Record<FailedWork, number>
}

/**
 * How long no statement may fail before an outage counts as over. A venue with few writes rarely detects a full disk.
 */
const quietMs: Record<TroubleKind, number> = {
  gone: 2 * secondMs,
  lost: 2 * secondMs,
  slow: 30 * secondMs,
  full: 30 * secondMs,
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/**
 * The database's outages, for the log: one line when one begins, one more for each other kind of trouble that it becomes, and
 * one when it is over, with how long it lasted and what failed meanwhile. Failures between these are only counted.
 */
export class DatabaseOutages {
  readonly #log: (level: 'warn' | 'error', line: string) => void
  #name = 'the database'
  #answers: () => Promise<unknown> = async () => undefined
  #outage: Outage | null = null
  #timer: NodeJS.Timeout | null = null
  #isAsking = false

  constructor(log: (level: 'warn' | 'error', line: string) => void) {
    this.#log = log
  }

  /**
   * @param name of the database, as the lines begin with it; without credentials
   * @param ask rejects while the database does not answer
   */
  watch(name: string, ask: () => Promise<unknown>): void {
    this.#name = name
    this.#answers = ask
  }

  /** @param where it failed first: the message of the task, or method and route */
  count({ kind, code, what }: DatabaseTrouble, work: FailedWork, where: string): void {
    const now = performance.now()
    this.#outage ??= { since: now, lastAt: now, kinds: new Set(), failed: { request: 0, task: 0 } }
    const { kinds, failed } = this.#outage
    this.#outage.lastAt = now
    failed[work] += 1
    this.#timer ??= setInterval(() => void this.#endIfOver(), secondMs).unref()
    if (kinds.has(kind)) return
    kinds.add(kind)
    const reason = code === null ? '' : ` (${code})`
    const level = kind === 'gone' || kind === 'full' ? 'error' : 'warn'
    this.#log(
      level,
      `${this.#name} ${what}${reason}, first at: ${where}; what fails until it is over is counted`,
    )
  }

  async #endIfOver(): Promise<void> {
    const outage = this.#outage
    if (outage === null || this.#isAsking) return
    this.#isAsking = true
    const isAnswered = await this.#answers().then(
      () => true,
      () => false,
    )
    this.#isAsking = false
    const now = performance.now()
    if (!isAnswered) outage.lastAt = now
    const quiet = Math.max(...[...outage.kinds].map((kind) => quietMs[kind]))
    if (now - outage.lastAt < quiet) return
    this.#outage = null
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    const { request, task } = outage.failed
    const lasted = Math.ceil((outage.lastAt - outage.since) / secondMs)
    this.#log(
      'warn',
      `${this.#name} works again, after ${lasted} s: ${plural(request, 'request')} and ${plural(task, 'task')} failed`,
    )
  }
}
