import { parseArgs } from 'node:util'
import { exchangeNames } from '../../../server/feed/live/exchanges.ts'
import { parseFaults } from './faults.ts'
import { readFrames } from './frames.ts'
import { openExchange } from './openExchange.ts'
import { sampleSymbols } from './speech.ts'

/** `npm run exchange -- --protocol binance`: see docs/feeds.md. */
const { values } = parseArgs({
  options: {
    protocol: { type: 'string', default: 'binance' },
    symbols: { type: 'string' },
    port: { type: 'string', default: '9100' },
    seed: { type: 'string', default: '7' },
    rate: { type: 'string', default: '5' },
    frames: { type: 'string' },
    speed: { type: 'string', default: '1' },
    faults: { type: 'string', default: '' },
  },
})

const protocol = exchangeNames.find((name) => name === values.protocol)
if (!protocol) throw new Error(`--protocol must be ${exchangeNames.join(', ')}`)
const symbols = values.symbols?.split(',') ?? [sampleSymbols[protocol]]
const exchange = await openExchange(protocol, {
  symbols,
  port: Number(values.port),
  seed: Number(values.seed),
  rate: Number(values.rate) * Number(values.speed),
  faults: parseFaults(values.faults),
  ...(values.frames !== undefined && { frames: readFrames(values.frames, Date.now(), Number(values.speed)) }),
})
const setting = `EXCHANGE_URL_${protocol.replace('-', '_').toUpperCase()}`
console.log(`${protocol} with ${symbols.join(', ')}: ${setting}=${exchange.url}`)
setInterval(() => {
  const { trades, sent, sessions } = exchange.core
  console.log(`${sessions} connections, ${trades.length} trades made, ${sent.length} sent`)
}, 10_000)
process.once('SIGINT', () => void exchange.close().then(() => process.exit(0)))
