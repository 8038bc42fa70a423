import { assertNever } from '../../../contract/units.ts'
import type { Clock } from '../../../server/platform/ports.ts'
import type { Fault } from './faults.ts'
import type { Frame } from './frames.ts'
import { symbolsOf, type Speech, type Trade } from './speech.ts'

/** One client's connection, as the exchange sees it. */
export type Peer = {
  send(text: string): void
  pong(): void
  close(): void
  /** Sends a part of a message and ends the connection. */
  closeWithin(text: string): void
}
/** An HTTP answer; `retryAfter` is its header `Retry-After`. */
export type HttpAnswer = { status: number; body: string; retryAfter: string | null }
export type SentTrade = { trade: Trade; session: number; at: number; isPrice: boolean }

type Session = {
  serial: number
  peer: Peer
  symbols: Set<string>
  queue: { dueAt: number; act: () => void }[]
  stalledUntil: number
  slowMs: number
  mode: 'normal' | 'half-open' | 'pong-only'
  dropping: number
  duplicating: number
  reordering: Trade[] | null
  reorderCount: number
  mutedUntil: number
}

export type ExchangeCoreOptions = {
  clock: Clock
  speech: Speech
  symbols: readonly string[]
  next: () => number
  /** Trades of each symbol per second. */
  rate: number
  faults: readonly Fault[]
  /** Recorded messages, sent as they are instead of trades from the seed. */
  frames?: readonly Frame[]
}

const firstId = 1000
const snapshotTrades = 50
const shutdownMs = 10_000
/** What a fault without a duration has, other than a second. */
const defaultMs: Partial<Record<Fault['kind'], number>> = { 'future-tick': 3_600_000 }

/** An exchange of our own, without its network: trades from a seed or a recording, faults by a script. */
export class ExchangeCore {
  /** Every trade that was made, in order, whether or not it was sent. */
  readonly trades: Trade[] = []
  /** Every trade that left, with its connection and instant; what is lost on the way of a cut connection too. */
  readonly sent: SentTrade[] = []
  /** When something that proves life last left. */
  contentSentAt = Number.NEGATIVE_INFINITY
  /** The paths of all calls. */
  readonly calls: string[] = []
  /** The connections and calls that were refused by a status. */
  readonly refused: { at: number; status: number }[] = []
  readonly #options: ExchangeCoreOptions
  readonly #sessions = new Set<Session>()
  readonly #newest = new Map<string, Trade[]>()
  readonly #ids = new Map<string, number>()
  readonly #prices = new Map<string, number>()
  readonly #cancels = new Set<() => void>()
  #sessionCount = 0
  #skewMs = 0
  #closedUntil = 0
  #oddPrice: string | null = null
  #futureTicks = { count: 0, ms: 0 }
  #microsUntil = 0
  #goneUntil = 0
  #rejecting = { until: 0, isNamed: true }
  #mutedUntil = 0
  #status = { until: 0, code: 0 }
  #isStopped = false

  constructor(options: ExchangeCoreOptions) {
    this.#options = options
  }

  get sessions(): number {
    return this.#sessions.size
  }
  get sessionCount(): number {
    return this.#sessionCount
  }

  start(): void {
    const { symbols, speech, faults, frames } = this.#options
    for (const symbol of symbols) {
      if (frames) continue
      this.#tradeLater(symbol)
      this.#contentLater(symbol, speech.contentEveryMs)
    }
    if (frames) this.#sendFrames(frames, 0, this.#options.clock.now())
    for (const fault of faults) this.#after(fault.at, () => this.#apply(fault))
  }

