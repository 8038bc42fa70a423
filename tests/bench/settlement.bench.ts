import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import type { Order } from '../../contract/orders.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { registerMember, type BlackBoxClient } from '../support/blackBoxClient.ts'
import { leadDatabase } from '../support/ledDatabase.ts'
import { openWholeVenue } from '../support/wholeVenue.ts'
import { productRow } from '../support/productRow.ts'
import { openBenchDatabase, type Engine } from './databases.ts'
import { percentile } from '../soak/row.ts'
import type { Row } from './row.ts'

const orders = 10_000
const members = 20
/** Orders that each member places at a time. */
const inFlight = 4
/** Orders are placed one after another with decreasing durations, so that all close in the same second. */
const longestS = 90
const shortestS = 5
const limitsMs: Record<Engine, number> = { PostgreSQL: 500, PGlite: 3000 }

const table = [
  productRow('BENCH', {
    durations: Array.from({ length: longestS - shortestS + 1 }, (_, i) => ({
      seconds: shortestS + i,
      rateBp: 8500,
      min: '1.00',
      max: '500.00',
    })),
    entryTimeoutMs: 5000,
  }),
]

/**
 * P7: from the tick frame that brings the product's watermark past an order's close until the order's result, both as
 * members receive them; and from the close itself, which includes the wait for that frame.
 */
export async function run(): Promise<Row[]> {
  const rows: Row[] = []
  for (const engine of ['PostgreSQL', 'PGlite'] as const) {
    const { database, close } = await openBenchDatabase(engine)
    const dataDir = mkdtempSync(join(tmpdir(), 'uptick-bench-'))
    const venue = await openWholeVenue({
      database,
      fence: await leadDatabase(database),
      clock: systemClock(),
      table,
      recordingsDir: dataDir,
      dataDir,
    })
    const clients: BlackBoxClient[] = []
    for (let i = 0; i < members; i++) {
      clients.push(await registerMember(venue.url, `bench_${i}`, `138${String(i).padStart(8, '0')}`))
    }
    const lags = await settlementLags(venue.url, clients)
    const limit = limitsMs[engine]
    const afterWatermark = lags.map(({ afterWatermarkMs }) => afterWatermarkMs)
    const afterClose = lags.map(({ afterCloseMs }) => afterCloseMs)
    const lag = (since: string, values: readonly number[], share: number): Row => ({
      id: 'P7',
      what: `${engine}: from ${since} to socket, p${share * 100}`,
      value: percentile(values, share),
      unit: 'ms',
    })
    const limited = lag('watermark', afterWatermark, 0.99)
    rows.push(
      {
        id: 'P7',
        what: `${engine}: of ${orders} due orders, results received`,
        value: lags.length,
        unit: '',
        limit: `= ${orders}`,
        ok: lags.length === orders,
      },
      lag('close', afterClose, 0.5),
      lag('close', afterClose, 0.99),
      lag('watermark', afterWatermark, 0.5),
      { ...limited, limit: `≤ ${limit}`, ok: lags.length === orders && limited.value <= limit },
    )
    await venue.close()
    await close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return rows
}

type Lag = { afterCloseMs: number; afterWatermarkMs: number }
/** An instant up to which a product's ticks are final, and when a member received it. */
type WatermarkSeen = { at: number; receivedAt: number }

async function settlementLags(url: string, clients: readonly BlackBoxClient[]): Promise<Lag[]> {
  const closeAt = new Map<string, number>()
  const receivedAt = new Map<string, number>()
  const watermarks: WatermarkSeen[] = []
  const sockets = await Promise.all(clients.map((client) => listen(url, client, receivedAt)))
  const first = sockets[0]
  if (!first) throw new Error('there are no members')
  await followWatermark(first, watermarks)

  const dueAt = (Math.floor(Date.now() / 1000) + longestS) * 1000
  const share = orders / clients.length / inFlight
  const place = async (client: BlackBoxClient): Promise<void> => {
    for (let i = 0; i < share; i++) {
      const seconds = Math.floor((dueAt + 999 - Date.now()) / 1000)
      if (seconds < shortestS) throw new Error('this machine is too slow to place them in time')
      const { status, body, text } = await client.postWithKey<Order>('/api/orders', {
        productId: 'BENCH',
        direction: i % 2 === 0 ? 'up' : 'down',
        amount: '1.00',
        seconds,
        rateBp: 8500,
        validUntil: Date.now() + 20_000,
      })
      if (status !== 201) throw new Error(text)
      closeAt.set(body.id, body.closeAt)
    }
  }
  await Promise.all(clients.flatMap((client) => Array.from({ length: inFlight }, () => place(client))))

  const deadline = dueAt + 120_000
  while (receivedAt.size < orders && Date.now() < deadline) await pause(100)
  for (const socket of sockets) socket.close()
  return [...receivedAt].flatMap(([id, at]) => {
    const due = closeAt.get(id)
    const passed = due === undefined ? undefined : watermarks.find((seen) => seen.at >= due)
    if (due === undefined || passed === undefined) return []
    return [{ afterCloseMs: at - due, afterWatermarkMs: at - passed.receivedAt }]
  })
}

/** Records each tick frame of the product, with the instant of its flush. */
async function followWatermark(socket: Socket, watermarks: WatermarkSeen[]): Promise<void> {
  socket.on('ticks', (frame: readonly number[]) => {
    watermarks.push({ at: frame[0] ?? 0, receivedAt: Date.now() })
  })
  await socket.emitWithAck('subscribe', { products: ['BENCH'] })
}

async function listen(url: string, client: BlackBoxClient, receivedAt: Map<string, number>): Promise<Socket> {
  const socket = io(url, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    extraHeaders: { cookie: client.session.cookie },
  })
  socket.on('order', (order: Order) => {
    if (order.settledAt !== null && !receivedAt.has(order.id)) receivedAt.set(order.id, Date.now())
  })
  await new Promise<void>((ready) => void socket.once('hello', () => ready()))
  return socket
}
