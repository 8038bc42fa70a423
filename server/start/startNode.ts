import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { clockOffset, monotonicMs } from '../platform/clock.ts'
import type { Bus } from '../platform/cluster/bus.ts'
import { watchBus } from '../platform/cluster/busWatch.ts'
import { createLeaderClock, type LeaderClock } from '../platform/cluster/leaderClock.ts'
import { assertRightClock, startClockCheck, type ClockCheck } from '../platform/cluster/clockCheck.ts'
import { openBusAtStart, type BusAddress } from '../platform/cluster/openBus.ts'
import { createNodeFence, type NodeFence } from '../platform/cluster/nodeFence.ts'
import { busKeysOf } from '../platform/cluster/seal.ts'
import { readVenueId } from '../platform/cluster/venueId.ts'
import { SettingsError } from '../platform/settingsError.ts'
import type { Settings } from './config.ts'
import type { Database } from '../platform/db/database.ts'
import { acquireLease, yieldMs, type Lease } from '../platform/db/lease.ts'
import { checkDeskKey, storeDeskKeyCheck, type DeskKey } from './deskKeyCheck.ts'
import { EngineThread } from './engine/engineThread.ts'
import { createNodeEngine } from './engine/nodeEngine.ts'
import { logError } from '../platform/log.ts'
import {
  readNewestWatermark,
  openNodeMarket,
  type NodeMarket,
  SourceDiffersError,
  relayMemberBus,
} from '../market/index.ts'
import type { Cluster, LogLine, Report } from '../platform/ports.ts'
import { systemRandom } from '../platform/random.ts'
import type { Secrets } from '../platform/secrets.ts'
import {
  engineThreadParts,
  openWithProductTable,
  openVenueDatabase,
  openVenueSecrets,
  prepareToLead,
  serveVenue,
  settledLater,
  leaveOwnerRole,
  type ProductTable,
  type StartedParts,
} from './startParts.ts'
import { step } from './startProgress.ts'
import { answerPlacements, createRemotePlacer } from '../trading/index.ts'

/** A leader that is starting registers its products within this time. */
const leaderStartMs = 60_000
const pollMs = 200

/** What a node has opened before it either leads or follows. */
type Node = StartedParts & {
  database: Database
  productTable: ProductTable
  bus: Bus
  fence: NodeFence
  clock: LeaderClock
  /** How often the leader's time was a step ahead of this node's. */
  refusedSteps: () => number
  clockCheck: ClockCheck
  /** Null if the node never leads. */
  thread: EngineThread | null
  report: Report
  /** False if the database had no check value yet: only the leader that starts now has the key. */
  isDeskKeyChecked: boolean
}

/**
 * One of several nodes on one PostgreSQL. Each serves members and follows the leader's log; one with the role `auto`
 * leads if no other does, at its start or as soon as the leader has stopped.
 */
export async function startNode(started: StartedParts): Promise<void> {
  const node = await openNode(started)
  const { settings, cleanups, clock, database, fence, thread, logger, onLost } = node
  const aborting = new AbortController()
  cleanups.add(async () => aborting.abort())
  const first = thread === null ? null : await tryToLead(node)
  const leaderSecrets = first === null ? null : await lead(node, first)
  const market = await step(logger, 'reading the log', () => openMarket(node))
  cleanups.add(() => market.stop())
  if (first === null && !node.isDeskKeyChecked) await checkDeskKey(database.db, deskKeyOf(settings))
  thread?.follow(
    (commit) => {
      clock.observe(commit.at)
      market.apply(commit, fence.term)
    },
    () => undefined,
  )
  let isLeading = first !== null
  const secrets = leaderSecrets ?? (await openVenueSecrets({ db: database.db, fence: null }, settings))
  const engine = createNodeEngine(market, thread)
  if (first === null) listenToLiveSources(node)
  const cluster = createCluster(node, market, () => isLeading)
  const parts = { database, fence, clock, clockCheck: node.clockCheck, engine, secrets, cluster }
  const venue = await serveVenue(node, parts, node.productTable.products)
  if (thread === null || first !== null) return
  const takeOver = async (): Promise<void> => {
    const onRetry = (error: unknown): void => node.report('waiting for the lease failed', error)
    const yields = (): boolean => node.clockCheck.isOff()
    const isReady = (): boolean => node.bus.isConnected() && !yields()
    const standby = { signal: aborting.signal, isReady, yields, onRetry }
    const lease = await acquireLease(database, onLost, standby)
    releaseLast(node, lease)
    await lead(node, lease, true)
    isLeading = true
    await venue.lead()
    logger.info('this node leads now')
  }
  takeOver().catch((error: unknown) => {
    if (aborting.signal.aborted) return
    node.report('taking over failed', error)
    onLost(error)
  })
}

