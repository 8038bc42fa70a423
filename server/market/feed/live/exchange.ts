import { parseRounded } from '../../../../contract/price.ts'
import type { LiveParts, LiveProduct } from '../feed.ts'
import { Ban } from './ban.ts'
import { ExchangeLine } from './exchangeLine.ts'
import { ExchangeLog } from './exchangeLog.ts'
import { Line } from './line.ts'
import { OwnDelay } from './ownDelay.ts'
import type { Protocol, Sink } from './protocol.ts'
import { Refusals } from './refusals.ts'
import { Snapshots } from './snapshots.ts'
import { openSubscription, type Subscription } from './subscription.ts'
import { scaleTick, type RawTick } from './sourceTick.ts'
import { SubscribedSymbols, symbolsIn } from './subscribedSymbols.ts'
import type { Transport } from './transport.ts'

/** One connection at a time within this many ms: 273 in five minutes. */
const connectEveryMs = 1100
const tendEveryMs = 200
const tendSymbolsEveryMs = 1000
/** A timer that is later than this shows that the process was not running. */
const pauseMs = 500
/** A line that is late for this long is opened again. */
const lateMaxMs = 10_000

/** The connections to one exchange, for all products with a feed of it. */
export class Exchange {
  readonly #protocol: Protocol
  readonly #transport: Transport
  readonly #parts: LiveParts
  readonly #log: ExchangeLog
  readonly #ban: Ban
  readonly #refusals: Refusals
  readonly #snapshots: Snapshots<{ line: ExchangeLine; openedAt: number | null; askedAt: number }>
  readonly #bySymbol = new Map<string, Subscription[]>()
  readonly #lines: ExchangeLine[] = []
  readonly #delay = new OwnDelay()
  #tendSymbolsAt = 0
  #connectAt = 0
  #users = 0
  #cancel: (() => void) | null = null

