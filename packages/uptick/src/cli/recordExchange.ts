import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isRecordedInstant } from '../../../../contract/recordedInstant.ts'
import { minuteMs } from '../../../../contract/time.ts'
import {
  systemClock,
  symbolPatterns,
  type ExchangeName,
  Ban,
  Lag,
  Line,
  type Protocol,
  type Sink,
  type RawTick,
  networkTransport,
  systemRandom,
} from '../../../../server/market/package.ts'
import { recordingHeader } from '../../../../streams/replay/format.ts'
import { UsageError, exitCodes, type CommandContext } from './command.ts'
import { continueRows, cutPartialLineOf } from './continuedFile.ts'
import { plainDigits } from './files.ts'
import { protocolNames, protocolOf } from './protocols.ts'
import { ended, showProgress, tickCount } from './untilEnd.ts'

export type ExchangeRecording = {
  exchange: string
  symbols: readonly string[]
  folder: string
  /** Also every message as it arrived. */
  raw: boolean
  /** Another address than the exchange's own. */
  url: string | undefined
  /** Ends after this many ms; null: at Ctrl-C. */
  span: number | null
}

const header = `${recordingHeader},source_id,recv_ms`
/** Exchanges limit how often an address may connect. */
const connectEveryMs = 1100

/** `binance:BTCUSDT,ETHUSDT`; null if the text does not begin with the name of an exchange. */
export function parseExchange(text: string): Pick<ExchangeRecording, 'exchange' | 'symbols'> | null {
  const [exchange = '', ...rest] = text.split(':')
  if (!protocolNames.includes(exchange)) return null
  const symbols = rest.join(':').toUpperCase().split(',')
  const pattern = symbolPatterns[exchange as ExchangeName]
  const wrong = symbols.find((symbol) => !pattern.test(symbol))
  if (wrong !== undefined)
    throw new UsageError(
      `${exchange} has no symbol like "${wrong}"`,
      'such as binance:BTCUSDT, coinbase:BTC-USD, kraken:BTC/USD, oanda:EUR_USD',
    )
  // Binance writes BTCUSDT, people also BTC/USDT.
  const own = exchange.startsWith('binance') ? symbols.map((symbol) => symbol.replace('/', '')) : symbols
  return { exchange, symbols: [...new Set(own)] }
}

/**
 * Writes the trades of an exchange as they arrive, one file for each symbol, over one connection that is opened again
 * whenever it ends. Files that are there are continued; trades that were missed are named.
 */
export async function recordExchange(what: ExchangeRecording, context: CommandContext): Promise<number> {
  const { exchange, symbols, folder, raw, url, span } = what
  const { OANDA_TOKEN: token, OANDA_ACCOUNT: account } = process.env
  const protocol = protocolOf(exchange, { url, token, account })
  if (!protocol) throw new UsageError(`no exchange ${exchange}`)
  if (exchange === 'oanda' && (!token || !account))
    throw new UsageError('oanda needs OANDA_TOKEN and OANDA_ACCOUNT in the environment')
  if (symbols.length > protocol.symbolsPerLine)
    throw new UsageError(`${exchange} takes ${protocol.symbolsPerLine} symbols at once`)
  mkdirSync(folder, { recursive: true })
  const files = symbols.map((symbol) => new SymbolFile(folder, symbol, protocol, context.note))
  const messages = raw ? new MessageFile(join(folder, `${exchange}.ndjson`)) : null
  const end = new AbortController()
  const listening = listen(protocol, files, messages, context, (why) => end.abort(why))
  const stopProgress = showProgress(tickCount(files, 'symbols'))
  await ended(AbortSignal.any([context.signal, end.signal]), span)
  stopProgress()
  listening.close()
  for (const file of files) file.close()
  messages?.close()
  if (end.signal.aborted) throw new UsageError(String(end.signal.reason))
  for (const { symbol, ticks } of files) context.print(`${symbol}: ${ticks} ticks`)
  return exitCodes.done
}

