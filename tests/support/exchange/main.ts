import { exchangeUsage, openExchangeOf } from './command.ts'

const usage = `npm run exchange -- ${exchangeUsage}`

/** `npm run exchange`: runs until SIGINT. */
async function main(args: string[]): Promise<void> {
  if (args.includes('--help')) return console.log(usage)
  const { exchange, announcement } = await openExchangeOf(args)
  console.log(announcement)
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
main(process.argv.slice(2)).catch(fail)