async function openNode(started: StartedParts): Promise<Node> {
  const { settings, lock, cleanups, logger, onLost } = started
  const report: Report = (message, error) => logError(logger, message, error)
  const { opened: database, productTable } = await openWithProductTable(started, async () => {
    const opened = await openVenueDatabase(settings, lock, logger, onLost)
    cleanups.add(() => opened.close())
    return opened
  })
  await database.migrate()
  await leaveOwnerRole(database, logger)
  const deskKeyChecked = settledLater(
    settings.deskKeyChange ? Promise.resolve(true) : checkDeskKey(database.db, deskKeyOf(settings)),
  )
  let refusedSteps = 0
  const clock = createLeaderClock(await readNewestWatermark(database.db), monotonicMs, (aheadMs) => {
    refusedSteps += 1
    const ahead = `${Math.round(aheadMs)} ms ahead of this node's time`
    logger.warn(`the leader's time is ${ahead}: the database is asked`)
  })
  const logLine: LogLine = (level, line) => logger[level](line)
  const clockCheck = await startClockCheck({ db: database.db, clock, logLine, report })
  cleanups.add(() => clockCheck.stop())
  const address: BusAddress = {
    url: settings.busUrl ?? '',
    keys: busKeysOf(settings, await readVenueId(database.db)),
    name: `uptick ${settings.host}:${started.address.port}`,
  }
  const busParts = { now: () => clock.now(), warn: (line: string) => logger.warn(line), report }
  const bus = await openBusAtStart(address, busParts)
  cleanups.add(() => bus.close())
  const threadParts = engineThreadParts({ database, productTable, bus: address }, settings, logger, onLost)
  const thread = settings.role === 'auto' ? new EngineThread(threadParts) : null
  if (thread !== null) cleanups.add(() => thread.stop())
  const isDeskKeyChecked = await deskKeyChecked()
  const fence = createNodeFence()
  return {
    ...started,
    database,
    productTable,
    bus,
    fence,
    clock,
    refusedSteps: () => refusedSteps,
    clockCheck,
    thread,
    report,
    isDeskKeyChecked,
  }
}

/** The lease if no node has it; null if another node leads. */
async function tryToLead(node: Node): Promise<Lease | null> {
  const signal = AbortSignal.abort()
  // A venue that starts as a whole begins with a right clock if one of its nodes has it.
  if (node.clockCheck.isOff()) await wait(yieldMs)
  try {
    const lease = await acquireLease(node.database, node.onLost, { signal })
    releaseLast(node, lease)
    return lease
  } catch (error) {
    if (error !== signal.reason) throw error
    return null
  }
}

/** At a stop the thread writes its last flush before the lease is free: a standby takes it within 50 ms. */
function releaseLast({ cleanups, thread }: Node, lease: Lease): void {
  cleanups.add(() => lease.release())
  cleanups.add(async () => thread?.stop())
}

