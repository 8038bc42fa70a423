import type { Protocol } from './protocol.ts'
import type { Refusals } from './refusals.ts'

/** A subscription without an answer for this long counts as refused; a line without market data ends before. */
const answerMs = 20_000

export type SubscribedSymbolsParts = {
  protocol: Protocol
  /** All symbols that the line is for. */
  symbols: readonly string[]
  refusals: Refusals
  /** Whether a connection leaves the symbol out. */
  isLeftOut: (symbol: string) => boolean
  send: (texts: readonly string[]) => void
  /** A rejection that names no symbol. */
  logRejected: (what: string) => void
  now: () => number
}

/**
 * What one line subscribes to. An exchange may refuse a whole message because of one symbol in it: that one is left out
 * and the others are subscribed to again; if it is not named, all are, one message each.
 */
export class SubscribedSymbols {
  readonly symbols: ReadonlySet<string>
  /** Confirmed, or proved by a tick. */
  readonly joined = new Set<string>()
  readonly #parts: SubscribedSymbolsParts
  /** Of this connection. */
  #wanted: readonly string[] = []
  /** Sent and not answered. */
  readonly #asked = new Set<string>()
  #askedAt = 0
  readonly #byId = new Map<number, readonly string[]>()
  #nextId = 1
  #isOneByOne = false

  constructor(parts: SubscribedSymbolsParts) {
    this.#parts = parts
    this.symbols = new Set(parts.symbols)
  }

  /** What the next connection is for: what is not refused, or all if everything is. */
  connecting(): readonly string[] {
    const accepted = this.#parts.symbols.filter((symbol) => !this.#parts.isLeftOut(symbol))
    return (this.#wanted = accepted.length > 0 ? accepted : this.#parts.symbols)
  }

  opened(): void {
    this.#ask(this.#wanted)
  }

  ended(): void {
    this.joined.clear()
    this.#asked.clear()
    this.#byId.clear()
    this.#nextId = 1
    this.#isOneByOne = false
  }

  /** Whether the open connection could have the symbol and does not. */
  lacks(symbol: string): boolean {
    return this.symbols.has(symbol) && !this.#wanted.includes(symbol)
  }

  /** Subscribes to a symbol that was refused before. */
  tryAgain(symbol: string): void {
    if (this.symbols.has(symbol) && !this.joined.has(symbol)) this.#ask([symbol])
  }

  /** Gives up what the exchange has not answered, or rejected without a name. */
  giveUp(): void {
    if (this.#asked.size === 0 || this.#parts.now() - this.#askedAt < answerMs) return
    for (const symbol of this.#asked) this.#parts.refusals.refuse(symbol, 'not confirmed', this.#parts.now())
    this.#asked.clear()
  }

  /** @returns the symbols of a reply to a message with an id */
  of(id: number): readonly string[] {
    return this.#byId.get(id) ?? []
  }

  /** @returns those of the symbols, or of all of this connection, to which it has subscribed now */
  confirm(symbols: readonly string[] = this.#wanted): readonly string[] {
    const own = symbols.filter((symbol) => this.symbols.has(symbol))
    for (const symbol of own) {
      this.#asked.delete(symbol)
      this.joined.add(symbol)
      this.#parts.refusals.accept(symbol)
    }
    return own
  }

  /** @param symbols of the rejected message, if that is known */
  reject(what: string, symbols?: readonly string[]): void {
    const possible = symbols ?? [...this.#asked]
    const named = possible.length === 1 ? possible : symbolsIn(what, symbols ?? this.symbols)
    for (const symbol of named) this.#parts.refusals.refuse(symbol, what, this.#parts.now())
    if (named.length === 0) this.#parts.logRejected(what)
    const wasAsked = named.filter((symbol) => this.#asked.delete(symbol)).length > 0
    const rest = [...this.#asked]
    if (wasAsked) this.#ask(rest)
    else if (named.length === 0 && !this.#isOneByOne) {
      this.#isOneByOne = true
      this.#ask(rest)
    }
  }

  #ask(symbols: readonly string[]): void {
    const { protocol, send } = this.#parts
    this.#askedAt = this.#parts.now()
    const groups = this.#isOneByOne ? symbols.map((symbol) => [symbol]) : [symbols]
    for (const group of groups) {
      if (group.length === 0) continue
      const messages = protocol.subscribe(group, this.#nextId)
      for (const { symbols: some } of messages) {
        this.#byId.set(this.#nextId++, some)
        for (const symbol of some) this.#asked.add(symbol)
      }
      send(messages.map(({ text }) => text))
    }
  }
}

/** Those of the symbols that a text names: `BTC-USDT` does not name `BTC-USD`. */
export function symbolsIn(text: string, symbols: Iterable<string>): string[] {
  const words = text.toUpperCase().match(/[A-Z0-9][A-Z0-9./_-]*/g) ?? []
  const named = new Set(words.map((word) => word.replace(/[./_-]+$/, '')))
  return [...symbols].filter((symbol) => named.has(symbol))
}
