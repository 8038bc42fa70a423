import { parseArgs } from 'node:util'
import { exchangeNames } from '../../../server/feed/live/exchanges.ts'
import { parseFaults } from './faults.ts'
import { readFrames } from './frames.ts'
import { openExchange } from './openExchange.ts'
import { sampleSymbols } from './speech.ts'

const usage =
  'npm run exchange -- [--protocol NAME] [--symbols A,B] [--port N] [--seed N] [--rate N] [--frames FILE] [--speed N] [--faults LIST]; see docs/feeds.md'

const options = {
  protocol: { type: 'string', default: 'binance' },
  symbols: { type: 'string' },
  port: { type: 'string', default: '9100' },
  seed: { type: 'string', default: '7' },
  rate: { type: 'string', default: '5' },
  frames: { type: 'string' },
  speed: { type: 'string', default: '1' },
  faults: { type: 'string', default: '' },
  help: { type: 'boolean', default: false },
} as const

/** `npm run exchange`: runs until SIGINT. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options })
  if (values.help) return console.log(usage)
  const protocol = exchangeNames.find((name) => name === values.protocol)
  if (!protocol) throw new Error(`--protocol must be ${exchangeNames.join(', ')}`)
  const symbols = values.symbols?.split(',') ?? [sampleSymbols[protocol]]
  const exchange = await openExchange(protocol, {
    symbols,
    port: Number(values.port),
    seed: Number(values.seed),
    rate: Number(values.rate) * Number(values.speed),
    faults: parseFaults(values.faults),
    ...(values.frames !== undefined && {
      frames: readFrames(values.frames, Date.now(), Number(values.speed)),
    }),
  })
  const setting = `EXCHANGE_URL_${protocol.replace('-', '_').toUpperCase()}`
  console.log(`${protocol} with ${symbols.join(', ')}: ${setting}=${exchange.url}`)
  setInterval(() => {
    const { trades, sent, sessions } = exchange.core
    console.log(`${sessions} connections, ${trades.length} trades made, ${sent.length} sent`)
  }, 10_000)
  process.once('SIGINT', () => void exchange.close().then(() => process.exit(0)))
}

const fail = (error: unknown): never => {
  console.error(`exchange: ${error instanceof Error ? error.message : String(error)}`)
  console.error(usage)
  process.exit(2)
}
// A port in use is reported as an event.
process.on('uncaughtException', fail)
main().catch(fail)
