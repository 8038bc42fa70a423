import { backoffMs } from '../../../../contract/backoff.ts'
import type { LogLine } from '../../../platform/ports.ts'
import type { HttpRefusal } from './ban.ts'
import type { Protocol } from './protocol.ts'
import { Refusals } from './refusals.ts'
import { HttpError, type Transport } from './transport.ts'

const requestEveryMs = 1000
/** A symbol whose calls bring nothing is called for after 1, 2, 4 … 60 s. */
const waitMaxMs = 60_000
/** Calls for one symbol each cost much of what an exchange allows; ticks link the other symbols. */
const callsPerSecond = 4
/** Of the answers 400 to 499, those that say nothing about the symbol. */
const otherRefusals: ReadonlySet<number> = new Set([401, 403, 407, 408, 418, 429, 451])

type Handlers<Connection> = {
  now(): number
  logLine: LogLine
  /** The symbols to request. */
  wanted(isRepeated: boolean): readonly string[]
  /** The connections that are open when a call is made: its answer is valid for them only. */
  connections(): readonly Connection[]
  newest(connection: Connection, symbol: string, order: number, price?: string): void
  /** A refused symbol is accepted again. */
  accepted(symbol: string): void
  answered(): void
  /** @returns whether the exchange asked for a pause of calls */
  refused(refusal: HttpRefusal): boolean
  failed(why: string): void
}

/** The calls for the newest tick of a symbol, with which a connection detects whether it missed one. */
export class Snapshots<Connection> {
  readonly #protocol: Protocol
  readonly #transport: Transport
  readonly #handlers: Handlers<Connection>
  readonly #refusals: Refusals
  readonly #waits = new Map<string, { count: number; until: number }>()
  /** One of these is refused, but it is not known which: they are called for one by one. */
  readonly #suspects = new Set<string>()
  #nextAt = 0

  constructor(protocol: Protocol, transport: Transport, handlers: Handlers<Connection>) {
    this.#protocol = protocol
    this.#transport = transport
    this.#handlers = handlers
    this.#refusals = new Refusals(`${protocol.name}: call`, handlers.logLine)
  }

  /** Whether the exchange refuses calls for a symbol. */
  isRefused(symbol: string): boolean {
    return this.#refusals.has(symbol)
  }

  /** Requests what is missing, at most once a second. */
  request(now: number): void {
    const { snapshot } = this.#protocol
    if (!snapshot || now < this.#nextAt) return
    this.#nextAt = now + requestEveryMs
    const { isRepeated, symbolsPerCall } = snapshot
    const due = this.#handlers
      .wanted(isRepeated)
      .filter((symbol) => now >= (this.#waits.get(symbol)?.until ?? 0))
    const isAlone = (symbol: string): boolean => this.#suspects.has(symbol) || this.#refusals.has(symbol)
    const alone = due.filter(isAlone)
    const others = due.filter((symbol) => !isAlone(symbol))
    const most = isRepeated ? others.length : Math.min(others.length, callsPerSecond * symbolsPerCall)
    for (let i = 0; i < most; i += symbolsPerCall) void this.#call(others.slice(i, i + symbolsPerCall), now)
    let calls = 0
    for (const symbol of alone)
      if (calls < callsPerSecond && this.#refusals.mayTry(symbol, now)) {
        calls++
        void this.#call([symbol], now)
      }
  }

  async #call(symbols: readonly string[], now: number): Promise<void> {
    const { snapshot, headers = {} } = this.#protocol
    if (!snapshot) return
    const connections = this.#handlers.connections()
    if (!snapshot.isRepeated) this.#wait(symbols, now)
    const newest = (symbol: string, order: number, price?: string): void => {
      this.#waits.delete(symbol)
      for (const each of connections) this.#handlers.newest(each, symbol, order, price)
    }
    try {
      const text = await this.#transport.get(snapshot.address(symbols), headers)
      this.#handlers.answered()
      for (const symbol of symbols) this.#accept(symbol)
      snapshot.read(text, symbols, { newest })
      if (snapshot.isRepeated) for (const symbol of symbols) this.#waits.delete(symbol)
    } catch (error) {
      if (snapshot.isRepeated) this.#wait(symbols, now)
      this.#fail(symbols, error)
    }
  }

  #accept(symbol: string): void {
    this.#suspects.delete(symbol)
    if (!this.#refusals.has(symbol)) return
    this.#refusals.accept(symbol)
    this.#handlers.accepted(symbol)
  }

  #wait(symbols: readonly string[], now: number): void {
    for (const symbol of symbols) {
      const count = (this.#waits.get(symbol)?.count ?? 0) + 1
      this.#waits.set(symbol, { count, until: now + backoffMs(count, requestEveryMs, waitMaxMs) })
    }
  }

  #fail(symbols: readonly string[], error: unknown): void {
    const why = error instanceof Error ? error.message : String(error)
    const [symbol = ''] = symbols
    if (!(error instanceof HttpError)) return this.#handlers.failed(why)
    const { status } = error.refusal
    if (this.#handlers.refused(error.refusal)) return
    if (status < 400 || status > 499 || otherRefusals.has(status)) return this.#handlers.failed(why)
    for (const each of symbols) this.#waits.delete(each)
    if (symbols.length > 1) {
      for (const each of symbols) this.#suspects.add(each)
      return
    }
    this.#suspects.delete(symbol)
    this.#refusals.refuse(symbol, why, this.#handlers.now())
  }
}
