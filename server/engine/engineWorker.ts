import { hash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { assertNever } from '../../contract/brand.ts'
import { systemClock } from '../clock.ts'
import { createFence } from '../db/fence.ts'
import { openSharedDatabase } from '../db/open.ts'
import { loadProducts } from '../feed/loadProducts.ts'
import { createZoneCalendar } from '../ledger/businessCalendar.ts'
import { openMarketWriter } from '../market/writer.ts'
import { systemRandom } from '../random.ts'
import { proofRanges } from '../trading/proofRanges.ts'
import { createOrderProcessor } from '../trading/processor.ts'
import { serializeError } from './errors.ts'
import type { EngineSettings, EngineEvent, EngineCommand } from './messages.ts'

type Send = (message: EngineEvent) => void

/** The engine's thread: reads feeds, writes the tick log, settles orders, and reports to the main thread. */
async function run(parent: NonNullable<typeof parentPort>, settings: EngineSettings): Promise<void> {
  const send: Send = (message) => parent.postMessage(message)
  const report = (what: string, error: unknown): void =>
    send({ kind: 'report', what, error: serializeError(error) })
  try {
    const engine = await openEngine(settings, send, report)
    parent.on('message', (message: EngineCommand) => {
      engine.handle(message).catch((error: unknown) => send({ kind: 'failed', error: serializeError(error) }))
    })
    send({
      kind: 'ready',
      registered: engine.registered,
      end: engine.end(),
      isCatchingUp: engine.isCatchingUp,
    })
  } catch (error) {
    send({ kind: 'failed', error: serializeError(error) })
  }
}

async function openEngine(
  { database: address, products: rows, feeds, clockOffsetMs, zone, tickRetentionMs, term }: EngineSettings,
  send: Send,
  report: (what: string, error: unknown) => void,
) {
  const products = await loadProducts(rows, feeds)
  const database = openSharedDatabase(address, (error) => report('the database failed', error))
  const clock = systemClock(clockOffsetMs)
  const fence = createFence(term, (error) => send({ kind: 'failed', error: serializeError(error) }))
  const writer = await openMarketWriter({
    db: database.db,
    fence,
    clock,
    sha: (text) => hash('sha256', text),
    products,
    random: systemRandom,
    tickRetentionMs,
    proofRanges: (id, before) => proofRanges(database.db, id, before),
    report,
    warn: (what) => send({ kind: 'warn', what }),
  })
  let offsetMs = 0
  const calendar = createZoneCalendar(zone, () => offsetMs)
  // Registered first, so that the main thread has the ticks before their effect on an order.
  let dropped = 0
  writer.onCommit((commit) => {
    send({ kind: 'commit', commit })
    if (writer.dropped() === dropped) return
    dropped = writer.dropped()
    send({ kind: 'dropped', count: dropped })
  })
  writer.onCompacted((compacted) => send({ kind: 'compacted', compacted }))
  const processor = createOrderProcessor({ database, fence, clock, calendar, market: writer.source, report })
  processor.onOpened((row) => send({ kind: 'opened', row }))
  processor.onSettled((rows, ledgerChanges) => send({ kind: 'settled', rows, ledgerChanges }))

  const handle = async (message: EngineCommand): Promise<void> => {
    switch (message.kind) {
      case 'start':
        await processor.start()
        writer.start()
        return send({ kind: 'started' })
      case 'stop':
        await processor.stop()
        await writer.stop()
        await database.close()
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

if (parentPort !== null) await run(parentPort, workerData as EngineSettings)
