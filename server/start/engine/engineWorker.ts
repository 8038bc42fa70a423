import { hash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { assertNever } from '../../../contract/units.ts'
import { monotonicMs, systemClock } from '../../platform/clock.ts'
import {
  encodeFlush,
  messageOf,
  loadProducts,
  type MarketProduct,
  openMarketWriter,
  type MarketWriter,
} from '../../market/index.ts'
import { createFence } from '../../platform/db/fence.ts'
import { createZoneCalendar } from '../../money/index.ts'
import type { Clock, LogLine, Report } from '../../platform/ports.ts'
import { publishSettings } from '../publishedSettings.ts'
import { systemRandom } from '../../platform/random.ts'
import { proofRanges, createOrderProcessor, type RunningOrderProcessor } from '../../trading/index.ts'
import { connectEngine, type EngineConnections } from './connections.ts'
import { serializeError } from './errors.ts'
import { standBy, type Standby } from './standby.ts'
import type { EngineSettings, EngineEvent, EngineCommand, Leading } from './messages.ts'

type Send = (message: EngineEvent) => void

/**
 * The engine's thread: reads feeds, writes the tick log, settles orders, and reports to the main thread. It opens the log
 * when the main thread leads.
 */
function run(parent: NonNullable<typeof parentPort>, settings: EngineSettings): void {
  const send: Send = (message) => parent.postMessage(message)
  const report: Report = (what, error) => send({ kind: 'report', what, error: serializeError(error) })
  const fail = (error: unknown): void => send({ kind: 'failed', error: serializeError(error) })
  const products = loadProducts(settings.products, settings.feeds, settings.replays)
  products.catch(fail)
  let engine: Promise<RunningEngine> | null = null
  let standby: Standby | null = null
  let connecting: Promise<EngineConnections> | null = null
  let calendarOffsetMs = 0
  /** Of the process that leads. */
  let ledClock: Clock | null = null
  const busParts = {
    now: () => (ledClock ?? standby?.clock)?.now() ?? 0,
    warn: (line: string) => send({ kind: 'log', level: 'warn', what: line }),
    report,
  }
  const connect = (): Promise<EngineConnections> =>
    (connecting ??= connectEngine(settings, busParts).catch((error: unknown) => {
      connecting = null
      throw error
    }))
  const handle = async (message: EngineCommand): Promise<void> => {
    if (message.kind === 'lead') {
      ledClock = systemClock(message.clockOffsetMs)
      engine = products.then(async (loaded) =>
        openEngine(
          settings,
          message,
          { products: loaded, standby, connections: await connect() },
          send,
          report,
        ),
      )
      const { registered, end, isCatchingUp, handle: handleCommand } = await engine
      await handleCommand({ kind: 'calendar', offsetMs: calendarOffsetMs })
      return send({ kind: 'ready', registered, end: end(), isCatchingUp })
    }
    if (message.kind === 'stand by') {
      standby = standBy(await products, message.clockOffsetMs, {
        random: systemRandom,
        logLine: logLineTo(send),
        report,
      })
      // Without them the node is still a standby, and connects when it leads.
      await connect().catch(() => undefined)
      return
    }
    if (message.kind === 'observe') return standby?.clock.observe(message.clockOffsetMs + monotonicMs())
    if (engine !== null) return (await engine).handle(message)
    if (message.kind === 'calendar') calendarOffsetMs = message.offsetMs
    else if (message.kind === 'stop') {
      await standby?.close()
      await (await connecting)?.close()
      send({ kind: 'stopped' })
    }
  }
  parent.on('message', (message: EngineCommand) => {
    handle(message).catch(fail)
  })
}

const logLineTo =
  (send: Send): LogLine =>
  (level, what) =>
    send({ kind: 'log', level, what })

/** What only an engine that leads can do. */
type RunningCommand = Exclude<EngineCommand, { kind: 'lead' | 'stand by' | 'observe' }>
type EngineParts = {
  products: readonly MarketProduct[]
  /** Null if this node was not a standby. */
  standby: Standby | null
  connections: EngineConnections
}
type RunningEngine = Awaited<ReturnType<typeof openEngine>>

async function openEngine(
  { zone, tickRetentionMs, published }: EngineSettings,
  { term, clockOffsetMs }: Leading,
  { products, standby, connections }: EngineParts,
  send: Send,
  report: Report,
) {
  const { database, bus } = connections
  standby?.clock.lead(clockOffsetMs)
  const clock = standby?.clock ?? systemClock(clockOffsetMs)
  const fence = createFence(term, (error) => send({ kind: 'failed', error: serializeError(error) }))
  await publishSettings({ db: database.db, fence, now: clock.now() }, published)
  let sendCounts = (): void => undefined
  const writer = await openMarketWriter({
    db: database.db,
    fence,
    clock,
    sha: (text) => hash('sha256', text),
    products,
    random: systemRandom,
    ...(standby && { standbyFeeds: standby.feeds }),
    tickRetentionMs,
    proofRanges: (id, before) => proofRanges(database.db, id, before),
    ...(bus && { prepareSending: (commit) => bus.prepare('flush', encodeFlush(messageOf(commit, term))) }),
    report: (what, error) => {
      report(what, error)
      // A log that cannot be written commits nothing, so its failures are counted here.
      sendCounts()
    },
    logLine: logLineTo(send),
  })
  sendCounts = countSender(writer, send)
  let offsetMs = 0
  const calendar = createZoneCalendar(zone, () => offsetMs)
  // Registered first, so that the main thread has the ticks before their effect on an order.
  writer.onCommit((commit) => {
    send({ kind: 'commit', commit })
    sendCounts()
  })
  writer.onCompacted((compacted) => send({ kind: 'compacted', compacted }))
  const processor = createOrderProcessor({ database, fence, clock, calendar, market: writer.source, report })
  processor.onOpened((row) => send({ kind: 'opened', row }))
  processor.onSettled((rows, ledgerChanges) => send({ kind: 'settled', rows, ledgerChanges }))

  const handle = async (message: RunningCommand): Promise<void> => {
    switch (message.kind) {
      case 'start':
        await startProcessor(processor, logLineTo(send))
        writer.start()
        return send({ kind: 'started' })
      case 'stop':
        await processor.stop()
        await writer.stop()
        await connections.close()
        return send({ kind: 'stopped' })
      case 'calendar':
        offsetMs = message.offsetMs
        return
      case 'follow':
        return processor.follow(message.rows)
      case 'recover placements':
        return processor.recoverPlacements()
      default:
        return assertNever(message)
    }
  }
  const registered = writer.registered.map(({ product, ...rest }) => ({ id: product.settings.id, ...rest }))
  return { registered, end: () => writer.end(), isCatchingUp: writer.isCatchingUp, handle }
}

async function startProcessor(processor: RunningOrderProcessor, logLine: LogLine): Promise<void> {
  const open = await processor.start()
  if (open > 0) logLine('info', `starting: settling ${open} open orders as they are due`)
}

/** Sends what the writer has counted, if it changed. */
function countSender(writer: Pick<MarketWriter, 'counts'>, send: Send): () => void {
  let sent = writer.counts()
  return () => {
    const counts = writer.counts()
    if (counts.dropped === sent.dropped && counts.failedFlushes === sent.failedFlushes) return
    sent = counts
    send({ kind: 'counts', ...counts })
  }
}

if (parentPort !== null) run(parentPort, workerData as EngineSettings)
