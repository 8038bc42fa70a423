import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { placeOrder, tickOnce } from '../support/orders.ts'
import { openBenchDatabase } from './databases.ts'
import type { Engine } from './databases.ts'
import { median } from './row.ts'
import type { Row } from './row.ts'
import { openTestVenue } from '../support/testVenue.ts'
import type { TestVenue } from '../support/testVenue.ts'

const rounds = 5
const roundMs = 2000
const limits: Record<Engine, number> = { PostgreSQL: 2, PGlite: 0.3 }

/**
 * P6: orders a second through the venue's own route (session, key, ledger, order, answer), against consecutive
 * `fdatasync` calls on the same disk. Each order waits until it is durable, as far as the engine can tell.
 */
export async function run(): Promise<Row[]> {
  const rows: Row[] = []
  for (const engine of ['PostgreSQL', 'PGlite'] as const) {
    const { database, close } = await openBenchDatabase(engine)
    const venue = await openTestVenue(database)
    await venue.clock.advance(1)
    tickOnce(venue)
    const syncs: number[] = []
    const orders = new Map<number, number[]>([
      [8, []],
      [32, []],
    ])
    for (const inFlight of orders.keys()) await ordersPerSecond(venue, inFlight)
    for (let round = 0; round < rounds; round++) {
      syncs.push(fdatasyncsPerSecond())
      for (const [inFlight, rates] of orders) rates.push(await ordersPerSecond(venue, inFlight))
    }
    rows.push({ id: 'P6', what: `${engine}: fdatasync, one at a time`, value: median(syncs), unit: '/s' })
    for (const [inFlight, rates] of orders) {
      const ratio = median(rates.map((value, round) => value / (syncs[round] ?? Number.NaN)))
      const limit = limits[engine]
      rows.push(
        { id: 'P6', what: `${engine}: orders, ${inFlight} in flight`, value: median(rates), unit: '/s' },
        {
          id: 'P6',
          what: `${engine}: orders, ${inFlight} in flight, against fdatasync`,
          value: ratio,
          unit: '×',
          limit: `≥ ${limit}`,
          ok: ratio >= limit,
        },
      )
    }
    await venue.close()
    await close()
  }
  return rows
}

/** One member for each order in flight, because orders of one member wait for the same balance. */
async function ordersPerSecond(venue: TestVenue, inFlight: number): Promise<number> {
  const members = await Promise.all(Array.from({ length: inFlight }, () => venue.createMember()))
  const started = performance.now()
  let count = 0
  await Promise.all(
    members.map(async (member) => {
      while (performance.now() - started < roundMs) {
        await placeOrder(venue, member, { amount: '1.00' })
        count++
      }
    }),
  )
  return (count * 1000) / (performance.now() - started)
}

function fdatasyncsPerSecond(): number {
  const folder = mkdtempSync(join(tmpdir(), 'uptick-sync-'))
  const file = openSync(join(folder, 'log'), 'w')
  const record = Buffer.alloc(512, 1)
  const started = performance.now()
  let count = 0
  while (performance.now() - started < roundMs / 2) {
    writeSync(file, record)
    fdatasyncSync(file)
    count++
  }
  const perSecond = (count * 1000) / (performance.now() - started)
  closeSync(file)
  rmSync(folder, { recursive: true })
  return perSecond
}
