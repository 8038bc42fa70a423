import { minor, priceUnits } from '../../../contract/units.ts'
import { moneyOf, formatMoney } from '../../../contract/money.ts'
import type { WireTick } from '../../../contract/chain.ts'
import type { Order } from '../../../contract/orders.ts'
import type { Gap, SettleSource } from '../../../contract/settle.ts'
import {
  blackBoxClient,
  digits,
  expectedOutcome,
  type Answer,
  type BlackBoxClient,
} from '../../support/blackBoxClient.ts'
import type { Violations } from '../kill/moneyCheck.ts'
import { settleOracleR2 } from '../settleOracleR2.ts'
import type { Cluster } from './cluster.ts'

export async function countGaps({ scratch }: Cluster): Promise<number> {
  const { rows } = await scratch.database.pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM feed_gap',
  )
  return rows[0]?.count ?? -1
}

/** No leader writes after the next one: terms never go back, and no flush is missing. */
export async function checkTerms({ scratch }: Cluster, { doubled }: Violations): Promise<void> {
  const { rows } = await scratch.database.pool.query<{ id: number; term: number; at: number }>(
    'SELECT id::int AS id, term::int AS term, at::float8 AS at FROM tick_batch ORDER BY id',
  )
  for (const [i, row] of rows.entries()) {
    const before = rows[i - 1]
    if (!before) continue
    if (row.id !== before.id + 1 || row.term < before.term || row.at < before.at)
      doubled.push(`flush ${JSON.stringify(row)} after ${JSON.stringify(before)}`)
  }
}

type List<T> = { items: T[]; nextCursor: string | null }

/** Every order of these members ended as an oracle decides it from the public log. @returns how many */
export async function checkResults(
  members: readonly BlackBoxClient[],
  { wrong }: Violations,
): Promise<number> {
  const [reader] = members
  if (!reader) return 0
  const path = '/api/products/TEST'
  const ticks = await readTicks(reader, 'TEST')
  const gaps = await readList<Gap>(reader, `${path}/gaps`)
  const { sources } = (await reader.get<{ sources: SettleSource[] }>(path)).body
  let count = 0
  for (const member of members) {
    for (const order of await readList<Order>(member, '/api/orders')) {
      const { status, reason, entry, exit, payout, pnl, terms } = order
      const inTime = ticks.slice(firstAfter(ticks, order.acceptedAt), firstAfter(ticks, order.closeAt))
      const outcomeOf = terms.rule === 'R1' ? expectedOutcome : expectedMean
      const [stored, expected] = [
        JSON.stringify({ status, reason, entry, exit, payout, pnl }),
        JSON.stringify(outcomeOf(order, inTime, gaps, sources)),
      ]
      if (stored !== expected) wrong.push(`order ${order.id} ended as ${stored} instead of ${expected}`)
      count += 1
    }
  }
  return count
}

/** The outcome by the oracle of rule R2, as an order has it on the wire. */
function expectedMean(
  order: Order,
  ticks: readonly WireTick[],
  gaps: readonly Gap[],
  sources: readonly SettleSource[],
): object {
  const { terms } = order
  if (terms.rule !== 'R2') throw new Error('the order has another rule')
  const { status, reason, entry, exit, payout, pnl } = settleOracleR2(
    terms,
    { ...order, amount: moneyOf(order.amount) },
    ticks.map(([seq, at, price]) => ({ seq, at, price: priceUnits(Number(digits(price))) })),
    [...gaps],
    [...sources],
  )
  const tick = ticks.find(([seq]) => seq === entry)
  return {
    status,
    reason,
    entry: tick === undefined ? null : { seq: tick[0], at: tick[1], price: tick[2] },
    exit,
    payout: formatMoney(minor(payout)),
    pnl: formatMoney(minor(pnl)),
  }
}

/** The index of the first tick after an instant. */
function firstAfter(ticks: readonly WireTick[], at: number): number {
  let [low, high] = [0, ticks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ticks[middle]?.[1] ?? 0) > at) high = middle
    else low = middle + 1
  }
  return low
}

export async function readList<T>(client: BlackBoxClient, path: string): Promise<T[]> {
  const items: T[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const answer: Answer<List<T>> = await client.get<List<T>>(
      `${path}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`)
    items.push(...answer.body.items)
    cursor = answer.body.nextCursor
  }
  return items
}

const ticksPerCall = 1000

/** All ticks of a product; waits until the log has the one that is wanted. */
export async function readTicks(
  client: BlackBoxClient,
  productId: string,
  isWanted: (newest: WireTick | undefined) => boolean = () => true,
): Promise<WireTick[]> {
  const path = `/api/products/${encodeURIComponent(productId)}/ticks`
  const ticks: WireTick[] = []
  for (;;) {
    const answer = await client.get<{ ticks: WireTick[] }>(
      `${path}?afterSeq=${ticks.length}&limit=${ticksPerCall}`,
    )
    if (answer.status !== 200) throw new Error(`${productId}: ${answer.text}`)
    ticks.push(...answer.body.ticks)
    if (answer.body.ticks.length < ticksPerCall && isWanted(ticks.at(-1))) return ticks
  }
}

/** The live products, and the symbols that they follow. */
export const liveSymbols = [
  ['TEST', 'BTCUSDT'],
  ['WITNESSED', 'ETHUSDT'],
  ['WITNESSED~coinbase', 'ETH-USD'],
] as const

/** Every trade of the exchanges since the first logged one is in the log once, or in a gap. @returns how many are logged */
export async function checkLiveTicks(
  { exchanges, scratch }: Cluster,
  url: string,
  { lost, doubled }: Violations,
): Promise<number> {
  const client = blackBoxClient(url)
  let count = 0
  for (const [productId, symbol] of liveSymbols) {
    const made = exchanges.flatMap(({ core }) => core.trades).filter((trade) => trade.symbol === symbol)
    const until = made.at(-1)?.id ?? 0
    const ticks = await readTicks(client, productId, (newest) => Number(newest?.[4] ?? 0) >= until)
    const { rows: gaps } = await scratch.database.pool.query<{ from: number; to: number }>(
      `SELECT from_at::float8 AS "from", to_at::float8 AS "to"
       FROM feed_gap JOIN feed_product USING (ix) WHERE id = $1`,
      [productId],
    )
    count += ticks.length
    for (const [i, [, at, , , id]] of ticks.entries()) {
      const before = ticks[i - 1]
      if (!before) continue
      const missing = Number(id) - Number(before[4]) - 1
      if (missing < 0) doubled.push(`${productId}: trade ${id} after ${before[4]}`)
      const isGap = gaps.some(({ from, to }) => from >= before[1] && to <= at)
      if (missing > 0 && !isGap) lost.push(`${productId}: no gap for ${missing} trades before ${id}`)
    }
  }
  return count
}