  constructor(protocol: Protocol, transport: Transport, parts: LiveParts) {
    const { name } = protocol
    const { logLine } = parts
    this.#protocol = protocol
    this.#transport = transport
    this.#parts = parts
    this.#log = new ExchangeLog(name, logLine)
    this.#ban = new Ban(name, logLine)
    this.#refusals = new Refusals(`${name}: subscription`, logLine)
    this.#snapshots = new Snapshots(protocol, transport, {
      now: () => parts.clock.now(),
      logLine,
      wanted: (isRepeated) =>
        [...this.#bySymbol.keys()].filter((symbol) => isRepeated || this.#needsSnapshot(symbol)),
      connections: () => {
        const askedAt = parts.clock.now()
        return this.#lines.map((line) => ({ line, openedAt: line.line.openedAt, askedAt }))
      },
      newest: ({ line, openedAt, askedAt }, ...newest) => {
        if (openedAt !== null && line.line.openedAt === openedAt) this.#newest(line, askedAt, ...newest)
      },
      accepted: (symbol) => this.#callAccepted(symbol),
      answered: () => this.#ban.lifted(),
      refused: (refusal) => this.#ban.record(refusal, parts.clock.now()),
      failed: (why) => this.#log.countOwn('snapshot failed', why),
    })
  }

  /** Adds a product, before the first `start`. */
  add(product: Omit<LiveProduct, 'exchange'>): Subscription {
    const { symbol } = product
    const subscription = openSubscription(product, this.#protocol, this.#log, this.#parts.clock.now())
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
    const { clock, random } = this.#parts
    const protocol = this.#protocol
    const subscribed: SubscribedSymbols = new SubscribedSymbols({
      protocol,
      symbols,
      refusals: this.#refusals,
      isLeftOut: (symbol) =>
        this.#refusals.has(symbol) || (protocol.kind === 'stream' && this.#snapshots.isRefused(symbol)),
      send: (texts) => line.send(texts),
      logRejected: (what) => this.#log.rejected(what),
      now: () => clock.now(),
    })
    const parts = {
      clock,
      random,
      transport: this.#transport,
      protocol,
      symbols: () => subscribed.connecting(),
      nextConnectAt: () =>
        (this.#connectAt = Math.max(clock.now(), this.#connectAt + connectEveryMs, this.#ban.until)),
      bannedUntil: () => this.#ban.until,
    }
    const line: Line = new Line(parts, {
      opened: () => {
        this.#ban.lifted()
        subscribed.opened()
      },
      message: (text) => this.#read(state, sink, text),
      lost: (why, refusal) => {
        this.#leave(state)
        const isBan = refusal !== undefined && this.#ban.record(refusal, clock.now())
        if (!isBan) this.#log.countOwn('connection lost', why)
      },
      renewed: (why) => {
        this.#leave(state)
        this.#log.renewed(why)
      },
    })
    const state = new ExchangeLine(line, index, subscribed, this.#delay)
    const sink = this.#sinkOf(state)
    this.#lines.push(state)
    line.start()
  }

  #read(state: ExchangeLine, sink: Sink, text: string): void {
    try {
      this.#protocol.read(text, sink)
    } catch {
      this.#unreadable(state, text, true)
    }
  }

  #sinkOf(state: ExchangeLine): Sink {
    const { clock } = this.#parts
    const { subscribed, index } = state
    const joined = (symbols?: readonly string[]): void => {
      for (const symbol of subscribed.confirm(symbols))
        for (const { coverage } of this.#of(symbol)) coverage.join(index, clock.now())
    }
    return {
      joined,
      answered: (id, error) => {
        if (error === undefined) joined(subscribed.of(id))
        else subscribed.reject(error, subscribed.of(id))
      },
      rejected: (what) => subscribed.reject(what),
      tick: (raw) => this.#tick(state, raw),
      newest: (...newest) => this.#newest(state, clock.now(), ...newest),
      alive: (symbol) => {
        state.line.recordContent()
        if (state.lateSince !== null) return
        for (const each of symbol === undefined ? subscribed.joined : [symbol])
          for (const { coverage } of this.#of(each)) coverage.alive(index, clock.now(), true)
      },
      endsSoon: () => (state.wantsRenewal = true),
      status: (what, isNormal) => this.#log.said(what, isNormal),
      unreadable: (text) => this.#unreadable(state, text, false),
    }
  }

  #of(symbol: string): readonly Subscription[] {
    return this.#bySymbol.get(symbol) ?? []
  }

  /** A message that cannot be read may have been a tick: of the symbols that it names, or of any if it is broken. */
  #unreadable(state: ExchangeLine, text: string, isBroken: boolean): void {
    this.#log.countOwn('message cannot be read', text.slice(0, 100))
    const { symbols } = state.subscribed
    const named = symbolsIn(text, symbols)
    const now = this.#parts.clock.now()
    for (const symbol of named.length > 0 || !isBroken ? named : symbols)
      for (const { coverage } of this.#of(symbol)) coverage.doubt(state.index, now)
  }

  #tick(state: ExchangeLine, raw: RawTick): void {
    const { symbol, order, sourceAt, sourceId } = raw
    const subscriptions = this.#bySymbol.get(symbol)
    if (!subscriptions || !state.subscribed.symbols.has(symbol))
      return this.#log.countOwn('tick of another symbol', symbol)
    const now = this.#parts.clock.now()
    state.line.recordContent()
    if (!Number.isSafeInteger(order) || !Number.isSafeInteger(sourceAt)) {
      this.#log.count(symbol, 'tick without a number or an instant', sourceId)
      for (const each of subscriptions) this.#drop(state, each, raw, now)
      return
    }
    if (!state.subscribed.joined.has(symbol)) state.subscribed.confirm([symbol])
    const verdict = state.judge(symbol, sourceAt, now, this.#protocol.isNumbered)
    for (const each of subscriptions) {
      if (verdict === 'wrong') this.#log.wrongInstant(each.id, raw, now)
      const tick = verdict === 'wrong' ? null : scaleTick(raw, each, this.#log.count)
      if (tick) {
        each.heard(now)
        each.coverage.tick(state.index, tick, now, verdict === 'on time')
      } else this.#drop(state, each, raw, now)
    }
  }

  #drop(state: ExchangeLine, { coverage }: Subscription, { symbol, order }: RawTick, now: number): void {
    const number = Number.isSafeInteger(order) ? order : null
    coverage.dropped(state.index, number, state.lagOf(symbol).expectedAt(now), now)
  }

  #newest(state: ExchangeLine, askedAt: number, symbol: string, order: number, price?: string): void {
    if (!Number.isSafeInteger(order)) return
    // Without numbers it is an instant.
    const isWrong = !this.#protocol.isNumbered && state.lagOf(symbol).isAhead(order, this.#parts.clock.now())
    if (isWrong) return
    for (const each of this.#of(symbol)) {
      const opening = price === undefined ? 0 : (parseRounded(price, each.priceDecimals) ?? 0)
      if (opening > 0) each.openingPrice ??= opening
      if (state.subscribed.joined.has(symbol)) each.coverage.newest(state.index, order, askedAt)
    }
  }

  /** A call for a symbol is answered again: a connection that names its symbols in its address is opened again for it. */
  #callAccepted(symbol: string): void {
    if (this.#protocol.kind !== 'stream') return
    for (const { line, subscribed } of this.#lines)
      if (line.openedAt !== null && subscribed.lacks(symbol)) line.renew(`for ${symbol}`)
  }

  /** The connection of a line is closed: it covers nothing until it has joined again. */
  #leave(state: ExchangeLine): void {
    for (const symbol of state.subscribed.symbols)
      for (const { coverage } of this.#of(symbol)) coverage.leave(state.index)
    state.ended()
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
      if (now >= this.#ban.until) {
        for (const state of this.#lines) this.#tendLine(state, now)
        this.#snapshots.request(now)
      }
      if (now >= this.#tendSymbolsAt) this.#tendSymbols(now)
      this.#log.resumed.log(now, (id) => this.#log.quiet.isHeard(id))
      this.#tend(now + tendEveryMs)
    })
  }

  #tendLine(state: ExchangeLine, now: number): void {
    const { lines, limitMs } = this.#protocol
    const { openedAt } = state.line
    if (openedAt === null) return
    if (state.lateSince !== null && now - state.lateSince > lateMaxMs) return state.line.restart('late')
    if (!state.shouldRenew(lines > 1 ? now - openedAt : 0)) return
    if (this.#lines.some((other) => other.carries(state, now - limitMs / 2))) state.renew()
  }

  /** Names products that are quiet for long, and tries again what was refused. */
  #tendSymbols(now: number): void {
    this.#tendSymbolsAt = now + tendSymbolsEveryMs
    for (const { line, subscribed } of this.#lines) if (line.openedAt !== null) subscribed.giveUp()
    for (const [symbol, list] of this.#bySymbol) {
      const open = this.#lines.filter((line) => line.isOpenFor(symbol))
      for (const { id, tradingHoursAt } of list)
        this.#log.quiet.check(id, open.length > 0 && tradingHoursAt(now).open, now)
      if (open.length > 0 && this.#refusals.has(symbol) && this.#refusals.mayTry(symbol, now))
        for (const { subscribed } of open) subscribed.tryAgain(symbol)
    }
  }

  /** Whether no line can show yet that it missed nothing, or no price is known. */
  #needsSnapshot(symbol: string): boolean {
    const joined = this.#lines.filter(({ subscribed }) => subscribed.joined.has(symbol))
    if (joined.length === 0) return false
    return this.#of(symbol).some(
      ({ openingPrice, coverage }) =>
        openingPrice === null || joined.every(({ index }) => coverage.needsEvidence(index)),
    )
  }
}
