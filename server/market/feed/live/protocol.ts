import type { RawTick } from './sourceTick.ts'

/** What a line reports about what it reads. Symbols are as the exchange writes them, in upper case. */
export type Sink = {
  /** The subscription of these symbols (or of all) is confirmed: from now on the line carries every tick of them. */
  joined(symbols?: readonly string[]): void
  /** The reply to the subscribing message with this id; `error` if it was rejected. */
  answered(id: number, error?: string): void
  /** A subscription was rejected; `what` may name symbols. */
  rejected(what: string): void
  /** The exchange says in what state it is: `isNormal` or, for example, maintenance. */
  status(state: string, isNormal: boolean): void
  tick(tick: RawTick): void
  /** The newest tick of a symbol according to a snapshot or heartbeat; `price` only for the first price shown. */
  newest(symbol: string, order: number, price?: string): void
  /** A message that proves that market data of this symbol (or of all) flows. */
  alive(symbol?: string): void
  /** The exchange is about to close the connection. */
  endsSoon(): void
  /** A message that cannot be used, with its text. */
  unreadable(text: string): void
}

/** A message that subscribes to some symbols. */
export type Subscribing = { text: string; symbols: readonly string[] }

/** An exchange's protocol: addresses and messages, without connections, clocks or state. */
export type Protocol = {
  readonly name: string
  /** 2 if several lines carry the same ticks. */
  readonly lines: 1 | 2
  readonly isNumbered: boolean
  /** Silence that is still made up for, ms. */
  readonly limitMs: number
  /** A connection on which nothing arrived for this long is closed, ms. */
  readonly deadMs: number
  readonly symbolsPerLine: number
  /** The address to connect to; `kind` says how. */
  readonly kind: 'socket' | 'stream'
  address(symbols: readonly string[]): string
  readonly headers?: Readonly<Record<string, string>>
  /** What to send to subscribe; the messages are numbered from `firstId` on. */
  subscribe(symbols: readonly string[], firstId: number): readonly Subscribing[]
  /** Sent every second: a ping frame, or this text. */
  readonly ping: 'frame' | 'none' | { text: string }
  /** Reads a message. It may throw on text of another shape, which then counts as unreadable. */
  read(text: string, sink: Sink): void
  /** A call that returns the newest tick of some symbols: made after a line joined, or every second. */
  readonly snapshot?: {
    readonly isRepeated: boolean
    readonly symbolsPerCall: number
    address(symbols: readonly string[]): string
    /** Calls `sink.newest` only. */
    read(text: string, symbols: readonly string[], sink: Pick<Sink, 'newest'>): void
  }
}

/** What exchanges share that number their trades without holes and send them over sockets. */
export const numberedTrades = {
  kind: 'socket',
  lines: 2,
  isNumbered: true,
  limitMs: 2000,
  deadMs: 3000,
} as const satisfies Partial<Protocol>
