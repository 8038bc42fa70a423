import { parseArgs } from 'node:util'
import { formatUnits } from '../../../../contract/price.ts'
import { skippedText, type RecordingReader } from '../../../../contract/recordingReader.ts'
import { sha256OfFile } from '../../../../server/market/package.ts'
import { UsageError, exitCodes, onlyFile, type Command } from './command.ts'
import { assertNoPipe, scanRecording } from './files.ts'
import { kindOf, scanForeign, type ForeignOptions } from './foreignFile.ts'
import { foreignOptionsOf, formatOptions } from './formatOptions.ts'
import { recordingPath } from './recordingNames.ts'

export const info: Command = {
  name: 'info',
  usage: 'FILE [--json] [--symbol NAME] [--columns time=…,price=… --unit ms --zone UTC]',
  help: 'FILE is a recording, or what "convert" makes one of.',
  run: async (args, { print }) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false }, ...formatOptions },
    })
    const path = recordingPath(onlyFile(positionals, 'recording'))
    let totals = new Totals()
    const open = (): Totals['add'] => (totals = new Totals()).add
    const { reader, leftOut = [], ...found } = await scanned(path, foreignOptionsOf(values), open)
    const facts = { ...found, ...factsOf(totals, reader), sha256: await sha256OfFile(path) }
    const { skipped } = reader
    if (values.json) print(JSON.stringify({ ...facts, firstSkipped: skipped.first, leftOut }))
    else {
      for (const [name, value] of Object.entries({ ...facts, skipped: skippedText(skipped) ?? 0 }))
        print(`${name.padEnd(16)} ${value}`)
      for (const line of leftOut) print(line)
    }
    return exitCodes.done
  },
}

type Scanned = { reader: RecordingReader; format?: string; symbol?: string; leftOut?: string[] }

async function scanned(path: string, options: ForeignOptions, open: () => Totals['add']): Promise<Scanned> {
  assertNoPipe(path)
  const { kind, why } = options.generic ? { kind: 'foreign', why: '' } : await kindOf(path)
  if (kind === 'foreign') return scanForeign(path, options, open())
  try {
    return { reader: await scanRecording(path, open) }
  } catch (error) {
    if (kind !== 'unknown' || !(error instanceof UsageError)) throw error
    throw new UsageError(error.message, why)
  }
}

/** What the ticks of a recording add up to. */
class Totals {
  first = 0
  last = 0
  low = Infinity
  high = 0
  longestSilence = 0
  instants = 0
  volume = 0n

  add = (at: number, price: number, size: number): void => {
    if (this.instants === 0) this.first = at
    const silence = this.instants === 0 ? 0 : at - this.last
    if (this.instants === 0 || silence > 0) this.instants++
    this.longestSilence = Math.max(this.longestSilence, silence)
    this.low = Math.min(this.low, price)
    this.high = Math.max(this.high, price)
    this.volume += BigInt(size)
    this.last = at
  }
}

function factsOf(totals: Totals, { decimals, kind, skipped, ticks }: RecordingReader) {
  const { first, last, low, high, longestSilence, instants, volume } = totals
  const { priceDecimals, sizeDecimals } = decimals
  const seconds = (last - first) / 1000
  return {
    kind,
    ticks,
    instants,
    from: new Date(first).toISOString(),
    to: new Date(last).toISOString(),
    seconds,
    ticksPerSecond: seconds > 0 ? Number((ticks / seconds).toFixed(2)) : ticks,
    longestSilenceMs: longestSilence,
    low: formatUnits(low, priceDecimals),
    high: formatUnits(high, priceDecimals),
    volume: kind === 'quotes' ? 'none' : formatUnits(volume, sizeDecimals),
    priceDecimals,
    sizeDecimals,
    skipped: skipped.count,
  }
}