  stop(): void {
    this.#isStopped = true
    for (const cancel of this.#cancels) cancel()
    for (const session of this.#sessions) session.peer.close()
    this.#sessions.clear()
  }

  /** The answer that refuses a connection; null if it may open. */
  refuse(path: string): HttpAnswer | null {
    const { clock, speech } = this.#options
    const { until, code } = this.#status
    if (clock.now() < until) {
      this.refused.push({ at: clock.now(), status: code })
      // 418 names the instant, 429 and 503 the seconds; 451 is no ban.
      const seconds = String(Math.ceil((until - clock.now()) / 1000))
      const retryAfter = code === 418 ? new Date(until + 999).toUTCString() : seconds
      return { status: code, body: '{}', retryAfter: code === 451 ? null : retryAfter }
    }
    const isUnknown = speech.transport === 'stream' && symbolsOf(path).some((each) => this.#isRefused(each))
    return isUnknown ? { status: 400, body: '{"errorMessage":"Invalid value"}', retryAfter: null } : null
  }

  connect(path: string, peer: Peer): { receive(text: string): void; ping(): void; closed(): void } {
    const session: Session = {
      serial: ++this.#sessionCount,
      peer,
      symbols: new Set(),
      queue: [],
      stalledUntil: 0,
      slowMs: 0,
      mode: 'normal',
      dropping: 0,
      duplicating: 0,
      reordering: null,
      reorderCount: 0,
      mutedUntil: this.#mutedUntil,
    }
    this.#sessions.add(session)
    const { subscribeWithinMs } = this.#options.speech
    if (Number.isFinite(subscribeWithinMs))
      this.#after(subscribeWithinMs, () => session.symbols.size === 0 && this.#cut(session))
    for (const symbol of this.#options.speech.inAddress(path)) this.#subscribe(session, symbol)
    return {
      receive: (text) => this.#receive(session, text),
      ping: () => {
        if (session.mode !== 'half-open') this.#deliver(session, () => peer.pong())
      },
      closed: () => this.#sessions.delete(session),
    }
  }

  call(path: string): HttpAnswer {
    const { speech, clock } = this.#options
    this.calls.push(path)
    const refused = this.refuse(path)
    if (refused) return refused
    if (symbolsOf(path).some((symbol) => this.#isGone(symbol)))
      return { status: 400, body: '{"code":-1121,"msg":"Invalid symbol."}', retryAfter: null }
    const newest = (symbol: string): Trade | undefined => this.#newest.get(symbol)?.at(-1)
    const body = speech.call(path, newest, clock.now() + this.#skewMs)
    return { status: body === null ? 404 : 200, body: body ?? '{}', retryAfter: null }
  }

  /** The symbol that faults of one product are about. */
  get #target(): string {
    return this.#options.symbols.at(-1) ?? ''
  }

  #isGone(symbol: string): boolean {
    return symbol === this.#target && this.#options.clock.now() < this.#goneUntil
  }

  /** Whether a subscription or connection for the symbol is refused in whole. */
  #isRefused(symbol: string): boolean {
    const { clock, speech } = this.#options
    const isRejected = symbol === this.#target && clock.now() < this.#rejecting.until
    return isRejected || (speech.refusesWhole && this.#isGone(symbol))
  }

  #receive(session: Session, text: string): void {
    if (session.mode === 'half-open') return
    const { speech } = this.#options
    const refused = speech.asked(text).find((symbol) => this.#isRefused(symbol))
    if (refused !== undefined && session.mode !== 'pong-only') {
      const named = this.#rejecting.isNamed || this.#isGone(refused) ? refused : null
      return this.#deliver(session, () => session.peer.send(speech.refusal(text, named)))
    }
    const { replies, subscribes, isPing } = speech.receive(
      text,
      (symbol) => this.#newest.get(symbol) ?? [],
      (symbol) => !this.#isGone(symbol),
    )
    if (session.mode === 'pong-only' && !isPing) return
    for (const reply of replies) this.#deliver(session, () => session.peer.send(reply))
    for (const symbol of subscribes) session.symbols.add(symbol)
  }

  #subscribe(session: Session, symbol: string): void {
    session.symbols.add(symbol)
    const newest = this.#newest.get(symbol)?.at(-1)
    // A stream of prices begins with the price that holds.
    if (newest) this.#sendTrade(session, newest)
  }

  #after(ms: number, run: () => void): void {
    const { clock } = this.#options
    const cancel = clock.at(clock.now() + ms, () => {
      this.#cancels.delete(cancel)
      if (!this.#isStopped) run()
    })
    this.#cancels.add(cancel)
  }

  #tradeLater(symbol: string): void {
    const { next, rate } = this.#options
    this.#after(Math.max(1, Math.round((-Math.log(1 - next()) * 1000) / rate)), () => {
      if (this.#options.clock.now() >= this.#closedUntil && !this.#isGone(symbol)) this.#trade(symbol)
      this.#tradeLater(symbol)
    })
  }

  #contentLater(symbol: string, ms: number): void {
    this.#after(ms, () => {
      const { speech, clock } = this.#options
      const newest = this.#newest.get(symbol)?.at(-1)
      const text = speech.content(symbol, newest, clock.now() + this.#skewMs)
      for (const session of this.#sessions) {
        if (session.symbols.has(symbol) && !this.#isGone(symbol))
          this.#sendContent(session, () => session.peer.send(text))
      }
      this.#contentLater(symbol, ms)
    })
  }

  /** Sends what is due, then waits for the next: timers of their own would not keep the order. */
  #sendFrames(frames: readonly Frame[], from: number, startAt: number): void {
    const { clock } = this.#options
    let i = from
    for (let frame = frames[i]; frame && startAt + frame.afterMs <= clock.now(); frame = frames[++i])
      this.#sendFrame(frame)
    const next = frames[i]
    if (next) this.#after(startAt + next.afterMs - clock.now(), () => this.#sendFrames(frames, i, startAt))
  }

