import { timer } from 'rxjs'
import type { SchedulerLike, Subscription } from 'rxjs'
import type { SubscribeMode, SubscribeReply } from '../contract/socket.ts'
import { subscribeReply } from '../contract/socket.ts'
import type { Wire } from './types.ts'

/** A refused or lost call is tried again after this long. */
const retryMs = 1000
/** The contract's bound on one call. */
const perCallMax = 5000

export type Joined = Extract<SubscribeReply, { ok: true }>
type Wanted = SubscribeMode | 'none'

export type SubscriptionsParts = {
  wire: Pick<Wire, 'subscribe' | 'unsubscribe'>
  scheduler: SchedulerLike
  onJoined: (reply: Joined, ids: readonly string[], mode: SubscribeMode) => void
  onLeft: (ids: readonly string[]) => void
}

/**
 * Brings what the venue sends in line with what is wanted. All changes of one microtask travel together; one call is
 * on its way at a time, so that the last word is the last one said. While the wire is down wishes are only kept.
 */
export class Subscriptions {
  readonly #parts: SubscriptionsParts
  readonly #wanted = new Map<string, SubscribeMode>()
  readonly #told = new Map<string, SubscribeMode>()
  readonly #unknown = new Set<string>()
  readonly #unsaid = new Set<string>()
  #connection = 0
  #up = false
  #busy = false
  #planned = false
  #retry: Subscription | undefined

  constructor(parts: SubscriptionsParts) {
    this.#parts = parts
  }

  /** Products that the venue sends us, as far as it has answered. */
  get count(): number {
    return this.#told.size
  }

  want(id: string, wanted: Wanted): void {
    if (wanted === 'none') this.#wanted.delete(id)
    else this.#wanted.set(id, wanted)
    this.#unsaid.add(id)
    this.#plan()
  }

  /** A new connection knows nothing of us. */
  wireUp(): void {
    this.wireDown()
    this.#up = true
    for (const id of this.#wanted.keys()) this.#unsaid.add(id)
    this.#plan()
  }

  wireDown(): void {
    this.#connection++
    this.#up = false
    this.#busy = false
    this.#retry?.unsubscribe()
    this.#told.clear()
    this.#unknown.clear()
    this.#unsaid.clear()
  }

  #plan(): void {
    if (this.#planned || this.#busy || !this.#up) return
    this.#planned = true
    queueMicrotask(() => {
      this.#planned = false
      void this.#sendNext()
    })
  }

  async #sendNext(): Promise<void> {
    if (this.#busy || !this.#up) return
    const batch = this.#nextBatch()
    if (!batch) return
    const connection = this.#connection
    this.#busy = true
    const understood = await this.#send(batch.mode, batch.ids, connection)
    if (connection !== this.#connection) return
    this.#busy = false
    if (understood) {
      this.#plan()
    } else {
      for (const id of batch.ids) this.#unsaid.add(id)
      this.#retry = timer(retryMs, this.#parts.scheduler).subscribe(() => this.#plan())
    }
  }

  /** The next call: first what is no longer wanted, then prices in full, then lists. */
  #nextBatch(): { mode: Wanted; ids: string[] } | undefined {
    const groups: Record<Wanted, string[]> = { none: [], all: [], latest: [] }
    for (const id of this.#unsaid) {
      const wanted = this.#wanted.get(id) ?? 'none'
      if (wanted === (this.#told.get(id) ?? 'none') || this.#unknown.has(id)) this.#unsaid.delete(id)
      else groups[wanted].push(id)
    }
    const mode = (['none', 'all', 'latest'] as const).find((name) => groups[name].length > 0)
    if (!mode) return undefined
    const ids = groups[mode].slice(0, perCallMax)
    for (const id of ids) this.#unsaid.delete(id)
    return { mode, ids }
  }

  /** False where the call has to be made again. */
  async #send(mode: Wanted, ids: string[], connection: number): Promise<boolean> {
    try {
      if (mode === 'none') {
        await this.#parts.wire.unsubscribe(ids)
        if (connection !== this.#connection) return true
        for (const id of ids) this.#told.delete(id)
        this.#parts.onLeft(ids)
        return true
      }
      const reply = subscribeReply.safeParse(await this.#parts.wire.subscribe(ids, mode))
      if (connection !== this.#connection) return true
      if (!reply.success) return false
      if (!reply.data.ok) return this.#setAside(ids, reply.data.products ?? [])
      for (const id of ids) this.#told.set(id, mode)
      this.#parts.onJoined(reply.data, ids, mode)
      return true
    } catch {
      return false
    }
  }

  /** All or nothing: without the ids that the venue does not know, the rest can be asked for again at once. */
  #setAside(ids: readonly string[], unknown: readonly string[]): boolean {
    const named = ids.filter((id) => unknown.includes(id))
    for (const id of named) this.#unknown.add(id)
    if (named.length === 0) return false
    for (const id of ids) this.#unsaid.add(id)
    return true
  }
}
