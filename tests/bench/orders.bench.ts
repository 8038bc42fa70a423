import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { MemberClient } from '../support/apiCalls.ts'
import { leadDatabase } from '../support/ledDatabase.ts'
import { orderRequest, placeOrder } from '../support/orders.ts'
import { openTickingVenue, type TickingVenue } from '../support/tickingVenue.ts'
import { openBenchDatabase, type Engine } from './databases.ts'
import { openBareServer, ordersIn, recordBatches, resendBatches } from './orders/bareParts.ts'
import type { Load, LoadResult } from './orders/load.ts'
import { median, type Row } from './row.ts'

const inFlight = 32
const roundMs = 2000
const rounds = 5
const limit = 0.75
const order = { productId: 'BTCUSDT', amount: '1.00', seconds: 60 } as const

type Rates = { venue: number; http: number; statement: number; batch: number }

/**
 * P6: orders a second over HTTP, 32 in flight from another process, against what the bare parts reach one after the
 * other: a Fastify route with the same schema and answer, and the placing statement sent by a bare client in the batches
 * that the venue made. Measured in turns, so that a slow moment of the machine affects all of them.
 */
export async function run(): Promise<Row[]> {
  const rows: Row[] = []
  for (const engine of ['PostgreSQL', 'PGlite'] as const) {
    const rates = await measure(engine)
    const of = (select: (rate: Rates) => number): number => median(rates.map(select))
    const row = (what: string, value: number, unit = '/s'): Row => ({
      id: 'P6',
      what: `${engine}: ${what}`,
      value,
      unit,
    })
    const ratio = of(({ venue, http, statement }) => venue / (1 / (1 / http + 1 / statement)))
    rows.push(
      row(
        'bare route',
        of(({ http }) => http),
      ),
      row(
        'bare placing statement, orders',
        of(({ statement }) => statement),
      ),
      row(
        'orders in a statement',
        of(({ batch }) => batch),
        '',
      ),
      row(
        `orders over HTTP, ${inFlight} in flight`,
        of(({ venue }) => venue),
      ),
      { ...row('orders against the bare parts', ratio, '×'), limit: `≥ ${limit}`, ok: ratio >= limit },
    )
  }
  return rows
}

async function measure(engine: Engine): Promise<Rates[]> {
  const { database, close } = await openBenchDatabase(engine)
  const venue = await openTickingVenue(database, { fence: await leadDatabase(database) })
  const members = await Promise.all(Array.from({ length: inFlight }, () => venue.createMember()))
  const bare = await openBareServer(await placeOrder(venue, members[0]!, order))
  const load = fork(join(import.meta.dirname, 'orders/load.ts'), { execArgv: ['--import', 'tsx'] })
  const send = async (url: string, ms = roundMs): Promise<number> => {
    load.send(loadOf(venue, members, url, ms))
    const [result] = (await once(load, 'message')) as [LoadResult]
    return result.perSecond
  }
  const { url } = await venue.listen()
  const rates: Rates[] = []
  await send(url, 1000)
  await send(bare.url, 1000)
  for (let round = 0; round < rounds; round++) {
    const recorded = recordBatches(database.pool)
    const placed = await send(url)
    recorded.stop()
    const orders = recorded.batches.reduce((sum, batch) => sum + ordersIn(batch), 0)
    rates.push({
      venue: placed,
      http: await send(bare.url),
      statement: await resendBatches(database.pool, recorded.batches, roundMs),
      batch: orders / recorded.batches.length,
    })
  }
  load.kill()
  await bare.close()
  await venue.close()
  await close()
  return rates
}

const loadOf = (venue: TickingVenue, members: readonly MemberClient[], url: string, ms: number): Load => ({
  url,
  sessions: members.map(({ sid, token }) => ({ sid, token })),
  body: JSON.stringify(orderRequest(venue, order)),
  ms,
})
