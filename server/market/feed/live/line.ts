import { backoffMs } from '../../../../contract/backoff.ts'
import type { Clock, Random } from '../../../platform/ports.ts'
import type { HttpRefusal } from './ban.ts'
import type { Protocol } from './protocol.ts'
import type { Connection, Transport } from './transport.ts'

export type LineParts = {
  clock: Clock
  random: Random
  transport: Transport
  protocol: Protocol
  /** What the next connection is for. */
  symbols: () => readonly string[]
  /** The earliest instant at which this exchange may be connected to again; it counts as used. */
  nextConnectAt: () => number
  /** No connection before this instant: the exchange said so. */
  bannedUntil: () => number
}
export type LineHandlers = {
  /** The connection is open: subscriptions may be sent. */
  opened(): void
  message(text: string): void
  /** The connection ended; `refusal` if the exchange refused it by HTTP. */
  lost(why: string, refusal?: HttpRefusal): void
  /** The connection was ended to replace it by a new one. */
  renewed(why: string): void
}

const checkEveryMs = 1000
/** Between two messages to the exchange, which limits them. */
const sendEveryMs = 300
const backoffMinMs = 1000
const backoffMaxMs = 30_000
/** A connection that lasted this long was no failure. */
const stableMs = 30_000
/** Messages that say nothing about the market, such as pongs, keep a line for this long. */
const contentMs = 15_000

/** One connection to an exchange, which it opens again whenever it ends. */
export class Line {
  readonly #parts: LineParts
  readonly #handlers: LineHandlers
  #connection: Connection | null = null
  /** Changes with each connection: what an earlier one still reports is ignored. */
  #attempt = 0
  #openedAt: number | null = null
  #heardAt = 0
  #contentAt = 0
  #failures = 0
  #sendAt = 0
  #cancels = new Set<() => void>()
  #isClosed = false

  constructor(parts: LineParts, handlers: LineHandlers) {
    this.#parts = parts
    this.#handlers = handlers
  }

  /** When this connection was opened; null while it is not open. */
  get openedAt(): number | null {
    return this.#openedAt
  }

  /** When market data last arrived. */
  get contentAt(): number {
    return this.#contentAt
  }

  start(): void {
    this.#after(0, () => this.#connect())
  }

  close(): void {
    this.#isClosed = true
    this.#attempt++
    this.#stopTimers()
    this.#connection?.close()
    this.#connection = null
  }

  /** Sends messages one after the other, at the pace that exchanges allow. */
  send(texts: readonly string[]): void {
    const now = this.#parts.clock.now()
    for (const text of texts) {
      this.#sendAt = Math.max(now, this.#sendAt)
      this.#after(this.#sendAt - now, () => this.#connection?.send(text))
      this.#sendAt += sendEveryMs
    }
  }

  /** Records that market data arrived. */
  recordContent(): void {
    this.#contentAt = this.#parts.clock.now()
  }

  /** Ends a healthy connection and opens another one at once. */
  renew(why: string): void {
    this.#end()
    this.#handlers.renewed(why)
    this.#connectAfter(0)
  }

  /** Ends a connection that delivers badly and opens another one at once. */
  restart(why: string): void {
    this.#end()
    this.#handlers.lost(why)
    this.#connectAfter(0)
  }

  #connect(): void {
    const { clock, protocol, transport, nextConnectAt, bannedUntil } = this.#parts
    const waitMs = nextConnectAt() - clock.now()
    const open = (): void => {
      // The ban may have begun while this line waited.
      if (bannedUntil() > clock.now()) return this.#connectAfter(bannedUntil() - clock.now())
      const attempt = ++this.#attempt
      const isCurrent = (): boolean => this.#attempt === attempt
      this.#heardAt = this.#contentAt = clock.now()
      const handlers = {
        opened: () => isCurrent() && this.#opened(),
        message: (text: string) => {
          if (!isCurrent()) return
          this.#heardAt = clock.now()
          this.#handlers.message(text)
        },
        ponged: () => {
          if (isCurrent()) this.#heardAt = clock.now()
        },
        closed: (why: string, refusal?: HttpRefusal) => {
          if (isCurrent()) this.#lose(why, refusal)
        },
      }
      this.#connection = transport[protocol.kind](
        protocol.address(this.#parts.symbols()),
        protocol.headers ?? {},
        handlers,
      )
      this.#check(clock.now() + checkEveryMs)
    }
    if (waitMs > 0) this.#after(waitMs, open)
    else open()
  }

  #opened(): void {
    this.#openedAt = this.#heardAt = this.#contentAt = this.#sendAt = this.#parts.clock.now()
    this.#handlers.opened()
  }

  /** Every second: a ping, and a check that the connection still works. */
  #check(dueAt: number): void {
    const { clock, protocol } = this.#parts
    this.#after(dueAt - clock.now(), () => {
      const now = clock.now()
      // After a pause of this process the messages that arrived meanwhile are read first.
      const wasPaused = now - dueAt > checkEveryMs / 2
      if (!wasPaused && now - this.#heardAt > protocol.deadMs) return this.#lose('silent')
      if (!wasPaused && now - this.#contentAt > Math.max(contentMs, protocol.deadMs))
        return this.#lose('no market data')
      if (protocol.ping === 'frame') this.#connection?.ping()
      else if (protocol.ping !== 'none') this.#connection?.send(protocol.ping.text)
      this.#check(now + checkEveryMs)
    })
  }

  #lose(why: string, refusal?: HttpRefusal): void {
    const waitMs = Math.floor(this.#nextBackoff() * fraction(this.#parts.random))
    this.#end()
    this.#handlers.lost(why, refusal)
    this.#connectAfter(waitMs)
  }

  #end(): void {
    const connection = this.#connection
    this.#attempt++
    this.#connection = null
    this.#stopTimers()
    connection?.close()
    this.#openedAt = null
  }

  #connectAfter(waitMs: number): void {
    if (!this.#isClosed) this.#after(waitMs, () => this.#connect())
  }

  /** 1, 2, 4 … 30 s; 1 s again once a connection lasted. */
  #nextBackoff(): number {
    if (this.#openedAt !== null && this.#parts.clock.now() - this.#openedAt >= stableMs) this.#failures = 0
    return backoffMs(++this.#failures, backoffMinMs, backoffMaxMs)
  }

  #after(ms: number, run: () => void): void {
    const { clock } = this.#parts
    const cancel = clock.at(clock.now() + ms, () => {
      this.#cancels.delete(cancel)
      run()
    })
    this.#cancels.add(cancel)
  }

  #stopTimers(): void {
    for (const cancel of this.#cancels) cancel()
    this.#cancels.clear()
  }
}

/** A number in [0, 1). */
function fraction(random: Random): number {
  const [high = 0, low = 0] = random.bytes(2)
  return (high * 256 + low) / 65_536
}