  #sendFrame({ raw, trade }: Frame): void {
    for (const session of this.#sessions) {
      this.#sendContent(session, () => {
        session.peer.send(raw)
        if (trade)
          this.sent.push({ trade, session: session.serial, at: this.#options.clock.now(), isPrice: true })
      })
    }
  }

  #trade(symbol: string): void {
    const { clock, next } = this.#options
    const id = (this.#ids.get(symbol) ?? firstId) + 1
    this.#ids.set(symbol, id)
    const cents = Math.max(100, (this.#prices.get(symbol) ?? 6_394_390) + Math.floor(next() * 41) - 20)
    this.#prices.set(symbol, cents)
    const isTarget = symbol === this.#target
    const oddPrice = isTarget ? this.#oddPrice : null
    if (isTarget) this.#oddPrice = null
    const price = oddPrice ?? `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
    const size = `${Math.floor(next() * 3)}.${String(Math.floor(next() * 1e5)).padStart(5, '0')}`
    const offMs = isTarget ? this.#offMs() : 0
    const at = clock.now() + this.#skewMs + offMs
    const trade = { serial: this.trades.length, id, symbol, at, price, size, offMs }
    this.trades.push(trade)
    this.#newest.set(symbol, [...(this.#newest.get(symbol) ?? []), trade].slice(-snapshotTrades))
    for (const session of this.#sessions) if (session.symbols.has(symbol)) this.#offerTrade(session, trade)
  }

  /** How far the instant of the next trade is off. */
  #offMs(): number {
    const now = this.#options.clock.now()
    if (now < this.#microsUntil) return (now + this.#skewMs) * 999
    if (this.#futureTicks.count === 0) return 0
    this.#futureTicks.count--
    return this.#futureTicks.ms
  }

  #offerTrade(session: Session, trade: Trade): void {
    if (trade.symbol === this.#target && this.#options.clock.now() < session.mutedUntil) return
    if (session.dropping > 0) {
      session.dropping--
      return
    }
    if (session.reordering) {
      session.reordering.push(trade)
      if (session.reordering.length < session.reorderCount) return
      const trades = session.reordering.reverse()
      session.reordering = null
      for (const each of trades) this.#sendTrade(session, each)
      return
    }
    this.#sendTrade(session, trade)
    if (session.duplicating > 0) {
      session.duplicating--
      this.#sendTrade(session, trade)
    }
  }

  #sendTrade(session: Session, trade: Trade): void {
    const text = this.#options.speech.trade(trade)
    this.#sendContent(session, () => {
      session.peer.send(text)
      const isPrice = Number(trade.price) > 0 && Number(trade.price) < 1e12
      this.sent.push({ trade, session: session.serial, at: this.#options.clock.now(), isPrice })
    })
  }

  #sendContent(session: Session, act: () => void): void {
    if (session.mode !== 'normal') return
    this.#deliver(session, () => {
      this.contentSentAt = this.#options.clock.now()
      act()
    })
  }

  /** Sends at once, or after what is stalled. */
  #deliver(session: Session, act: () => void): void {
    const { clock } = this.#options
    const dueAt = Math.max(
      clock.now() + session.slowMs,
      session.stalledUntil,
      session.queue.at(-1)?.dueAt ?? 0,
    )
    if (dueAt <= clock.now() && session.queue.length === 0) return act()
    session.queue.push({ dueAt, act })
    this.#after(dueAt - clock.now(), () => {
      const item = session.queue.shift()
      if (this.#sessions.has(session) && session.mode !== 'half-open') item?.act()
    })
  }

  #cut(session: Session, partOfMessage?: string): void {
    if (!this.#sessions.delete(session) || session.mode === 'half-open') return
    if (partOfMessage === undefined) session.peer.close()
    else session.peer.closeWithin(partOfMessage)
  }

  #apply(fault: Fault): void {
    const { clock, speech } = this.#options
    const symbol = this.#target
    const { kind, ms = defaultMs[fault.kind] ?? 1000, count = 1, target = 'all' } = fault
    const until = clock.now() + ms
    const open = [...this.#sessions].filter((session) => session.mode === 'normal')
    const sessions = target === 'one' ? open.slice(0, 1) : open
    if (kind === 'skew') {
      this.#skewMs = ms
      if (fault.count !== undefined) this.#after(count * 1000, () => (this.#skewMs = 0))
    } else if (kind === 'future-tick') this.#futureTicks = { count, ms }
    else if (kind === 'micros') this.#microsUntil = until
    else if (kind === 'gone-symbol') this.#goneUntil = until
    else if (kind === 'mute-after-join') this.#mutedUntil = target === 'all' ? until : this.#mutedUntil
    else if (kind === 'reject-all') this.#rejecting = { until, isNamed: count % 2 === 1 }
    else if (kind === 'status') this.#status = { until, code: count > 1 ? count : 429 }
    else if (kind === 'zero-price') this.#oddPrice = '0.00'
    else if (kind === 'absurd-price') this.#oddPrice = '99999999999999999999.99'
    else if (kind === 'closed') this.#closedUntil = clock.now() + ms
    // Quotes come at most four times a second, each with an instant of its own.
    else if (kind === 'burst') for (let i = 0; i < (speech.isNumbered ? count : 1); i++) this.#trade(symbol)
    else if (kind === 'ids-back' && speech.isNumbered)
      this.#ids.set(symbol, Math.max(0, (this.#ids.get(symbol) ?? firstId) - 500 * count))
    for (const session of sessions) this.#applyTo(session, kind, ms, count)
  }

  #applyTo(session: Session, kind: Fault['kind'], ms: number, count: number): void {
    const { clock, speech, symbols } = this.#options
    const strange: Trade = { serial: -1, id: 7, symbol: 'X_Y', at: clock.now(), price: '1.00', size: '1' }
    switch (kind) {
      case 'drop':
        session.dropping += count
        return
      case 'duplicate':
        session.duplicating += count
        return
      case 'reorder':
        session.reordering ??= []
        session.reorderCount = count + 1
        return
      case 'stall':
        session.stalledUntil = clock.now() + ms
        return
      case 'slow':
        session.slowMs = Math.min(ms, 3000)
        this.#after(ms, () => (session.slowMs = 0))
        return
      case 'half-open':
      case 'pong-only':
        session.mode = kind
        return
      case 'cut':
      // Connections are opened again, and refused.
      case 'status':
      case 'reject-all':
        return this.#cut(session)
      case 'mute-after-join':
        session.mutedUntil = clock.now() + ms
        return
      case 'cut-in-message':
        return this.#cut(session, speech.trade({ ...strange, symbol: symbols[0] ?? '' }).slice(0, 40))
      case 'shutdown':
        if (speech.hasShutdownEvent)
          this.#deliver(session, () => session.peer.send(`{"e":"serverShutdown","E":${clock.now()}}`))
        this.#after(shutdownMs, () => this.#cut(session))
        return
      case 'bad-json':
        return this.#deliver(session, () => session.peer.send('{"e":"trade","E":17'))
      case 'wrong-symbol':
        return this.#deliver(session, () => session.peer.send(speech.trade(strange)))
      case 'skew':
      case 'zero-price':
      case 'absurd-price':
      case 'closed':
      case 'burst':
      case 'ids-back':
      case 'future-tick':
      case 'micros':
      case 'gone-symbol':
        return
      default:
        return assertNever(kind)
    }
  }
}