/** Begins this node's term: from now on its thread reads the feeds, writes the log and settles. */
async function lead(node: Node, lease: Lease, isTakingOver = false): Promise<Secrets> {
  const { database, settings, address, productTable, fence, clock, thread, report } = node
  if (thread === null) throw new Error('a node without an engine cannot lead')
  const { db } = database
  fence.lead(await lease.begin(`${settings.host}:${address.port}`))
  // Before the products are registered: the other nodes wait only for those, and need the check values of the keys.
  const secrets = await prepareToLead({ db, fence }, productTable.products, settings)
  const deskKeyStored = storeDeskKeyCheck({ db, fence }, deskKeyOf(settings), settings.deskKeyChange)
  if (isTakingOver)
    deskKeyStored.catch((error: unknown) => report('storing the check of DESK_KEY failed', error))
  else await deskKeyStored
  const clockOffsetMs = offsetToLead(node, await readNewestWatermark(db), isTakingOver)
  await thread.lead({ term: fence.term, clockOffsetMs })
  clock.lead(clockOffsetMs)
  await thread.start()
  const isStandbyReady = (): Promise<boolean> => lease.isStandbyReady()
  const onCutOff = (): void => void fence.declareLost('this node has lost NATS, and a standby has it')
  const endWatch = watchBus({ bus: node.bus, isStandbyReady, onCutOff })
  node.cleanups.add(async () => endWatch())
  return secrets
}

/**
 * A take-over keeps the time of the leader that this node has followed, whatever this machine's clock says. A venue that was
 * down begins with that clock, and never before `reached`: so it does if its first leader ended before it wrote anything.
 * @throws SettingsError if the clock is so wrong that the venue's time would be
 */
function offsetToLead({ clock, clockCheck }: Node, reached: number, isTakingOver: boolean): number {
  const notBefore = Math.max(reached, clock.now())
  if (isTakingOver && clock.hasFollowed()) return notBefore - monotonicMs()
  assertRightClock(clockCheck)
  return clockOffset(notBefore)
}

const deskKeyOf = ({ deskKey }: Settings): DeskKey => ({ key: deskKey ?? '', source: 'DESK_KEY' })

/** A node that may lead later receives from the exchanges itself, so that its take-over makes no gap. */
function listenToLiveSources({ thread, clock }: Node): void {
  thread?.standBy(clock.now())
}

/** Waits for a leader that is starting: until it has registered this node's products, there is no log to follow. */
async function openMarket(node: Node): Promise<NodeMarket> {
  const { database, bus, clock, thread, productTable, report, onLost } = node
  const giveUpAt = performance.now() + leaderStartMs
  for (;;) {
    try {
      return await openNodeMarket({
        db: database.db,
        bus,
        clock,
        sha: (text) => hash('sha256', text),
        random: systemRandom,
        products: productTable.products,
        onFlush: (at, from) => {
          // What the database has may be old: it says something only if this node's time is behind it.
          if (from === 'database' && clock.hasFollowed() && at <= clock.now()) return
          clock.observe(at)
          thread?.observe(at)
        },
        isPlausible: (at) => clock.isPlausible(at),
        report,
        onLost: (error) => {
          report('this node can no longer follow the log and ends', error)
          onLost(error)
        },
      })
    } catch (error) {
      if (!(error instanceof SourceDiffersError)) throw error
      if (performance.now() > giveUpAt) throw new SettingsError(`PRODUCTS_FILE: ${error.message}`)
      await wait(pollMs)
    }
  }
}

function createCluster(
  { bus, clock, refusedSteps, cleanups, report }: Node,
  market: NodeMarket,
  isLeading: () => boolean,
): Cluster {
  return {
    isLeading,
    bus: () => ({
      isConnected: bus.isConnected(),
      missedFlushes: market.missedFlushes(),
      dropped: bus.dropped(),
      refusedSteps: refusedSteps(),
    }),
    remotePlacer: createRemotePlacer(bus, clock),
    answerPlacements: (placer) => {
      const end = answerPlacements(bus, placer, report)
      cleanups.add(async () => end())
    },
    relay: (local) => {
      const relay = relayMemberBus(local, bus)
      cleanups.add(async () => relay.stop())
      return relay
    },
  }
}
