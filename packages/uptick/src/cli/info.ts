import { parseArgs } from 'node:util'
import { formatUnits } from '../../../../contract/price.ts'
import { skippedText } from '../../../../contract/recordingReader.ts'
import type { RecordingReader } from '../../../../contract/recordingReader.ts'
import { sha256OfFile } from '../../../../server/textFile.ts'
import { exitCodes } from './command.ts'
import type { Command } from './command.ts'
import { onlyFile, scanRecording } from './files.ts'

export const info: Command = {
  name: 'info',
  usage: 'FILE [--json]',
  run: async (args, { print }) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false } },
    })
    const path = onlyFile(positionals, 'recording')
    const totals = new Totals()
    const reader = await scanRecording(path, () => totals.add)
    const facts = { ...factsOf(totals, reader), sha256: await sha256OfFile(path) }
    const { skipped } = reader
    if (values.json) print(JSON.stringify({ ...facts, firstSkipped: skipped.first }))
    else
      for (const [name, value] of Object.entries({ ...facts, skipped: skippedText(skipped) ?? 0 }))
        print(`${name.padEnd(16)} ${value}`)
    return exitCodes.done
  },
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
