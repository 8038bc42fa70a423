import { mkdirSync } from 'node:fs'
import { isRecordedInstant } from '../../../../contract/recordedInstant.ts'
import { minuteMs } from '../../../../contract/time.ts'
import {
  systemClock,
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
import { UsageError, exitCodes, messageOf, type CommandContext } from './command.ts'
import { plainDigits } from './formats/plainNumber.ts'
import { protocolOf } from './protocols.ts'
import { RowFiles, type Rotation, type RowFilesOptions } from './rowFiles.ts'
import { ended, progressText, showProgress, sumOf } from './untilEnd.ts'

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
  /** When another file begins; null: never. */
  rotation: Rotation | null
}

const header = `${recordingHeader},source_id,recv_ms`
/** Exchanges limit how often an address may connect. */
const connectEveryMs = 1100

/**
 * Writes the trades of an exchange as they arrive, one file for each symbol, over one connection that is opened again
 * whenever it ends. Files that are there are continued; trades that were missed are named.
 */
export async function recordExchange(what: ExchangeRecording, context: CommandContext): Promise<number> {
  const { exchange, symbols, folder, raw, url, span, rotation } = what
  const { OANDA_TOKEN: token, OANDA_ACCOUNT: account } = process.env
  const protocol = protocolOf(exchange, { url, token, account })
  if (!protocol) throw new UsageError(`no exchange ${exchange}`)
  if (exchange === 'oanda' && (!token || !account))
    throw new UsageError('oanda needs OANDA_TOKEN and OANDA_ACCOUNT in the environment')
  if (symbols.length > protocol.symbolsPerLine)
    throw new UsageError(`${exchange} takes ${protocol.symbolsPerLine} symbols at once`)
  mkdirSync(folder, { recursive: true })
  const files = symbols.map(
    (symbol) => new SymbolFile({ folder, symbol, rotation, isNumbered: protocol.isNumbered }, context.note),
  )
  const messages = raw
    ? new RowFiles({ folder, name: exchange, ending: '.ndjson', header: null, rotation })
    : null
  const end = new AbortController()
  const progress = { lastAt: null, reconnects: 0 }
  const listening = listen(protocol, files, messages, { ...context, progress, fail: (why) => end.abort(why) })
  const stopProgress = showProgress(
    () => progressText({ ...sumOf(files), ...progress }, Date.now()),
    context.note,
  )
  await ended(AbortSignal.any([context.signal, end.signal]), span)
  stopProgress()
  listening.close()
  for (const file of files) file.close()
  messages?.close()
  if (end.signal.aborted) throw new UsageError(String(end.signal.reason), '')
  for (const { symbol, ticks } of files) context.print(`${symbol}: ${ticks} ticks`)
  return exitCodes.done
}

type Listening = Pick<CommandContext, 'note'> & {
  progress: { lastAt: number | null; reconnects: number }
  /** The exchange refuses, or a file cannot be written. */
  fail: (why: string) => void
}

/** Opens the connection, and adds what arrives to the files. */
function listen(
  protocol: Protocol,
  files: readonly SymbolFile[],
  messages: RowFiles | null,
  listening: Listening,
): Line {
  const { note, progress, fail } = listening
  const clock = systemClock()
  let connectAt = 0
  const ban = new Ban(protocol.name, (_level, what) => note(what))
  const symbols = files.map(({ symbol }) => symbol)
  const sink = sinkOf(protocol, files, listening, () => line)
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
        if (messages !== null) written(() => addMessage(messages, Math.floor(clock.now()), text), fail)
        try {
          protocol.read(text, sink)
        } catch {
          sink.unreadable(text)
        }
      },
      lost: (why, refusal) => {
        progress.reconnects++
        if (!refusal || !ban.record(refusal, clock.now())) note(`connection lost (${why}); connecting again`)
      },
      renewed: () => {
        progress.reconnects++
        note('the exchange ends the connection soon; connecting again')
      },
    },
  )
  line.start()
  return line
}

/** Every message with its arrival, as `convert` reads them. */
function addMessage(files: RowFiles, at: number, raw: string): void {
  files.add(at, `${JSON.stringify({ at, raw })}\n`)
  files.flush()
}

/** Adds the trades of messages to the files. */
function sinkOf(
  protocol: Protocol,
  files: readonly SymbolFile[],
  { note, progress, fail }: Listening,
  line: () => Line,
): Sink {
  const clock = systemClock()
  const bySymbol = new Map(files.map((file) => [file.symbol, file]))
  let unreadable = 0
  const sink: Sink = {
    joined: () => line().recordContent(),
    answered: (_id, error) => {
      if (error === undefined) line().recordContent()
      else sink.rejected(error)
    },
    status: (what, isNormal) => {
      if (!isNormal) note(`${protocol.name} says: ${what}`)
    },
    rejected: (what) => fail(`${protocol.name} refuses: ${what}`),
    newest: () => undefined,
    alive: () => line().recordContent(),
    endsSoon: () => line().renew('before the exchange ends it'),
    unreadable: (text) => {
      // The first one may explain what is wrong; thousands would hide it.
      if (++unreadable === 1) note(`a message cannot be read: ${text.slice(0, 100)}`)
    },
    tick: (tick) => {
      line().recordContent()
      progress.lastAt = Math.floor(clock.now())
      const at = progress.lastAt
      written(() => bySymbol.get(tick.symbol)?.add(tick, at), fail)
    },
  }
  return sink
}

/** Writes to a file; `fail` is called if that is not possible: the disk may be full. */
function written(write: () => void, fail: (why: string) => void): void {
  try {
    write()
  } catch (error) {
    fail(messageOf(error))
  }
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
  readonly #rows: RowFiles
  readonly #note: (text: string) => void

  /** @throws UsageError if there is a file of something else */
  constructor(
    {
      symbol,
      isNumbered,
      ...files
    }: Pick<RowFilesOptions, 'folder' | 'rotation'> & { symbol: string; isNumbered: boolean },
    note: (text: string) => void,
  ) {
    this.symbol = symbol
    this.#isNumbered = isNumbered
    this.#note = note
    this.#rows = new RowFiles({ ...files, name: symbol.replaceAll('/', '-'), header })
    const { last } = this.#rows
    const at = Number(last?.[0])
    this.#last = last && { order: isNumbered ? Number(last[5]) : at, at }
  }

  /** How many files this run added to. */
  get files(): number {
    return this.#rows.count
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
    this.#rows.add(at, `${at},${plainDigits(price)},${plainDigits(size)},,,${sourceId},${receivedAt}\n`)
    this.#rows.flush()
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
    this.#rows.close()
  }
}
