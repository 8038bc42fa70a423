import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import { instantFault, instantUnitOf } from '../../../../contract/recordedInstant.ts'
import type { Protocol, Sink } from '../../../../server/feed/live/protocol.ts'
import type { RawTick } from '../../../../server/feed/live/sourceTick.ts'
import { recordingHeader } from '../../../../streams/recording/format.ts'
import { notAFrame, parseFrameLine } from '../../../../tests/support/exchange/frames.ts'
import { UsageError, exitCodes } from './command.ts'
import type { Command } from './command.ts'
import { linesOf, onlyFile, plainDigits } from './files.ts'
import { protocolNames, protocolOf } from './protocols.ts'

const writtenAtOnce = 64 * 1024

export const convert: Command = {
  name: 'convert',
  usage: 'FRAMES.ndjson.gz -o FILE.csv[.gz] [--protocol NAME] [--symbol NAME] [--force]',
  help: `A line of the input is {"at": ms, "raw": text} or {"dir": "in", "recv_ns": …, "raw": text}. A tick's instant is the
exchange's, in ms or µs. --protocol: ${protocolNames.join(', ')}; default binance. --symbol is needed if there are several.`,
  run: async (args, { print, note }) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        output: { type: 'string', short: 'o' },
        protocol: { type: 'string', default: 'binance' },
        symbol: { type: 'string' },
        force: { type: 'boolean', default: false },
      },
    })
    const { output, protocol, symbol, force } = values
    const path = onlyFile(positionals, 'file of messages')
    const reader = protocolOf(protocol)
    if (!reader) throw new UsageError(`--protocol is one of ${protocolNames.join(', ')}`)
    if (output === undefined) throw new UsageError('-o says where the recording goes')
    if (existsSync(output) && !force) throw new UsageError(`${output} exists`, '--force replaces it')
    const messages = new Messages(path, reader)
    const rows = new SymbolRows(symbol)
    await writeFile(output, async function* () {
      let text = `${recordingHeader}\n`
      for await (const ticks of messages.ticks()) {
        text += rows.textOf(ticks)
        if (text.length < writtenAtOnce) continue
        yield text
        text = ''
      }
      rows.assertOneSymbol()
      yield text
    })
    if (messages.brokenOff !== null) note(`line ${messages.brokenOff} is broken off and was left out`)
    if (messages.unreadable > 0) note(`${messages.unreadable} messages hold no trades and were left out`)
    if (rows.repeated > 0) note(`${rows.repeated} trades came twice or late and were left out`)
    print(`${output}: ${rows.written} ticks of ${rows.symbol}`)
    return exitCodes.done
  },
}

/** Writes a file which is there once it is complete, gzipped if its name says so. */
async function writeFile(path: string, text: () => AsyncGenerator<string>): Promise<void> {
  const part = `${path}.part`
  try {
    if (path.endsWith('.gz')) await pipeline(text, createGzip(), createWriteStream(part))
    else await pipeline(text, createWriteStream(part))
    renameSync(part, path)
  } finally {
    rmSync(part, { force: true })
  }
}

/** The recorded messages of an exchange. */
class Messages {
  readonly #path: string
  readonly #protocol: Protocol
  /** Messages without a trade that can be read. */
  unreadable = 0
  /** The number of the last line, if it is only a part of one. */
  brokenOff: number | null = null
  #unit: string | undefined

  constructor(path: string, protocol: Protocol) {
    this.#path = path
    this.#protocol = protocol
  }

  /** The ticks of each message. @throws UsageError that names the line which cannot be used */
  async *ticks(): AsyncGenerator<RawTick[]> {
    for await (const { text, number, hasEnd } of linesOf(this.#path)) {
      if (text.trim() === '') continue
      const frame = parseFrameLine(text)
      if (frame === undefined && hasEnd) throw new UsageError(`${this.#path}: ${notAFrame(number)}`)
      if (frame === undefined) this.brokenOff = number
      else if (frame !== null) yield this.#read(frame.raw).map((tick) => this.#inMs(tick, number))
    }
  }

  #read(raw: string): RawTick[] {
    const ticks: RawTick[] = []
    const ignore = (): void => undefined
    const sink: Sink = {
      joined: ignore,
      answered: ignore,
      rejected: ignore,
      status: ignore,
      newest: ignore,
      alive: ignore,
      endsSoon: ignore,
      tick: (tick) => {
        if (Number.isNaN(tick.sourceAt)) this.unreadable++
        else if (tick.isOutsideMarket !== true) ticks.push(tick)
      },
      unreadable: () => void this.unreadable++,
    }
    try {
      this.#protocol.read(raw, sink)
    } catch {
      this.unreadable++
    }
    return ticks
  }

  /** @throws UsageError if the instant is in another unit than ms and µs, or than those before */
  #inMs(tick: RawTick, line: number): RawTick {
    const unit = instantUnitOf(tick.sourceAt)
    const fault = unit === 'microseconds' ? undefined : instantFault(String(tick.sourceAt))
    if (fault !== undefined) throw new UsageError(`${this.#path}: line ${line}: ${fault}`, '')
    this.#unit ??= unit
    if (unit !== this.#unit)
      throw new UsageError(
        `${this.#path}: line ${line}: the instant ${tick.sourceAt} is in ${unit}, those before in ${this.#unit}`,
        'convert each part on its own',
      )
    return unit === 'microseconds' ? { ...tick, sourceAt: Math.floor(tick.sourceAt / 1000) } : tick
  }
}

/** The rows of one symbol, one for each trade, in the exchange's order. */
class SymbolRows {
  readonly #wanted: string | undefined
  readonly #symbols = new Set<string>()
  #order = Number.NEGATIVE_INFINITY
  #at = 0
  written = 0
  repeated = 0

  constructor(wanted: string | undefined) {
    this.#wanted = wanted
  }

  /** The one that was asked for, otherwise the first. */
  get symbol(): string | undefined {
    const [first] = this.#symbols
    return this.#wanted ?? first
  }

  textOf(ticks: readonly RawTick[]): string {
    let text = ''
    for (const tick of ticks) {
      this.#symbols.add(tick.symbol)
      if (tick.symbol === this.symbol) text += this.#rowOf(tick)
    }
    return text
  }

  #rowOf({ order, sourceAt, price, size }: RawTick): string {
    if (order <= this.#order || sourceAt < this.#at) {
      this.repeated++
      return ''
    }
    this.#order = order
    this.#at = sourceAt
    this.written++
    return `${sourceAt},${plainDigits(price)},${plainDigits(size)},,\n`
  }

  /** @throws UsageError if there is no trade of the symbol, or of several and none was asked for */
  assertOneSymbol(): void {
    const listed = [...this.#symbols].join(', ')
    if (listed === '') throw new UsageError('no message holds a trade', 'does --protocol fit?')
    if (this.#wanted !== undefined && !this.#symbols.has(this.#wanted))
      throw new UsageError(`no trades of ${this.#wanted}, only ${listed}`)
    if (this.#wanted === undefined && this.#symbols.size > 1)
      throw new UsageError(`--symbol is one of ${listed}`)
  }
}
