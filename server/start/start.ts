import { hash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { clockOffset, systemClock } from '../platform/clock.ts'
import { assertRightClock, startClockCheck, type ClockCheck } from '../platform/cluster/clockCheck.ts'
import type { Settings } from './config.ts'
import { CountedWarnings } from '../platform/countedWarnings.ts'
import type { Db } from '../platform/db/database.ts'
import type { Fence } from '../platform/db/fence.ts'
import { acquireLease, type Lease } from '../platform/db/lease.ts'
import { lockDataDir } from '../platform/db/lock.ts'
import type { Database } from '../platform/db/open.ts'
import { localUrl } from '../platform/db/venueAddress.ts'
import { withDataDirErrors } from '../platform/db/operatorErrors.ts'
import { checkDeskKey, isSameDeskKey, storeDeskKeyCheck } from './deskKeyCheck.ts'
import { openThreadEngine } from './engine/threadEngine.ts'
import { readProducts, readNewestWatermark } from '../market/index.ts'
import { checkPort, createListener, type Unavailable } from '../platform/http/listener.ts'
import { logError } from '../platform/log.ts'
import { systemRandom } from '../platform/random.ts'
import type { Secrets } from '../platform/secrets.ts'
import { startNode } from './startNode.ts'
import { step } from './startProgress.ts'
import {
  Cleanups,
  engineThreadParts,
  openWithProductTable,
  openVenueDatabase,
  prepareToLead,
  serveVenue,
  settledLater,
  leaveOwnerRole,
  type OnLost,
  type StartedParts,
} from './startParts.ts'
import { checkUploadsFolder } from '../notices/index.ts'
import { checkLogo, readPages, templateContexts, templatePartsOf } from '../office/index.ts'

export type RunningVenue = {
  address: AddressInfo
  /** Finishes the work in progress, then releases the port and the data folder. */
  stop(): Promise<void>
}

/**
 * Starts the venue: product table, port, data folder, recordings, database, lease, engine, HTTP. The order is such that
 * each step can still fail without leaving anything behind, and that a second start is rejected before the slow steps.
 * The port is checked first and opened last: a balancer in front sends nothing to a node that is not ready.
 * @param onLost called when the database or the engine is gone for good and the venue must stop; with a LeaseLostError
 *   the process must end at once
 * @throws SettingsError, ProductsError, DataDirLockedError, LeaseHeldError, or the system's error if the port is not
 *   available
 */
export async function startVenue(settings: Settings, logger: Logger, onLost: OnLost): Promise<RunningVenue> {
  const rows = await readProducts(settings.productsFile)
  await checkOperatorFiles(settings)
  const cleanups = new Cleanups()
  try {
    const listener = createListener(systemClock(), { unavailable: logUnavailable(logger) })
    // The port that the system chooses is not known in advance, and only an open port is certain to stay reserved.
    const { port, host } = settings
    const address = port === 0 ? await listener.listen(port, host) : await checkPort(port, host)
    cleanups.add(() => listener.close())
    const lock = await withDataDirErrors(settings, () => lockDataDir(settings.dataDir))
    cleanups.add(() => lock.release())
    await checkUploadsFolder(settings.dataDir)
    const started = { settings, rows, listener, address, lock, cleanups, logger, onLost }
    await (settings.role === 'all' ? startAlone(started) : startNode(started))
    if (!listener.server.listening) await listener.listen(port, host)
    await withDataDirErrors(settings, () => lock.announce(localUrl(address)))
    return { address, stop: () => cleanups.run() }
  } catch (error) {
    await cleanups
      .run()
      .catch((cleanupError: unknown) =>
        logger.error({ err: cleanupError }, 'cleaning up after a failed start failed'),
      )
    throw error
  }
}

/** A balancer polls a venue that starts or stops: that is no news. Requests for which there is no space are. */
function logUnavailable(logger: Logger): (request: Unavailable) => void {
  const refused = new CountedWarnings((line) => logger.warn(line))
  return ({ requestId, method, isServing }) => {
    if (isServing) refused.count('requests', 'too many wait, one was answered 503', method)
    else logger.child({ reqId: requestId }).debug({ method, route: 'none', status: 503 }, 'answered')
  }
}

/** The whole venue in this process. */
async function startAlone(started: StartedParts): Promise<void> {
  const { settings, address, cleanups, logger, onLost } = started
  const { opened, productTable } = await openWithProductTable(started, () => openLeasedDatabase(started))
  const { database, lease } = opened
  await database.migrate()
  await leaveOwnerRole(database, logger)
  const fence = await lease.begin(`${settings.host}:${address.port}`)
  const { db } = database
  const { products } = productTable
  const secrets = await prepareToLead({ db, fence }, products, settings)
  const deskKeyChecked = settledLater(checkOrStoreDeskKey({ db, fence }, secrets, settings))
  const clockCheck = database.postgres && (await checkClock(started, db))
  const offsetMs = clockOffset(await readNewestWatermark(db))
  const clock = systemClock(offsetMs)
  const engineParts = {
    ...engineThreadParts({ database, productTable, bus: null }, settings, logger, onLost),
    db,
    clock,
    sha: (text: string) => hash('sha256', text),
    random: systemRandom,
    products,
  }
  const engine = await step(logger, 'reading the log', () =>
    openThreadEngine(engineParts, { term: fence.term, clockOffsetMs: offsetMs }),
  )
  cleanups.add(() => engine.stop())
  await deskKeyChecked()
  await serveVenue(started, { database, fence, clock, clockCheck, engine, secrets }, products)
}

/** @throws SettingsError if the machine's clock is so wrong that the venue's time would be */
async function checkClock({ logger, cleanups }: StartedParts, db: Db): Promise<ClockCheck> {
  const check = await startClockCheck({
    db,
    clock: systemClock(),
    logLine: (level, line) => logger[level](line),
    report: (message, error) => logError(logger, message, error),
  })
  cleanups.add(() => check.stop())
  assertRightClock(check)
  return check
}

/**
 * Refuses a `DESK_KEY` other than that of the starts before, unless it is to be changed. A key in the data folder is no
 * other node's: it replaces the check value, so that a lost file or another folder does not stop a venue alone.
 */
async function checkOrStoreDeskKey(
  { db, fence }: { db: Db; fence: Fence },
  { deskKey: key }: Secrets,
  { deskKey, deskKeyChange: isChange }: Settings,
): Promise<void> {
  const isShared = deskKey !== null
  const named = { key, source: 'DESK_KEY', isGenerated: !isShared }
  const isSame = isShared && !isChange ? await checkDeskKey(db, named) : await isSameDeskKey(db, key)
  if (isSame !== true) await storeDeskKeyCheck({ db, fence }, named, true)
}

async function openLeasedDatabase(started: StartedParts): Promise<{ database: Database; lease: Lease }> {
  const { settings, lock, cleanups, logger, onLost } = started
  const database = await openVenueDatabase(settings, lock, logger, onLost)
  cleanups.add(() => database.close())
  const lease = await step(logger, 'waiting for the lease', () => acquireLease(database, onLost))
  cleanups.add(() => lease.release())
  return { database, lease }
}

/**
 * Reads the files that CONFIG_FILE names, before anything is written.
 * @throws SettingsError if one of them cannot be used
 */
async function checkOperatorFiles(settings: Settings): Promise<void> {
  const { logo, pages } = settings.operatorConfig
  if (logo !== undefined) await checkLogo(logo)
  if (pages !== undefined) await readPages(templateContexts(templatePartsOf(settings)), pages)
}
