import { timer, type SchedulerLike, type Subscription } from 'rxjs'
import { subscribeReply, type SubscribeMode, type SubscribeReply } from '../../contract/socket.ts'
import type { Wire } from '../parts.ts'

/** A rejected or lost call is retried after this long. */
const retryMs = 1000
/** The contract's limit for one call. */
const perCallMax = 5000

export type SubscribedReply = Extract<SubscribeReply, { ok: true }>
type Wanted = SubscribeMode | 'none'

export type SubscriptionsParts = {
  wire: Pick<Wire, 'subscribe' | 'unsubscribe'>
  scheduler: SchedulerLike
  onSubscribed: (reply: SubscribedReply, ids: readonly string[], mode: SubscribeMode) => void
  onUnsubscribed: (ids: readonly string[]) => void
}

/**
 * Keeps the venue's subscriptions in line with what is wanted. All changes of one microtask are sent together; only one
 * call is in flight at a time, so that the last change wins. While the wire is down, changes are only stored.
 */
export class Subscriptions {
  readonly #parts: SubscriptionsParts
  readonly #wanted = new Map<string, SubscribeMode>()
  readonly #acknowledged = new Map<string, SubscribeMode>()
  readonly #unknown = new Set<string>()
  readonly #dirty = new Set<string>()
  #connection = 0
  #isUp = false
  #isSending = false
  #isScheduled = false
  #retry: Subscription | undefined

  constructor(parts: SubscriptionsParts) {
    this.#parts = parts
  }

  /** Number of subscriptions that the venue has acknowledged. */
  get count(): number {
    return this.#acknowledged.size
  }

  setWanted(id: string, wanted: Wanted): void {
    if (wanted === 'none') this.#wanted.delete(id)
    else this.#wanted.set(id, wanted)
    this.#dirty.add(id)
    this.#scheduleSend()
  }

  /** A new connection has no subscriptions yet. */
  wireUp(): void {
    this.#isUp = true
    for (const id of this.#wanted.keys()) this.#dirty.add(id)
    this.#scheduleSend()
  }

  wireDown(): void {
    this.#connection++
    this.#isUp = false
    this.#isSending = false
    this.#retry?.unsubscribe()
    this.#acknowledged.clear()
    this.#unknown.clear()
    this.#dirty.clear()
  }

  #scheduleSend(): void {
    if (this.#isScheduled || this.#isSending || !this.#isUp) return
    this.#isScheduled = true
    queueMicrotask(() => {
      this.#isScheduled = false
      void this.#sendNext()
    })
  }

  async #sendNext(): Promise<void> {
    if (this.#isSending || !this.#isUp) return
    const batch = this.#nextBatch()
    if (!batch) return
    const connection = this.#connection
    this.#isSending = true
    const succeeded = await this.#send(batch.mode, batch.ids, connection)
    if (connection !== this.#connection) return
    this.#isSending = false
    if (succeeded) {
      this.#scheduleSend()
    } else {
      for (const id of batch.ids) this.#dirty.add(id)
      this.#retry = timer(retryMs, this.#parts.scheduler).subscribe(() => this.#scheduleSend())
    }
  }

  /** The next call: first products no longer wanted, then those in mode `all`, then `latest`. */
  #nextBatch(): { mode: Wanted; ids: string[] } | undefined {
    const groups: Record<Wanted, string[]> = { none: [], all: [], latest: [] }
    for (const id of this.#dirty) {
      const wanted = this.#wanted.get(id) ?? 'none'
      if (wanted === (this.#acknowledged.get(id) ?? 'none') || this.#unknown.has(id)) this.#dirty.delete(id)
      else groups[wanted].push(id)
    }
    const mode = (['none', 'all', 'latest'] as const).find((name) => groups[name].length > 0)
    if (!mode) return undefined
    const ids = groups[mode].slice(0, perCallMax)
    for (const id of ids) this.#dirty.delete(id)
    return { mode, ids }
  }

  /** False if the call has to be retried. */
  async #send(mode: Wanted, ids: string[], connection: number): Promise<boolean> {
    try {
      if (mode === 'none') {
        await this.#parts.wire.unsubscribe(ids)
        if (connection !== this.#connection) return true
        for (const id of ids) this.#acknowledged.delete(id)
        this.#parts.onUnsubscribed(ids)
        return true
      }
      const reply = subscribeReply.safeParse(await this.#parts.wire.subscribe(ids, mode))
      if (connection !== this.#connection) return true
      if (!reply.success) return false
      if (!reply.data.ok) return this.#excludeUnknown(ids, reply.data.products ?? [])
      for (const id of ids) this.#acknowledged.set(id, mode)
      this.#parts.onSubscribed(reply.data, ids, mode)
      return true
    } catch {
      return false
    }
  }

  /** A subscription is all or nothing: without the unknown ids, the rest can be requested again at once. */
  #excludeUnknown(ids: readonly string[], unknown: readonly string[]): boolean {
    const excluded = ids.filter((id) => unknown.includes(id))
    for (const id of excluded) this.#unknown.add(id)
    if (excluded.length === 0) return false
    for (const id of ids) this.#dirty.add(id)
    return true
  }
}
