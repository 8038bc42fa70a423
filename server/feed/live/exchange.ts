import { parseRounded, parseTruncated } from '../../../contract/price.ts'
import { CountedWarnings } from '../../countedWarnings.ts'
import type { LiveParts } from '../feed.ts'
import { Coverage } from './coverage.ts'
import type { SourceTick } from './coverage.ts'
import { Lag } from './lag.ts'
import { Line } from './line.ts'
import { OwnDelay } from './ownDelay.ts'
import type { Protocol, RawTick, Sink } from './protocol.ts'
import { logResumed } from './resumed.ts'
import type { Resumed } from './resumed.ts'
import { Snapshots } from './snapshots.ts'
import type { Transport } from './transport.ts'

/** One product's part of an exchange. */
export type Subscription = {
  readonly id: string
  readonly symbol: string
  readonly priceDecimals: number
  readonly sizeDecimals: number
  readonly coverage: Coverage
  openingPrice: number | null
}

/** One connection at a time within this many ms: 273 in five minutes. */
const connectEveryMs = 1100
const tendEveryMs = 200
/** A timer that is later than this shows that the process was not running. */
const pauseMs = 500
/** Exchanges end a connection after 24 hours: lines are renewed before, one at a time. */
const renewAfterMs = 23 * 3_600_000
/** A line that is late for this long is opened again. */
const lateMaxMs = 10_000

type LineState = {
  line: Line
  index: number
  symbols: ReadonlySet<string>
  lag: Lag
  lateSince: number | null
  joined: Set<string>
  /** The symbols of which this connection has sent a tick. */
  quoted: Set<string>
  wantsRenewal: boolean
  renewAfterMs: number
}

/** The connections to one exchange, for all products with a feed of it. */
export class Exchange {
  readonly #protocol: Protocol
  readonly #transport: Transport
  readonly #parts: LiveParts
  readonly #warnings: CountedWarnings
  readonly #snapshots: Snapshots<{ state: LineState; openedAt: number | null }>
  readonly #bySymbol = new Map<string, Subscription[]>()
  readonly #lines: LineState[] = []
  readonly #delay = new OwnDelay()
  readonly #resumed: Resumed[] = []
  #connectAt = 0
  #users = 0
  #cancel: (() => void) | null = null

