import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { io } from 'socket.io-client'
import type { Socket } from 'socket.io-client'
import type { Order } from '../../contract/orders.ts'
import { systemClock } from '../../server/clock.ts'
import { registerMember } from '../support/blackBoxClient.ts'
import type { BlackBoxClient } from '../support/blackBoxClient.ts'
import { leadDatabase } from '../support/ledDatabase.ts'
import { openWholeVenue } from '../support/wholeVenue.ts'
import { productRow } from '../support/productRow.ts'
import { openBenchDatabase } from './databases.ts'
import type { Engine } from './databases.ts'
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

/** P7: from an order's close, including the wait for the watermark, until its member receives the result. */
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
    const lags = await settlementLagsMs(venue.url, clients)
    lags.sort((a, b) => a - b)
    const limit = limitsMs[engine]
    const at = (share: number): number => lags[Math.ceil(lags.length * share) - 1] ?? Number.NaN
    rows.push(
      {
        id: 'P7',
        what: `${engine}: of ${orders} due orders, results received`,
        value: lags.length,
        unit: '',
        limit: `= ${orders}`,
        ok: lags.length === orders,
      },
      { id: 'P7', what: `${engine}: from close to socket, p50`, value: at(0.5), unit: 'ms' },
      {
        id: 'P7',
        what: `${engine}: from close to socket, p99`,
        value: at(0.99),
        unit: 'ms',
        limit: `≤ ${limit}`,
        ok: at(0.99) <= limit,
      },
    )
    await venue.close()
    await close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return rows
}

async function settlementLagsMs(url: string, clients: readonly BlackBoxClient[]): Promise<number[]> {
  const closeAt = new Map<string, number>()
  const receivedAt = new Map<string, number>()
  const sockets = await Promise.all(clients.map((client) => listen(url, client, receivedAt)))

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
    return due === undefined ? [] : [at - due]
  })
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
