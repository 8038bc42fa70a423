import { afterAll, beforeAll, expect, it } from 'vitest'
import { moneyOf } from '../../../../contract/money.ts'
import type { Order } from '../../../../contract/orders.ts'
import { withDatabase } from '../../../support/withVenue.ts'
import { openStoredLog } from '../../../../server/market/storedLog.ts'
import {
  checkResults,
  everyOrder,
  type CheckedOrders,
  type ResultCheck,
} from '../../../../server/trading/orders/resultCheck.ts'
import { manualClock } from '../../../support/manualClock.ts'
import { openMarket, sha, syntheticProduct, withSeconds } from '../../../support/marketFixtures.ts'
import { placeOrder } from '../../../support/orders.ts'
import { openTestVenue } from '../../../support/testVenue.ts'

const seconds = 20
const rounds = 10

let close: () => Promise<void>
const orders: Order[] = []
/** When all orders up to some round were settled, and none after it. */
let between = 0

const database = await withDatabase()
beforeAll(async () => {
  const clock = manualClock()
  const products = ['FAST', 'SLOW'].map((id, i) => withSeconds(syntheticProduct(id, 100, i), seconds))
  const market = await openMarket(database.db, clock, products, { everyMs: 500 })
  const venue = await openTestVenue(database, { clock, market })
  close = () => venue.close()
  await clock.advance(1000)
  const member = await venue.createMember(moneyOf('1000.00'))
  for (let round = 0; round < rounds; round++) {
    for (const productId of ['FAST', 'SLOW'])
      for (const direction of ['up', 'down'] as const)
        orders.push(await placeOrder(venue, member, { productId, direction, seconds }))
    await clock.advance(seconds * 1000 + 5000)
    await venue.trading.idle()
    if (round === 4) between = clock.now()
  }
})
afterAll(async () => {
  await close()
})

const check = async (which: CheckedOrders, onProgress = (): void => undefined): Promise<ResultCheck> =>
  checkResults(database.db, await openStoredLog(database.db, sha), which, onProgress)

/** The orders that a check settles again: those whose result it finds to be false, if all are. */
async function ordersOf(which: CheckedOrders): Promise<string[]> {
  const { pool } = database
  await pool.query('ALTER TABLE orders DISABLE TRIGGER USER')
  // Of both, so that the result still fits its prices: only the log says otherwise.
  const shift = (by: number) =>
    pool.query('UPDATE orders SET entry_price = entry_price + $1, exit_price = exit_price + $1', [by])
  await shift(1_000_000)
  const { findings, checked, settled } = await check(which)
  await shift(-1_000_000)
  await pool.query('ALTER TABLE orders ENABLE TRIGGER USER')
  expect(settled).toBe(orders.length)
  expect(checked).toBe(findings.length)
  return findings.map((line) => /^order (\S+):/.exec(line)?.[1] ?? line).toSorted()
}
const numbers = (some: readonly Order[]): string[] => some.map(({ no }) => no).toSorted()

it('settles every order again, from a log that is in chunks for the most part, and says how far it is', async () => {
  const { rows } = await database.pool.query('SELECT 1 FROM tick_chunk')
  expect(rows.length).toBeGreaterThan(4)
  const progress: [number, number][] = []
  const log = await openStoredLog(database.db, sha)
  const result = await checkResults(
    database.db,
    log,
    everyOrder,
    (done, total) => void progress.push([done, total]),
  )
  expect(result).toEqual({ settled: orders.length, checked: orders.length, cut: 0, findings: [] })
  expect(progress.at(-1)).toEqual([orders.length, orders.length])
  expect(await ordersOf(everyOrder)).toEqual(numbers(orders))
})

it('settles those again that were settled since some time', async () => {
  const newer = orders.slice(orders.length / 2)
  expect(await ordersOf({ since: between, share: 0, seed: '' })).toEqual(numbers(newer))
})

it('draws a share: the same orders with the same seed, others with another one', async () => {
  const half = { since: null, share: 0.5 }
  const [a, again, b] = [
    await ordersOf({ ...half, seed: 'a' }),
    await ordersOf({ ...half, seed: 'a' }),
    await ordersOf({ ...half, seed: 'b' }),
  ]
  expect(again).toEqual(a)
  expect(b).not.toEqual(a)
  for (const { length } of [a, b]) {
    expect(length).toBeGreaterThan(orders.length / 10)
    expect(length).toBeLessThan((orders.length * 9) / 10)
  }
  // A smaller share with the same seed is a part of it.
  const few = await ordersOf({ since: null, share: 0.2, seed: 'a' })
  expect(a).toEqual(expect.arrayContaining(few))
})

it('of both takes the new orders and a share of the others', async () => {
  const newer = numbers(orders.slice(orders.length / 2))
  const drawn = await ordersOf({ since: null, share: 0.5, seed: 'a' })
  expect(await ordersOf({ since: between, share: 0.5, seed: 'a' })).toEqual(
    [...new Set([...newer, ...drawn])].toSorted(),
  )
})
