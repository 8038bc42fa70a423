import { parseArgs } from 'node:util'
import { exchangeNames } from '../../../server/market/feed/live/exchanges.ts'
import { parseFaults } from './faults.ts'
import { readFrames } from './frames.ts'
import { openExchange, type RunningExchange } from './openExchange.ts'
import { sampleSymbols } from './speech.ts'

export const exchangeUsage =
  '[--protocol NAME] [--symbols A,B] [--port N] [--seed N] [--rate N] [--frames FILE] [--speed N] [--faults LIST]; see docs/feeds.md'

const options = {
  protocol: { type: 'string', default: 'binance' },
  symbols: { type: 'string' },
  port: { type: 'string', default: '9100' },
  seed: { type: 'string', default: '7' },
  rate: { type: 'string', default: '5' },
  frames: { type: 'string' },
  speed: { type: 'string', default: '1' },
  faults: { type: 'string', default: '' },
} as const

/** Opens the exchange that the arguments describe. @throws an error that names the argument which is wrong */
export async function openExchangeOf(
  args: string[],
): Promise<{ exchange: RunningExchange; announcement: string }> {
  const { values } = parseArgs({ args, options })
  const protocol = exchangeNames.find((name) => name === values.protocol)
  if (!protocol) throw new Error(`--protocol must be ${exchangeNames.join(', ')}`)
  const symbols = values.symbols?.split(',') ?? [sampleSymbols[protocol]]
  const speed = positive('speed', values.speed)
  const exchange = await openExchange(protocol, {
    symbols,
    port: wholeNumber('port', values.port),
    seed: wholeNumber('seed', values.seed),
    rate: positive('rate', values.rate) * speed,
    faults: parseFaults(values.faults),
    ...(values.frames !== undefined && { frames: readFrames(values.frames, Date.now(), speed) }),
  })
  const config = JSON.stringify({ exchangeAddresses: { [protocol]: exchange.url } })
  return { exchange, announcement: `${protocol} with ${symbols.join(', ')}; for CONFIG_FILE: ${config}` }
}

function positive(name: string, text: string): number {
  const number = Number(text)
  if (!(number > 0)) throw new Error(`--${name} is a number above zero, not ${text}`)
  return number
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} is a whole number, not ${text}`)
  return Number(text)
}
