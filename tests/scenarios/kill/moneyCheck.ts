import type { ClientBase, Pool } from 'pg'
import type { LedgerEntry, Assets } from '../../../contract/ledger.ts'
import type { Withdrawal } from '../../../contract/withdrawals.ts'
import { cents, newKey } from '../../support/blackBoxClient.ts'
import type { SentCall, Trader } from './trader.ts'
import { withoutBatch } from '../../support/withoutBatch.ts'

/** Descriptions of broken guarantees, by kind. */
export type Violations = {
  lost: string[]
  doubled: string[]
  halfWritten: string[]
  unresolved: string[]
  /** Results that do not follow from the log by the rule. */
  wrong: string[]
  /** Where the public log did not continue what it had shown. */
  forked: string[]
}
export const noViolations = (): Violations => ({
  lost: [],
  doubled: [],
  halfWritten: [],
  unresolved: [],
  wrong: [],
  forked: [],
})

/** How far a member's ledger has been read, so that each audit reads only what is new. */
export type LedgerPosition = { version: number; available: number; fund: number }

type List<T> = { items: T[]; nextCursor: string | null }
const pollMs = 40
const resolvedWithinMs = 30_000

/**
 * Audits a restarted venue for one member. Acknowledged requests must return the same bytes again, unanswered requests
 * are repeated under their keys, every hold must be resolved, and the capital record must have each effect once and
 * nothing else.
 */
export async function checkMember(
  trader: Trader,
  position: LedgerPosition,
  violations: Violations,
): Promise<SentCall[]> {
  const calls = trader.sent.splice(0)
  for (const call of calls) await resend(trader, call, violations)
  await waitUntilSettled(trader, violations)
  const effects = await cancelOpen(trader, calls)
  await checkLedger(trader, position, effects, violations)
  return calls
}

async function resend(trader: Trader, call: SentCall, { lost }: Violations): Promise<void> {
  const { path, body, key, answer } = call
  const repeated = await trader.client().postWithKey<{ id: string }>(path, body, key)
  if (repeated.status >= 500) throw new Error(`${path}: ${repeated.status} ${repeated.text}`)
  // A failure of the venue says nothing about the outcome.
  if (answer === null || answer.status >= 500) call.answer = repeated
  else if (
    answer.status < 300 &&
    !(repeated.replayed && withoutBatch(repeated.text) === withoutBatch(answer.text))
  ) {
    lost.push(`${path} ${key}: ${answer.text} is now ${repeated.status} ${repeated.text}`)
  }
}

