import { existsSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Protocol, RawTick, Sink } from '../../../../server/feed/live/protocol.ts'
import { recordingHeader } from '../../../../streams/recording/format.ts'
import { parseFrameLines } from '../../../../tests/support/exchange/frames.ts'
import { UsageError, exitCodes } from './command.ts'
import type { Command } from './command.ts'
import { onlyFile, plainDigits, readText } from './files.ts'
import { protocolNames, protocolOf } from './protocols.ts'

export const convert: Command = {
  name: 'convert',
  usage: 'FRAMES.ndjson.gz -o FILE.csv[.gz] [--protocol NAME] [--symbol NAME] [--force]',
  help: `A line of the input is {"at": ms, "raw": text} or {"dir": "in", "recv_ns": …, "raw": text}. A tick's instant is the
exchange's. --protocol: ${protocolNames.join(', ')}; default binance. --symbol is needed if there are several.`,
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
    const { ticks, unreadable } = ticksOf(path, reader)
    const wanted = chooseSymbol(ticks, symbol)
    const { rows, repeated } = rowsOf(ticks.filter((tick) => tick.symbol === wanted))
    const csv = `${[recordingHeader, ...rows].join('\n')}\n`
    writeFileSync(output, output.endsWith('.gz') ? gzipSync(csv) : csv)
    if (unreadable > 0) note(`${unreadable} messages hold no trades and were left out`)
    if (repeated > 0) note(`${repeated} trades came twice or late and were left out`)
    print(`${output}: ${rows.length} ticks of ${wanted}`)
    return exitCodes.done
  },
}

function ticksOf(path: string, protocol: Protocol) {
  const { text } = readText(path)
  const ticks: RawTick[] = []
  let unreadable = 0
  const ignore = (): void => undefined
  const sink: Sink = {
    joined: ignore,
    rejected: ignore,
    newest: ignore,
    alive: ignore,
    endsSoon: ignore,
    tick: (tick) => void (tick.isOutsideMarket !== true && ticks.push(tick)),
    unreadable: () => void unreadable++,
  }
  for (const { raw } of framesOf(path, text)) {
    try {
      protocol.read(raw, sink)
    } catch {
      unreadable++
    }
  }
  return { ticks, unreadable }
}

function framesOf(path: string, text: string) {
  try {
    return parseFrameLines(text)
  } catch (error) {
    throw new UsageError(`${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function chooseSymbol(ticks: readonly RawTick[], symbol: string | undefined): string {
  const symbols = [...new Set(ticks.map((tick) => tick.symbol))]
  const listed = symbols.join(', ')
  if (symbols.length === 0) throw new UsageError('no message holds a trade', 'does --protocol fit?')
  if (symbol !== undefined && !symbols.includes(symbol))
    throw new UsageError(`no trades of ${symbol}, only ${listed}`)
  if (symbol === undefined && symbols.length > 1) throw new UsageError(`--symbol is one of ${listed}`)
  return symbol ?? symbols[0] ?? ''
}

/** One row for each trade, in the exchange's order. */
function rowsOf(ticks: readonly RawTick[]): { rows: string[]; repeated: number } {
  const rows: string[] = []
  let [order, at] = [Number.NEGATIVE_INFINITY, 0]
  for (const tick of ticks) {
    if (tick.order <= order || !(tick.sourceAt >= at)) continue
    ;[order, at] = [tick.order, tick.sourceAt]
    rows.push(`${at},${plainDigits(tick.price)},${plainDigits(tick.size)},,`)
  }
  return { rows, repeated: ticks.length - rows.length }
}
