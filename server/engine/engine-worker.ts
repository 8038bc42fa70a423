import { hash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { assertNever } from '../../contract/brand.ts'
import { systemClock } from '../clock.ts'
import { createFence } from '../db/fence.ts'
import { openShared } from '../db/open.ts'
import { loadProducts } from '../feed/load.ts'
import { zoneCalendar } from '../ledger/calendar.ts'
import { openMarketWriter } from '../market/writer.ts'
import { proofRanges } from '../trading/evidence.ts'
import { createOrderProcessor } from '../trading/processor.ts'
import { packError } from './errors.ts'
import type { EngineSettings, FromEngine, ToEngine } from './messages.ts'

type Send = (message: FromEngine) => void

/** The engine's thread: reads feeds, writes the tick log, settles orders, and tells the other thread of it. */
async function run(parent: NonNullable<typeof parentPort>, settings: EngineSettings): Promise<void> {
  const send: Send = (message) => parent.postMessage(message)
  const report = (what: string, error: unknown): void =>
    send({ kind: 'report', what, error: packError(error) })
  try {
    const engine = await open(settings, send, report)
    parent.on('message', (message: ToEngine) => {
      engine.take(message).catch((error: unknown) => send({ kind: 'failed', error: packError(error) }))
    })
    send({ kind: 'ready', registered: engine.registered, end: engine.end(), catchesUp: engine.catchesUp })
  } catch (error) {
    send({ kind: 'failed', error: packError(error) })
  }
}

async function open(
  { database: address, products: rows, feeds, clockOffsetMs, zone, ticksKeepMs, term }: EngineSettings,
  send: Send,
  report: (what: string, error: unknown) => void,
) {
  const products = await loadProducts(rows, feeds)
  const database = openShared(address, (error) => report('the database failed', error))
  const clock = systemClock(clockOffsetMs)
  const fence = createFence(term, (error) => send({ kind: 'failed', error: packError(error) }))
  const writer = await openMarketWriter({
    db: database.db,
    fence,
    clock,
    sha: (text) => hash('sha256', text),
    products,
    ticksKeepMs,
    proofRanges: (id, before) => proofRanges(database.db, id, before),
    report,
    tell: (what) => send({ kind: 'tell', what }),
  })
  let offsetMs = 0
  const calendar = zoneCalendar(zone, () => offsetMs)
  // First, so that the other thread has the ticks before it hears what they did to an order.
  let dropped = 0
  writer.onCommit((commit) => {
    send({ kind: 'commit', commit })
    if (writer.dropped() === dropped) return
    dropped = writer.dropped()
    send({ kind: 'dropped', count: dropped })
  })
  writer.onSealed((sealed) => send({ kind: 'sealed', sealed }))
  const processor = createOrderProcessor({ database, fence, clock, calendar, market: writer.source, report })
  processor.onOpened((row) => send({ kind: 'opened', row }))
  processor.onSettled((rows, moved) => send({ kind: 'settled', rows, moved }))

  const take = async (message: ToEngine): Promise<void> => {
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
      case 'pick up':
        return processor.pickUpLater()
      default:
        return assertNever(message)
    }
  }
  const registered = writer.registered.map(({ product, ...rest }) => ({ id: product.settings.id, ...rest }))
  return { registered, end: () => writer.end(), catchesUp: writer.catchesUp, take }
}

if (parentPort !== null) await run(parentPort, workerData as EngineSettings)