/** Orders settle by themselves; none may stay open. */
async function waitUntilSettled(trader: Trader, { unresolved }: Violations): Promise<void> {
  const deadline = Date.now() + resolvedWithinMs
  for (;;) {
    const open = await trader.client().get<List<{ id: string }>>('/api/orders?tab=positions&limit=1')
    if (open.body.items.length === 0) return
    if (Date.now() > deadline) return void unresolved.push(`order ${open.body.items[0]?.id}`)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** Cancels withdrawals that are still under review. Returns the ids that this round created, by path. */
async function cancelOpen(trader: Trader, calls: readonly SentCall[]): Promise<Map<string, string[]>> {
  const created = new Map<string, string[]>()
  for (const { path, answer } of calls) {
    if (answer === null || answer.status >= 300 || path.endsWith('/cancel')) continue
    created.set(path, [...(created.get(path) ?? []), answer.body.id])
  }
  const ids = new Set(created.get('/api/withdrawals'))
  const listed = await trader.client().get<List<Withdrawal>>('/api/withdrawals?limit=100')
  for (const { id, status } of listed.body.items) {
    if (ids.has(id) && status === 'under_review') {
      await trader.client().postWithKey(`/api/withdrawals/${id}/cancel`, undefined, newKey())
    }
  }
  return created
}

/** The entries of each kind of effect in the capital record, once each. */
const expectedEntries: Record<string, readonly (readonly string[])[]> = {
  '/api/orders': [['stake'], ['payout', 'refund']],
  '/api/deposits': [['deposit']],
  '/api/withdrawals': [['withdrawal_hold'], ['withdrawal_returned']],
  '/api/fund/deposits': [['fund_in']],
}

async function checkLedger(
  trader: Trader,
  position: LedgerPosition,
  created: ReadonlyMap<string, string[]>,
  violations: Violations,
): Promise<void> {
  const entries = await newEntries(trader, position.version)
  const times = new Map<string, number>()
  for (const { id, type, amount, balanceAfter, ref } of entries) {
    position.version += 1
    position.available += cents(amount) - (type === 'fund_earning' ? cents(amount) : 0)
    if (type === 'fund_earning') position.fund += cents(amount)
    if (type === 'fund_in') position.fund -= cents(amount)
    if (Number(id) !== position.version || cents(balanceAfter) !== position.available) {
      violations.halfWritten.push(`entry ${id}: ${type} ${amount}, ${balanceAfter} after it`)
    }
    const slot = `${type === 'refund' ? 'payout' : type} ${ref.id}`
    times.set(slot, (times.get(slot) ?? 0) + 1)
  }
  for (const [path, ids] of created) {
    for (const slots of expectedEntries[path] ?? []) {
      for (const id of ids) {
        const slot = `${slots[0]} ${id}`
        const count = times.get(slot) ?? 0
        times.delete(slot)
        if (count === 0) violations.lost.push(`${slot} has no entry`)
        if (count > 1) violations.doubled.push(`${slot} has ${count} entries`)
      }
    }
  }
  for (const slot of times.keys()) {
    if (!/^(grant|fund_earning) /.test(slot)) violations.doubled.push(`${slot} was never requested`)
  }
  const { body: assets } = await trader.client().get<Assets>('/api/me/assets')
  const shown = [assets.version, cents(assets.available), cents(assets.fund)]
  if (shown.join() !== [position.version, position.available, position.fund].join()) {
    violations.halfWritten.push(
      `assets ${JSON.stringify(assets)}, the capital record has ${JSON.stringify(position)}`,
    )
  }
  if (assets.held !== '0.00' || assets.openStakes !== '0.00') {
    violations.unresolved.push(`held ${assets.held}, stakes ${assets.openStakes}`)
  }
}

/** Entries after the known version, oldest first. */
async function newEntries(trader: Trader, known: number): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: List<LedgerEntry> = (
      await trader
        .client()
        .get<List<LedgerEntry>>(
          `/api/me/ledger?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        )
    ).body
    entries.push(...page.items.filter(({ id }) => Number(id) > known))
    cursor = page.items.some(({ id }) => Number(id) <= known) ? null : page.nextCursor
  }
  return entries.toReversed()
}

/** Postings of some types, counted by reference in one pass: a count for each row grows with the square. */
const countedOf = (types: string): string => `SELECT member_id, ref_id, count(*) AS n FROM posting
  WHERE type IN (${types}) GROUP BY member_id, ref_id`

/** Rows that one transaction writes together, but of which one is missing. */
const partialWrites: Record<string, string> = {
  'a ledger that does not sum to zero': `SELECT 1 FROM posting
    HAVING sum(available + held + stakes + fund + house + grants + external) <> 0`,
  'a balance below zero': 'SELECT 1 FROM posting WHERE available_after < 0',
  'a balance that is not its postings': `SELECT 1 FROM balance b JOIN (SELECT member_id, sum(available) AS a, sum(held) AS h,
      sum(stakes) AS s, sum(fund) AS f, count(*) AS n FROM posting GROUP BY member_id) p USING (member_id)
    WHERE (b.available, b.held, b.stakes, b.fund, b.version) <> (p.a, p.h, p.s, p.f, p.n)`,
  'an order without its stake': `SELECT 1 FROM orders o LEFT JOIN (${countedOf("'stake'")}) p
    ON p.member_id = o.member_id AND p.ref_id = o.id WHERE coalesce(p.n, 0) <> 1`,
  'an order without its answer': `SELECT 1 FROM orders o WHERE NOT EXISTS (SELECT FROM idempotency i
    WHERE i.member_id = o.member_id AND i.key = o.key)`,
  'an order and its result apart': `SELECT 1 FROM orders o LEFT JOIN (${countedOf("'payout', 'refund'")}) p
    ON p.member_id = o.member_id AND p.ref_id = o.id
    WHERE coalesce(p.n, 0) <> CASE WHEN o.settled_at IS NULL THEN 0 ELSE 1 END`,
  'a result without its message, or with two': `SELECT 1 FROM orders o
    LEFT JOIN (SELECT link, count(*) AS n FROM message GROUP BY link) m ON m.link = 'pages/order/detail?id=' || o.id
    LEFT JOIN (SELECT e.id, count(*) AS n FROM result_outbox b, jsonb_array_elements_text(b.order_ids) AS e (id)
      GROUP BY e.id) w ON w.id = o.id
    WHERE coalesce(m.n, 0) + coalesce(w.n, 0) <> CASE WHEN o.settled_at IS NULL THEN 0 ELSE 1 END`,
  'a posting without its order': `SELECT 1 FROM posting p WHERE ref_kind = 'order'
    AND NOT EXISTS (SELECT FROM orders o WHERE o.id = p.ref_id)`,
  'a withdrawal and its hold apart': `SELECT 1 FROM withdrawal w FULL JOIN hold h ON h.id = w.hold_id
      LEFT JOIN hold_resolution r ON r.hold_id = h.id
    WHERE w.id IS NULL OR h.id IS NULL OR (w.status = 'under_review') <> (r.hold_id IS NULL)`,
  'a deposit without its money': `SELECT 1 FROM deposit d LEFT JOIN (${countedOf("'deposit'")}) p
    ON p.member_id = d.member_id AND p.ref_id = d.id WHERE coalesce(p.n, 0) <> 1`,
  'a fund whose lots are not its money': `SELECT 1 FROM balance b WHERE b.fund <> coalesce(
    (SELECT sum(remaining) FROM fund_lot l WHERE l.member_id = b.member_id), 0)`,
}

/** Looks for half-written rows in a database whose venue is stopped or idle. */
export async function checkStoredRows(pool: Pool | ClientBase, { halfWritten }: Violations): Promise<void> {
  const names = Object.keys(partialWrites)
  const sql = names.map((name, i) => `EXISTS (${partialWrites[name]}) AS "${i}"`).join(', ')
  const { rows } = await pool.query<Record<string, boolean>>(`SELECT ${sql}`)
  halfWritten.push(...names.filter((_, i) => rows[0]?.[i] === true))
}
