import type { Pool } from 'pg'
import type { LedgerEntry } from '../../../contract/session.ts'
import type { Assets } from '../../../contract/session.ts'
import type { Withdrawal } from '../../../contract/wallet.ts'
import { cents, newKey } from '../stranger.ts'
import type { Intent, Trader } from './trader.ts'

/** What was found broken, in words; a promise that held adds nothing. */
export type Faults = { lost: string[]; doubled: string[]; halfWritten: string[]; unresolved: string[] }
export const noFaults = (): Faults => ({ lost: [], doubled: [], halfWritten: [], unresolved: [] })

/** A member's books as far as they were read, so that each restart reads what is new. */
export type Book = { version: number; available: number; fund: number }

type List<T> = { items: T[]; nextCursor: string | null }
const pollMs = 40
const resolvedWithinMs = 30_000

/**
 * Asks a venue that was killed and started again about everything that one member had sent: acknowledged answers must
 * come again byte by byte, unanswered calls are sent again under their keys, every hold must come to its end, and the
 * capital record must hold each effect once and nothing else.
 */
export async function auditMember(trader: Trader, book: Book, faults: Faults): Promise<Intent[]> {
  const intents = trader.sent.splice(0)
  for (const intent of intents) await sendAgain(trader, intent, faults)
  await untilResolved(trader, faults)
  const effects = await cancelOpen(trader, intents)
  await readRecord(trader, book, effects, faults)
  return intents
}

async function sendAgain(trader: Trader, intent: Intent, { lost }: Faults): Promise<void> {
  const { path, body, key, answer } = intent
  const again = await trader.browser().pay<{ id: string }>(path, body, key)
  if (again.status >= 500) throw new Error(`${path}: ${again.status} ${again.text}`)
  if (answer === null) intent.answer = again
  else if (answer.status < 300 && (again.text !== answer.text || !again.replayed)) {
    lost.push(`${path} ${key}: ${answer.text} is now ${again.status} ${again.text}`)
  }
}

/** Orders settle by themselves: none may stay open. */
async function untilResolved(trader: Trader, { unresolved }: Faults): Promise<void> {
  const deadline = Date.now() + resolvedWithinMs
  for (;;) {
    const open = await trader.browser().get<List<{ id: string }>>('/api/orders?tab=positions&limit=1')
    if (open.body.items.length === 0) return
    if (Date.now() > deadline) return void unresolved.push(`order ${open.body.items[0]?.id}`)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** Withdrawals that nobody cancelled are cancelled now; all ids that this round's calls gave, by what made them. */
async function cancelOpen(trader: Trader, intents: readonly Intent[]): Promise<Map<string, string[]>> {
  const made = new Map<string, string[]>()
  for (const { path, answer } of intents) {
    if (answer === null || answer.status >= 300 || path.endsWith('/cancel')) continue
    made.set(path, [...(made.get(path) ?? []), answer.body.id])
  }
  const ids = new Set(made.get('/api/withdrawals'))
  const listed = await trader.browser().get<List<Withdrawal>>('/api/withdrawals?limit=100')
  for (const { id, status } of listed.body.items) {
    if (ids.has(id) && status === 'under_review') {
      await trader.browser().pay(`/api/withdrawals/${id}/cancel`, undefined, newKey())
    }
  }
  return made
}

/** The entries that each kind of effect leaves in the capital record, once each. */
const entriesOf: Record<string, readonly (readonly string[])[]> = {
  '/api/orders': [['stake'], ['payout', 'refund']],
  '/api/deposits': [['deposit']],
  '/api/withdrawals': [['withdrawal_hold'], ['withdrawal_returned']],
  '/api/fund/deposits': [['fund_in']],
}

async function readRecord(
  trader: Trader,
  book: Book,
  made: ReadonlyMap<string, string[]>,
  faults: Faults,
): Promise<void> {
  const entries = await newEntries(trader, book.version)
  const times = new Map<string, number>()
  for (const { id, type, amount, balanceAfter, ref } of entries) {
    book.version += 1
    book.available += cents(amount) - (type === 'fund_earning' ? cents(amount) : 0)
    if (type === 'fund_earning') book.fund += cents(amount)
    if (type === 'fund_in') book.fund -= cents(amount)
    if (Number(id) !== book.version || cents(balanceAfter) !== book.available) {
      faults.halfWritten.push(`entry ${id}: ${type} ${amount}, ${balanceAfter} after it`)
    }
    const slot = `${type === 'refund' ? 'payout' : type} ${ref.id}`
    times.set(slot, (times.get(slot) ?? 0) + 1)
  }
  for (const [path, ids] of made) {
    for (const slots of entriesOf[path] ?? []) {
      for (const id of ids) {
        const slot = `${slots[0]} ${id}`
        const found = times.get(slot) ?? 0
        times.delete(slot)
        if (found === 0) faults.lost.push(`${slot} has no entry`)
        if (found > 1) faults.doubled.push(`${slot} has ${found} entries`)
      }
    }
  }
  for (const slot of times.keys()) {
    if (!/^(grant|fund_earning) /.test(slot)) faults.doubled.push(`${slot} was never asked for`)
  }
  const { body: assets } = await trader.browser().get<Assets>('/api/me/assets')
  const held = [assets.version, cents(assets.available), cents(assets.fund)]
  if (held.join() !== [book.version, book.available, book.fund].join()) {
    faults.halfWritten.push(`assets ${JSON.stringify(assets)}, the record says ${JSON.stringify(book)}`)
  }
  if (assets.held !== '0.00' || assets.openStakes !== '0.00') {
    faults.unresolved.push(`held ${assets.held}, stakes ${assets.openStakes}`)
  }
}

/** Oldest first, from the version that is known on. */
async function newEntries(trader: Trader, known: number): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: List<LedgerEntry> = (
      await trader
        .browser()
        .get<List<LedgerEntry>>(
          `/api/me/ledger?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        )
    ).body
    entries.push(...page.items.filter(({ id }) => Number(id) > known))
    cursor = page.items.some(({ id }) => Number(id) <= known) ? null : page.nextCursor
  }
  return entries.toReversed()
}

/** Postings of some kinds, counted by what they are of. Counted once: a count for each row grows with the square. */
const countedOf = (types: string): string => `SELECT member_id, ref_id, count(*) AS n FROM posting
  WHERE type IN (${types}) GROUP BY member_id, ref_id`

/** Rows that one transaction writes together, each without its partner. */
const halves: Record<string, string> = {
  'books that do not sum to zero': `SELECT 1 FROM posting
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

/** Looks for half-written rows in a database whose venue is dead or at rest. */
export async function auditRows(pool: Pool, { halfWritten }: Faults): Promise<void> {
  const names = Object.keys(halves)
  const sql = names.map((name, i) => `EXISTS (${halves[name]}) AS "${i}"`).join(', ')
  const { rows } = await pool.query<Record<string, boolean>>(`SELECT ${sql}`)
  halfWritten.push(...names.filter((_, i) => rows[0]?.[i] === true))
}