  constructor(protocol: Protocol, transport: Transport, parts: LiveParts) {
    this.#protocol = protocol
    this.#transport = transport
    this.#parts = parts
    this.#warnings = new CountedWarnings((what) => parts.logLine('warn', what))
    this.#snapshots = new Snapshots(protocol, transport, {
      wanted: (isRepeated) =>
        [...this.#bySymbol.keys()].filter((symbol) => isRepeated || this.#needsSnapshot(symbol)),
      connections: () => this.#lines.map((state) => ({ state, openedAt: state.line.openedAt })),
      newest: ({ state, openedAt }, symbol, order, price) => {
        if (openedAt !== null && state.line.openedAt === openedAt) this.#newest(state, symbol, order, price)
      },
      failed: (why) => this.#warnings.count(protocol.name, 'snapshot failed', why),
    })
  }

  /** Adds a product, before the first `start`. */
  add(id: string, symbol: string, priceDecimals: number, sizeDecimals: number): Subscription {
    const { lines, isNumbered, limitMs } = this.#protocol
    const coverage = new Coverage(lines, {
      isNumbered,
      limitMs,
      startAt: this.#parts.clock.now(),
      count: (what, detail) => this.#warnings.count(id, what, detail),
      resumed: (ms, isGap) => this.#resumed.push({ id, ms, isGap }),
    })
    const subscription = { id, symbol, priceDecimals, sizeDecimals, coverage, openingPrice: null }
    this.#bySymbol.set(symbol, [...(this.#bySymbol.get(symbol) ?? []), subscription])
    return subscription
  }

  /** Connects when the first product starts. */
  start(): void {
    if (this.#users++ > 0) return
    const symbols = [...this.#bySymbol.keys()]
    for (let i = 0; i < symbols.length; i += this.#protocol.symbolsPerLine) {
      const some = symbols.slice(i, i + this.#protocol.symbolsPerLine)
      for (let index = 0; index < this.#protocol.lines; index++) this.#openLine(index, some)
    }
    this.#tend(this.#parts.clock.now() + tendEveryMs)
  }

  /** Disconnects when the last product stops. */
  close(): void {
    if (this.#users === 0 || --this.#users > 0) return
    this.#cancel?.()
    for (const { line } of this.#lines.splice(0)) line.close()
  }

  #openLine(index: number, symbols: readonly string[]): void {
    const { clock, random, logLine } = this.#parts
    const parts = {
      clock,
      random,
      transport: this.#transport,
      protocol: this.#protocol,
      symbols,
      nextConnectAt: () => (this.#connectAt = Math.max(clock.now(), this.#connectAt + connectEveryMs)),
    }
    const line = new Line(parts, {
      message: (text) => this.#read(sink, text),
      lost: (why) => {
        this.#leave(state)
        this.#warnings.count(this.#protocol.name, 'connection lost', why)
      },
      renewed: () => {
        this.#leave(state)
        logLine('info', `${this.#protocol.name}: connection renewed before the exchange ends it`)
      },
    })
    const state: LineState = {
      line,
      index,
      symbols: new Set(symbols),
      lag: new Lag(),
      lateSince: null,
      joined: new Set(),
      quoted: new Set(),
      wantsRenewal: false,
      // The two lines of a group end hours apart.
      renewAfterMs: renewAfterMs / (index + 1),
    }
    const sink = this.#sinkOf(state)
    this.#lines.push(state)
    line.start()
  }

  #read(sink: Sink, text: string): void {
    try {
      this.#protocol.read(text, sink)
    } catch {
      sink.unreadable(text)
    }
  }

  #sinkOf(state: LineState): Sink {
    const { clock, logLine } = this.#parts
    const { name } = this.#protocol
    return {
      joined: (symbols) => this.#joined(state, symbols ?? [...state.symbols]),
      rejected: (what) => logLine('error', `${name}: subscription rejected: ${what}`),
      tick: (raw) => this.#tick(state, raw),
      newest: (symbol, order, price) => this.#newest(state, symbol, order, price),
      alive: (symbol) => {
        state.line.recordContent()
        if (state.lateSince !== null) return
        for (const each of symbol === undefined ? state.joined : [symbol])
          for (const { coverage } of this.#bySymbol.get(each) ?? [])
            coverage.alive(state.index, clock.now(), true)
      },
      endsSoon: () => (state.wantsRenewal = true),
      unreadable: (text) => this.#warnings.count(name, 'message cannot be read', text.slice(0, 100)),
    }
  }

  #joined(state: LineState, symbols: readonly string[]): void {
    const now = this.#parts.clock.now()
    for (const symbol of symbols) {
      if (!state.symbols.has(symbol)) continue
      state.joined.add(symbol)
      for (const { coverage } of this.#bySymbol.get(symbol) ?? []) coverage.join(state.index, now)
    }
  }

  #tick(state: LineState, raw: RawTick): void {
    const subscriptions = this.#bySymbol.get(raw.symbol)
    if (!subscriptions || !state.symbols.has(raw.symbol)) {
      this.#warnings.count(this.#protocol.name, 'tick of another symbol', raw.symbol)
      return
    }
    const now = this.#parts.clock.now()
    if (!Number.isSafeInteger(raw.order) || !Number.isSafeInteger(raw.sourceAt)) {
      this.#warnings.count(raw.symbol, 'tick without a number or an instant', raw.sourceId)
      return
    }
    state.line.recordContent()
    state.joined.add(raw.symbol)
    // The first quote of a connection is the state before it, so its age says nothing.
    const isState = !this.#protocol.isNumbered && !state.quoted.has(raw.symbol)
    if (isState) state.quoted.add(raw.symbol)
    const isOnTime = isState ? state.lateSince === null : this.#checkLag(state, raw.sourceAt, now)
    for (const each of subscriptions) each.coverage.tick(state.index, this.#scale(each, raw), now, isOnTime)
  }

  #scale({ id, priceDecimals, sizeDecimals }: Subscription, raw: RawTick): SourceTick {
    const { order, sourceId, sourceAt, isOutsideMarket = false } = raw
    const price = parseRounded(raw.price, priceDecimals) ?? 0
    const size = parseTruncated(raw.size, sizeDecimals) ?? -1
    const isPrice = price > 0 && size >= 0 && !isOutsideMarket
    if (isOutsideMarket) this.#warnings.count(id, 'price outside the market left out', sourceId)
    else if (!isPrice)
      this.#warnings.count(
        id,
        'invalid tick dropped',
        `${sourceId}: ${raw.price} × ${raw.size}`.slice(0, 100),
      )
    return { order, sourceId, sourceAt, isPrice, price, size }
  }

  #checkLag(state: LineState, sourceAt: number, now: number): boolean {
    const isOnTime = state.lag.isOnTime(sourceAt, now, this.#delay.at(now))
    if (isOnTime) state.lateSince = null
    else state.lateSince ??= now
    return isOnTime
  }

  #newest(state: LineState, symbol: string, order: number, price?: string): void {
    for (const each of this.#bySymbol.get(symbol) ?? []) {
      if (price !== undefined) each.openingPrice ??= parseRounded(price, each.priceDecimals) || null
      if (state.joined.has(symbol)) each.coverage.newest(state.index, order)
    }
  }

  /** The connection of a line is gone: it covers nothing until it has joined again. */
  #leave(state: LineState): void {
    for (const symbol of state.symbols)
      for (const { coverage } of this.#bySymbol.get(symbol) ?? []) coverage.leave(state.index)
    state.joined.clear()
    state.quoted.clear()
    state.lateSince = null
    state.wantsRenewal = false
  }

  /** Recurring work: notices pauses of the process, renews lines, requests snapshots. */
  #tend(dueAt: number): void {
    const { clock } = this.#parts
    this.#delay.expect(dueAt)
    this.#cancel = clock.at(dueAt, () => {
      const now = clock.now()
      this.#delay.record(now)
      if (now - dueAt > pauseMs) {
        for (const list of this.#bySymbol.values())
          for (const { coverage } of list) coverage.pause(now - dueAt)
      }
      for (const state of this.#lines) this.#tendLine(state, now)
      this.#snapshots.request(now)
      logResumed(this.#parts.logLine, this.#protocol.name, this.#resumed.splice(0))
      this.#tend(now + tendEveryMs)
    })
  }

  #tendLine(state: LineState, now: number): void {
    const { openedAt } = state.line
    if (openedAt === null) return
    if (state.lateSince !== null && now - state.lateSince > lateMaxMs) return state.line.restart('late')
    const isOld = this.#protocol.lines > 1 && now - openedAt > state.renewAfterMs
    if ((!isOld && !state.wantsRenewal) || !this.#isCarriedElsewhere(state, now)) return
    state.renewAfterMs = renewAfterMs
    state.line.renew()
  }

  /** Whether another line delivers everything that this one does. */
  #isCarriedElsewhere(state: LineState, now: number): boolean {
    return this.#lines.some(
      (other) =>
        other !== state &&
        other.lateSince === null &&
        now - other.line.contentAt <= this.#protocol.limitMs / 2 &&
        [...state.symbols].every((symbol) => other.joined.has(symbol)),
    )
  }

  /** Whether no line can show yet that it missed nothing, or no price is known. */
  #needsSnapshot(symbol: string): boolean {
    const joined = this.#lines.filter((state) => state.joined.has(symbol))
    if (joined.length === 0) return false
    return (this.#bySymbol.get(symbol) ?? []).some(
      ({ openingPrice, coverage }) =>
        openingPrice === null || joined.every((state) => coverage.needsEvidence(state.index)),
    )
  }
}
