import { readSettings, type Settings } from './start/config.ts'
import { SettingsError } from './platform/settingsError.ts'
import { LeaseLostError } from './platform/db/fence.ts'
import { LeaseHeldError } from './platform/db/lease.ts'
import { databaseName } from './platform/db/operatorErrors.ts'
import { databaseTrouble } from './platform/db/trouble.ts'
import { DataDirLockedError } from './platform/db/lock.ts'
import { SchemaMismatchError } from './platform/db/migrate.ts'
import { ProductsError } from './market/index.ts'
import { LogCorruptError } from './platform/logCorruptError.ts'
import { createLogger } from './platform/log.ts'
import { startVenue } from './start/start.ts'
import { emptyLine, endProgress, showProgress } from './start/startProgress.ts'
import { logDestination } from './start/logDestination.ts'
import { readStartOptions } from './start/startOptions.ts'
import { startupWarnings } from './start/startupWarnings.ts'
import { errorCodeOf } from './platform/errorCode.ts'

/** Exit codes: 2 for an error that the operator can fix, 1 for any other failure. */
const operatorErrorCode = 2
const failureCode = 1
/** A shutdown that takes longer is aborted: the supervisor would kill the process next. */
const stopMaxMs = 15_000

/** One line about an error that the operator can fix; null for any other error. */
function operatorMessage(error: unknown, settings: Settings | null): string | null {
  if (error instanceof SettingsError || error instanceof DataDirLockedError) return error.message
  if (error instanceof LeaseHeldError || error instanceof SchemaMismatchError) return error.message
  if (error instanceof LogCorruptError) return `${error.message}; run: npm run -s desk -- log check`
  if (error instanceof ProductsError) {
    const [first = '', ...more] = error.violations
    return more.length > 0 ? `PRODUCTS_FILE: ${first} (and ${more.length} more)` : `PRODUCTS_FILE: ${first}`
  }
  const code = errorCodeOf(error)
  const address = settings ? `${settings.host}:${settings.port}` : 'the port'
  if (code === 'EADDRINUSE') return `${address} is in use: set another PORT, or stop the process that uses it`
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `cannot listen on ${address} (${code})`
  }
  return null
}

async function main(): Promise<void> {
  let settings: Settings | null = null
  try {
    settings = readSettings(process.env, readStartOptions(process.argv.slice(2)))
    await serve(settings)
  } catch (error) {
    const message = operatorMessage(error, settings)
    if (message === null) createLogger('error').fatal(error, 'the venue could not start')
    else printError(message)
    process.exit(message === null ? failureCode : operatorErrorCode)
  }
}

/** On a line of its own: a terminal may show what the start is doing. */
const printError = (message: string): void => {
  const ownLine = process.stderr.isTTY ? emptyLine : ''
  process.stderr.write(`${ownLine}uptick: ${message.replaceAll(/\s+/g, ' ')}\n`)
}

/**
 * Another process leads now, or the database is away: nothing more can be written, so nothing is finished either. Of a stop
 * that was asked for that is no failure: who starts next continues from what is stored.
 */
function exitUnfinished(reason: string, isPlanned: boolean): never {
  printError(isPlanned ? `stopped before its last writes: ${reason}` : reason)
  process.exit(isPlanned ? 0 : failureCode)
}

/** Why a stop could not write what it wanted, if it is nothing that its code did wrong. */
function unfinishedReason(error: unknown, settings: Settings): string | null {
  if (error instanceof LeaseLostError) return error.message
  const trouble = databaseTrouble(error)
  return trouble === null ? null : `${databaseName(settings.databaseUrl)} ${trouble.what}`
}

async function serve(settings: Settings): Promise<void> {
  const destination = logDestination(settings.dataDir, process)
  const logger = createLogger(settings.logLevel, destination.stream)
  if (process.stdout.isTTY) showProgress(process.stdout)
  /** A terminal does not show the log. */
  const fail = (what: string, error: unknown): void => {
    logger.fatal({ err: error }, what)
    if (destination.file !== null) printError(`${what}: ${String(error)}; see ${destination.file}`)
  }
  let isEnding = false
  let isPlanned = false
  let stop = async (): Promise<void> => undefined
  const shutDown = (code: number): void => {
    if (isEnding) return
    isEnding = true
    setTimeout(() => process.exit(failureCode), stopMaxMs).unref()
    stop().then(
      () => process.exit(code),
      (error: unknown) => {
        const reason = unfinishedReason(error, settings)
        if (reason !== null) exitUnfinished(reason, isPlanned)
        fail('the venue could not stop cleanly', error)
        process.exit(failureCode)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      logger.info({ signal }, 'stopping')
      isPlanned ||= !isEnding
      shutDown(0)
    })
  }
  process.on('uncaughtException', (error) => {
    fail('unexpected error', error)
    shutDown(failureCode)
  })

  const starting = startVenue(settings, logger, (error) => {
    if (error instanceof LeaseLostError) exitUnfinished(error.message, isPlanned)
    if (destination.file !== null) printError(`the venue ends: ${String(error)}; see ${destination.file}`)
    shutDown(failureCode)
  })
  stop = async () => {
    const venue = await starting.catch(() => null)
    await venue?.stop()
  }
  const venue = await starting.finally(endProgress)
  printWelcome(settings, venue.address.port)
  if (destination.file !== null) process.stdout.write(`Its log: ${destination.file}\n`)
  const { host, mode, feed } = settings
  logger.info({ host, port: venue.address.port, mode, feed }, 'serving')
  for (const warning of startupWarnings(settings)) {
    logger.warn({ host }, warning)
    if (destination.file !== null) printError(warning)
  }
}

/** Prints the address, and the opening code in practice mode. */
function printWelcome({ host, publicUrl, openingCode, operatorConfig }: Settings, port: number): void {
  const displayHost = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  const address =
    publicUrl ?? `http://${displayHost.includes(':') ? `[${displayHost}]` : displayHost}:${port}`
  process.stdout.write(`${operatorConfig.name} is ready at ${address}\n`)
  if (openingCode !== null) process.stdout.write(`Opening code for practice accounts: ${openingCode}\n`)
}

await main()