/** Opens the connection, and adds what arrives to the files. `reject` is called if the exchange refuses. */
function listen(
  protocol: Protocol,
  files: readonly SymbolFile[],
  messages: MessageFile | null,
  { note }: CommandContext,
  reject: (why: string) => void,
): Line {
  const clock = systemClock()
  const bySymbol = new Map(files.map((file) => [file.symbol, file]))
  let connectAt = 0
  let unreadable = 0
  const ban = new Ban(protocol.name, (_level, what) => note(what))
  const symbols = files.map(({ symbol }) => symbol)
  const sink: Sink = {
    joined: () => line.recordContent(),
    answered: (_id, error) => {
      if (error === undefined) line.recordContent()
      else sink.rejected(error)
    },
    status: (what, isNormal) => {
      if (!isNormal) note(`${protocol.name} says: ${what}`)
    },
    rejected: (what) => reject(`${protocol.name} refuses: ${what}`),
    newest: () => undefined,
    alive: () => line.recordContent(),
    endsSoon: () => line.renew('before the exchange ends it'),
    unreadable: (text) => {
      // The first one may explain what is wrong; thousands would hide it.
      if (++unreadable === 1) note(`a message cannot be read: ${text.slice(0, 100)}`)
    },
    tick: (tick) => {
      line.recordContent()
      bySymbol.get(tick.symbol)?.add(tick, Math.floor(clock.now()))
    },
  }
  const line: Line = new Line(
    {
      clock,
      random: systemRandom,
      transport: networkTransport,
      protocol,
      symbols: () => symbols,
      bannedUntil: () => ban.until,
      nextConnectAt: () => (connectAt = Math.max(clock.now(), connectAt + connectEveryMs)),
    },
    {
      opened: () => {
        ban.lifted()
        line.send(protocol.subscribe(symbols, 1).map(({ text }) => text))
      },
      message: (text) => {
        messages?.add(Math.floor(clock.now()), text)
        try {
          protocol.read(text, sink)
        } catch {
          sink.unreadable(text)
        }
      },
      lost: (why, refusal) => {
        if (!refusal || !ban.record(refusal, clock.now())) note(`connection lost (${why}); connecting again`)
      },
      renewed: () => note('the exchange ends the connection soon; connecting again'),
    },
  )
  line.start()
  return line
}

/** The recording of one symbol, which is begun or continued. */
class SymbolFile {
  readonly symbol: string
  /** How many this run added. */
  ticks = 0
  #last: { order: number; at: number } | null
  readonly #isNumbered: boolean
  readonly #lag = new Lag()
  #wrongInstants = 0
  readonly #fd: number
  readonly #note: (text: string) => void

  /** @throws UsageError if there is a file of something else */
  constructor(folder: string, symbol: string, { isNumbered }: Protocol, note: (text: string) => void) {
    this.symbol = symbol
    this.#isNumbered = isNumbered
    this.#note = note
    const path = join(folder, `${symbol.replaceAll('/', '-')}.csv`)
    const rows = continueRows(path, header)
    const at = Number(rows.last?.[0])
    this.#last = rows.last && { order: isNumbered ? Number(rows.last[5]) : at, at }
    this.#fd = openSync(path, 'a')
    if (rows.isNew) writeSync(this.#fd, `${header}\n`)
  }

  /** Adds a trade that is newer than the last one. */
  add({ order, sourceId, sourceAt, price, size, isOutsideMarket }: RawTick, receivedAt: number): void {
    if (!Number.isSafeInteger(order) || !Number.isSafeInteger(sourceAt) || !(Number(price) > 0)) return
    const last = this.#last
    if (last && order <= last.order) return
    if (this.#isWrong(sourceAt, receivedAt)) return
    if (last && this.#isNumbered && order > last.order + 1)
      this.#note(`${this.symbol}: trades ${last.order + 1} to ${order - 1} are missing`)
    // A recording's instants never fall, but an exchange may number trades of one moment in another order.
    const at = Math.max(sourceAt, last?.at ?? 0)
    this.#last = { order, at }
    if (isOutsideMarket === true) return
    this.ticks++
    writeSync(this.#fd, `${at},${plainDigits(price)},${plainDigits(size)},,,${sourceId},${receivedAt}\n`)
  }

  /** Whether an instant is of the future or in another unit: every later row would have it too. */
  #isWrong(sourceAt: number, receivedAt: number): boolean {
    // What was missed before is older than the exchange's clock can explain.
    const isOld = isRecordedInstant(sourceAt) && sourceAt < receivedAt - minuteMs
    if (isOld || this.#lag.judge(sourceAt, receivedAt) !== 'wrong') return false
    this.#wrongInstants++
    if (this.#wrongInstants === 1)
      this.#note(`${this.symbol}: the instant ${sourceAt} is not now in ms: left out`)
    return true
  }

  close(): void {
    if (this.#wrongInstants > 1)
      this.#note(`${this.symbol}: ${this.#wrongInstants} trades were left out for it`)
    closeSync(this.#fd)
  }
}

/** Every message of an exchange with its arrival, as `convert` reads them. */
class MessageFile {
  readonly #fd: number

  constructor(path: string) {
    cutPartialLineOf(path)
    this.#fd = openSync(path, 'a')
  }

  add(at: number, raw: string): void {
    writeSync(this.#fd, `${JSON.stringify({ at, raw })}\n`)
  }

  close(): void {
    closeSync(this.#fd)
  }
}
