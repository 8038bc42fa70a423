import { parseArgs } from 'node:util'
import { formatUnits } from '../../../../contract/price.ts'
import type { Recording } from '../../../../contract/recording.ts'
import { exitCodes } from './command.ts'
import type { Command } from './command.ts'
import { onlyFile, openRecording } from './files.ts'

export const info: Command = {
  name: 'info',
  usage: 'FILE [--json]',
  run: async (args, { print }) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false } },
    })
    const { recording, sha256 } = openRecording(onlyFile(positionals, 'recording'))
    const facts = { ...factsOf(recording), sha256 }
    if (values.json) print(JSON.stringify(facts))
    else for (const [name, value] of Object.entries(facts)) print(`${name.padEnd(16)} ${value}`)
    return exitCodes.done
  },
}

function factsOf({ at, price, size, kind, skipped, priceDecimals, sizeDecimals }: Recording) {
  let [low, high, longest, instants] = [Infinity, 0, 0, 0]
  for (let n = 0; n < at.length; n++) {
    low = Math.min(low, price[n] ?? 0)
    high = Math.max(high, price[n] ?? 0)
    const silence = n === 0 ? 0 : (at[n] ?? 0) - (at[n - 1] ?? 0)
    longest = Math.max(longest, silence)
    if (n === 0 || silence > 0) instants++
  }
  const [first, last] = [at[0] ?? 0, at.at(-1) ?? 0]
  const seconds = (last - first) / 1000
  return {
    kind,
    ticks: at.length,
    instants,
    from: new Date(first).toISOString(),
    to: new Date(last).toISOString(),
    seconds,
    ticksPerSecond: seconds > 0 ? Number((at.length / seconds).toFixed(2)) : at.length,
    longestSilenceMs: longest,
    low: formatUnits(low, priceDecimals),
    high: formatUnits(high, priceDecimals),
    volume:
      kind === 'quotes'
        ? 'none'
        : formatUnits(
            size.reduce((sum, each) => sum + each, 0),
            sizeDecimals,
          ),
    priceDecimals,
    sizeDecimals,
    skipped,
  }
}
