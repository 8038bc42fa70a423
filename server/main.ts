import { startupWarnings, readSettings, SettingsError } from './config.ts'
import type { Settings } from './config.ts'
import { LeaseLostError } from './db/fence.ts'
import { LeaseHeldError } from './db/lease.ts'
import { DataDirLockedError } from './db/lock.ts'
import { ProductsError } from './feed/products.ts'
import { LogCorruptError } from './market/logCorruptError.ts'
import { createLogger } from './log.ts'
import { startVenue } from './start.ts'

/** Exit codes: 2 for what the operator can put right, 1 for what broke. */
const operatorErrorCode = 2
const failureCode = 1
/** A stop that takes longer is cut short: whoever asked for it would kill us next. */
const stopMaxMs = 15_000

/** What the operator can put right, in one line; null for anything else. */
function operatorMessage(error: unknown, settings: Settings | null): string | null {
  if (error instanceof SettingsError || error instanceof DataDirLockedError) return error.message
  if (error instanceof LeaseHeldError) return error.message
  if (error instanceof LogCorruptError) return `${error.message}; next: npm run -s desk -- log check`
  if (error instanceof ProductsError) {
    const [first = '', ...more] = error.violations
    return more.length > 0 ? `PRODUCTS_FILE: ${first} (and ${more.length} more)` : `PRODUCTS_FILE: ${first}`
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const where = settings ? `${settings.host}:${settings.port}` : 'the port'
  if (code === 'EADDRINUSE') return `${where} is in use: another PORT, or stop what listens there`
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `${where} cannot be listened on (${code})`
  }
  return null
}

async function main(): Promise<void> {
  let settings: Settings | null = null
  try {
    settings = readSettings(process.env)
    await serve(settings)
  } catch (error) {
    const line = operatorMessage(error, settings)
    if (line === null) createLogger('error').fatal(error, 'the venue could not start')
    else printError(line)
    process.exit(line === null ? failureCode : operatorErrorCode)
  }
}

const printError = (line: string): void =>
  void process.stderr.write(`uptick: ${line.replaceAll(/\s+/g, ' ')}\n`)

/** Another process leads now: nothing more may be written, so nothing is finished either. */
function exitLeaseLost(error: LeaseLostError): never {
  printError(error.message)
  process.exit(failureCode)
}

async function serve(settings: Settings): Promise<void> {
  const logger = createLogger(settings.logLevel)
  let isEnding = false
  let stop = async (): Promise<void> => undefined
  const shutDown = (code: number): void => {
    if (isEnding) return
    isEnding = true
    setTimeout(() => process.exit(failureCode), stopMaxMs).unref()
    stop().then(
      () => process.exit(code),
      (error: unknown) => {
        logger.fatal({ err: error }, 'the venue could not stop cleanly')
        process.exit(failureCode)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      logger.info({ signal }, 'stopping')
      shutDown(0)
    })
  }
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'something broke that nobody expected')
    shutDown(failureCode)
  })

  const starting = startVenue(settings, logger, (error) => {
    if (error instanceof LeaseLostError) exitLeaseLost(error)
    shutDown(failureCode)
  })
  stop = async () => {
    const venue = await starting.catch(() => null)
    await venue?.stop()
  }
  const venue = await starting
  printWelcome(settings, venue.address.port)
  const { host, mode, feed } = settings
  logger.info({ host, port: venue.address.port, mode, feed }, 'serving')
  for (const warning of startupWarnings(settings)) logger.warn({ host }, warning)
}

/** What whoever starts a practice venue needs to know. */
function printWelcome({ host, publicUrl, openingCode, operatorConfig }: Settings, port: number): void {
  const displayHost = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  const address =
    publicUrl ?? `http://${displayHost.includes(':') ? `[${displayHost}]` : displayHost}:${port}`
  process.stdout.write(`${operatorConfig.name} is ready at ${address}\n`)
  if (openingCode !== null) process.stdout.write(`Opening code for practice accounts: ${openingCode}\n`)
}

await main()
