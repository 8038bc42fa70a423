import { createHash } from 'node:crypto'
import { io, type Socket } from 'socket.io-client'
import type { Database } from '../../../server/platform/db/open.ts'
import { marketTables } from './tableChanges.ts'
import type { TickingVenue } from '../../support/tickingVenue.ts'

type CheckReport = { tried: number; violations: string[] }

/** Tables of money and results, beside those of prices: not even an operator with the database may write them directly. */
const protectedTables = [
  'posting',
  'balance',
  'hold',
  'hold_resolution',
  'orders',
  'fund_earning',
  'fund_rate',
  'idempotency',
  'audit',
] as const

/** Statements that would change a balance, a result or a price; the database must reject each. */
const forgeries: readonly string[] = [
  `UPDATE balance SET available = available + 100`,
  `UPDATE balance SET available = available + 100, version = version + 1`,
  `UPDATE balance SET fund = 100`,
  `INSERT INTO balance (member_id, available) SELECT id, 100 FROM member LIMIT 1`,
  `INSERT INTO posting (member_id, id, at, type, amount, available, external, available_after, held_after, stakes_after,
    fund_after, pnl_after, ref_kind, ref_id)
    SELECT member_id, max(id) + 1, 1, 'deposit', 100, 100, -100, 100, 0, 0, 0, 0, 'deposit', 'x' FROM posting GROUP BY 1`,
  `INSERT INTO posting (member_id, id, at, type, amount, available, available_after, held_after, stakes_after,
    fund_after, pnl_after, ref_kind, ref_id)
    SELECT member_id, max(id) + 1, 1, 'deposit', 100, 100, 100, 0, 0, 0, 0, 'deposit', 'x' FROM posting GROUP BY 1`,
  `UPDATE orders SET status = 'won', payout = 99999, version = version + 1`,
  `UPDATE orders SET rate_bp = 1, version = version + 1`,
  `UPDATE orders SET direction = 'down', version = version + 1`,
  `UPDATE orders SET amount = 1, version = version + 1`,
  `UPDATE orders SET close_at = close_at + 1000, seconds = seconds + 1, version = version + 1`,
  `UPDATE orders SET entry_price = entry_price + 1, version = version + 1 WHERE entry_seq IS NOT NULL`,
  `UPDATE orders SET exit_price = exit_price + 1, version = version + 1 WHERE exit_seq IS NOT NULL`,
  `UPDATE orders SET member_id = 'x', version = version + 1`,
  `UPDATE orders SET product_id = 'XAUUSD', version = version + 1`,
  `INSERT INTO orders SELECT (o).* FROM (SELECT o FROM orders o WHERE settled_at IS NOT NULL LIMIT 1) s`,
  `INSERT INTO hold_resolution SELECT 'none', 'voided', 1`,
  `UPDATE fund_account SET confirmed = confirmed + 100`,
  `INSERT INTO tick_batch SELECT id, at, data, term FROM tick_batch LIMIT 1`,
  `INSERT INTO tick_chunk SELECT 999, 1, 1, 1, 1, '\\x00', '\\x00', '\\x00'`,
]

/** Tries every writing statement on every table of prices, money or results; one that succeeds is a violation. */
export async function forgeRows(database: Database): Promise<CheckReport> {
  const violations: string[] = []
  const tables = [...marketTables, ...protectedTables]
  const statements = [
    ...(await Promise.all(tables.map((table) => writesTo(database, table)))).flat(),
    ...forgeries,
  ]
  for (const statement of statements) {
    const client = await database.pool.connect()
    try {
      await client.query('BEGIN')
      const { rowCount } = await client.query(statement)
      await client.query('SET CONSTRAINTS ALL IMMEDIATE')
      // A statement that matches no row proves nothing.
      violations.push(`${rowCount === 0 ? 'matched no row' : 'accepted'}: ${statement}`)
    } catch (error) {
      const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
      // Class 23 is an integrity constraint. Any other error means that the statement does not fit the table.
      if (typeof code !== 'string' || !code.startsWith('23'))
        violations.push(`${String(error)}: ${statement}`)
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  }
  return { tried: statements.length, violations }
}

/** Empty tables are tried only with TRUNCATE, because row triggers do not run there. */
async function writesTo(database: Database, table: string): Promise<string[]> {
  const { rows } = await database.pool.query(`SELECT FROM ${table} LIMIT 1`)
  const columns = await database.pool.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND is_identity = 'NO'`,
    [table],
  )
  const updates = columns.rows.map(({ name }) => `UPDATE ${table} SET "${name}" = "${name}"`)
  const perRow = rows.length > 0 ? [...updates, `DELETE FROM ${table}`] : []
  return [...perRow, `TRUNCATE ${table} CASCADE`]
}

/** Sockets of members of every level and of visitors subscribe: each must receive the same prices in the same order. */
export async function checkSamePrices(
  venue: TickingVenue,
  count: number,
  seconds: number,
): Promise<CheckReport> {
  const members = await Promise.all([1, 2, 3, 4, 5].map(() => venue.registerMember()))
  for (const [i, { id }] of members.entries()) {
    await venue.office('POST', `/members/${id}/level`, { body: { level: i + 1 } })
  }
  const sockets: Socket[] = []
  const finish: (() => string)[] = []
  const received: string[] = []
  try {
    for (let i = 0; i < count; i++) {
      const member = members[i % (members.length + 1)]
      const socket = io((await venue.listen()).url, {
        transports: ['websocket'],
        forceNew: true,
        reconnection: false,
        ...(member && { extraHeaders: { cookie: `sid=${member.sid}` } }),
      })
      sockets.push(socket)
      const hash = createHash('sha256')
      for (const event of ['ticks', 'figures', 'feed']) {
        socket.on(event, (payload: unknown) => hash.update(`${event}${JSON.stringify(payload)}`))
      }
      await new Promise<void>((resolve) => socket.once('hello', () => resolve()))
      await socket.emitWithAck('subscribe', { products: ['BTCUSDT', 'XAUUSD'] })
      finish.push(() => hash.digest('hex'))
    }
    await venue.clock.advance(seconds * 1000)
    for (const socket of sockets) await socket.emitWithAck('clock', 0)
    received.push(...finish.map((end) => end()))
  } finally {
    for (const socket of sockets) socket.disconnect()
  }
  const [first] = received
  const emptyHash = createHash('sha256').digest('hex')
  const violations = received.flatMap((hash, i) =>
    hash === first && hash !== emptyHash ? [] : [`socket ${i} received other prices`],
  )
  return { tried: received.length, violations }
}
