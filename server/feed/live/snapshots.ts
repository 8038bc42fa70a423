import type { Protocol } from './protocol.ts'
import type { Transport } from './transport.ts'

const requestEveryMs = 1000
/** Calls for one symbol each cost much of what an exchange allows; ticks link the other symbols. */
const callsPerSecond = 4

type Handlers<Connection> = {
  /** The symbols to request. */
  wanted(isRepeated: boolean): readonly string[]
  /** The connections that are open when a call is made: its answer is valid for them only. */
  connections(): readonly Connection[]
  newest(connection: Connection, symbol: string, order: number, price?: string): void
  failed(why: string): void
}

/** The calls for the newest tick of a symbol, by which a connection knows whether it missed one. */
export class Snapshots<Connection> {
  readonly #protocol: Protocol
  readonly #transport: Transport
  readonly #handlers: Handlers<Connection>
  #nextAt = 0

  constructor(protocol: Protocol, transport: Transport, handlers: Handlers<Connection>) {
    this.#protocol = protocol
    this.#transport = transport
    this.#handlers = handlers
  }

  /** Requests what is missing, at most once a second. */
  request(now: number): void {
    const { snapshot } = this.#protocol
    if (!snapshot || now < this.#nextAt) return
    this.#nextAt = now + requestEveryMs
    const { isRepeated, symbolsPerCall } = snapshot
    const wanted = this.#handlers.wanted(isRepeated)
    const most = isRepeated ? wanted.length : Math.min(wanted.length, callsPerSecond * symbolsPerCall)
    for (let i = 0; i < most; i += symbolsPerCall) this.#call(wanted.slice(i, i + symbolsPerCall))
  }

  #call(symbols: readonly string[]): void {
    const { snapshot, headers = {} } = this.#protocol
    if (!snapshot) return
    const connections = this.#handlers.connections()
    const newest = (symbol: string, order: number, price?: string): void => {
      for (const each of connections) this.#handlers.newest(each, symbol, order, price)
    }
    this.#transport
      .get(snapshot.address(symbols), headers)
      .then((text) => snapshot.read(text, symbols, { newest }))
      .catch((error: unknown) =>
        this.#handlers.failed(error instanceof Error ? error.message : String(error)),
      )
  }
}
