import { everybody, newestFlush, post, type Row, type Session } from '../../scenarios/safety/attackParts.ts'
import { personAttacks, type PersonTargets } from '../../scenarios/safety/personAttacks.ts'
import { twoPersonAttacks, type TwoPersonTargets } from '../../scenarios/safety/twoPersonAttacks.ts'

/** What somebody tries over a connection of a run role: statements of one transaction, all of which must not pass. */
export type RoleAttack = { act: string; statements: readonly string[]; roles: readonly Session[] }

/** The rows that the attacks are about; each exists. */
export type Targets = {
  /** Has orders and a withdrawal under review. */
  member: string
  /** Has a share in the fund. */
  other: string
  openOrder: string
  /** Its close has passed, and nobody has settled it. */
  dueOrder: string
  settledOrder: string
  withdrawal: string
} & TwoPersonTargets &
  PersonTargets

const setResult = (order: string, set: string, payout: string): string =>
  `UPDATE orders SET ${set}, payout = ${payout}, version = version + 1 WHERE id = '${order}'`

/** Settles an order as the engine does, order and posting in one statement. */
function settle(...result: Parameters<typeof setResult>): string {
  return `WITH o AS (${setResult(...result)} RETURNING *),
    b AS (UPDATE balance b SET available = b.available + o.payout, stakes = b.stakes - o.amount,
      pnl = b.pnl + o.payout - o.amount, version = b.version + 1 FROM o WHERE b.member_id = o.member_id RETURNING b.*)
    INSERT INTO posting (member_id, id, at, type, amount, available, stakes, house, pnl, available_after, held_after,
      stakes_after, fund_after, pnl_after, ref_kind, ref_id)
    SELECT b.member_id, b.version, o.settled_at, CASE o.status WHEN 'refunded' THEN 'refund' ELSE 'payout' END, o.payout,
      o.payout, -o.amount, o.amount - o.payout, o.payout - o.amount, b.available, b.held, b.stakes, b.fund, b.pnl,
      'order', o.id FROM b, o`
}

/** A new order from an old one, with the expressions of `change` in place of its columns. */
const copyOrder = (of: string, id: string, change: Record<string, string> = {}): string => {
  const at = change['accepted_at'] ?? newestFlush
  const copied = ['member_id', 'product_id', 'direction', 'amount', 'seconds', 'rate_bp', ...sharedTerms]
  const values = copied.map((column) => change[column] ?? column)
  return `INSERT INTO orders (id, no, key, accepted_at, valid_until, close_at, status, ${copied.join()})
    SELECT '${id}', '${id}', '${id}', ${at}, ${at}, ${at} + (${change['seconds'] ?? 'seconds'}) * 1000::bigint, 'accepted',
      ${values.join()} FROM orders WHERE id = '${of}'`
}
const sharedTerms = [
  'rule',
  'price_decimals',
  'entry_timeout_ms',
  'max_tick_gap_ms',
  'entry_delay_ms',
  'exit_window_ms',
  'exit_cut_bp',
  'exit_min_ticks',
  'source',
]
export const placeOrder = (
  target: Targets,
  id: string,
  change: Record<string, string> = {},
  stake = 'o.amount',
): string =>
  `WITH o AS (${copyOrder(target.openOrder, id, change)} RETURNING *),
    b AS (UPDATE balance b SET available = b.available - ${stake}, stakes = b.stakes + ${stake}, version = b.version + 1
      FROM o WHERE b.member_id = o.member_id RETURNING b.*)
    INSERT INTO posting (member_id, id, at, type, amount, available, stakes, available_after, held_after, stakes_after,
      fund_after, pnl_after, ref_kind, ref_id)
    SELECT b.member_id, b.version, o.accepted_at, 'stake', -${stake}, -${stake}, ${stake}, b.available, b.held, b.stakes,
      b.fund, b.pnl, 'order', o.id FROM b, o`

/** What rule R1 gives: the last tick up to the close. */
function ruleOf(order: string): Parameters<typeof setResult> {
  const exit = `FROM tick_batch t, flush_blocks(t.at, t.data) f JOIN feed_product p ON p.ix = f.ix,
    unnest(f.ats, f.prices) WITH ORDINALITY tick (at, price, n)
    WHERE p.id = product_id AND tick.at <= close_at ORDER BY f.seq0 + n DESC LIMIT 1`
  const isWon = `(tick.price > entry_price) = (direction = 'up')`
  return [
    order,
    `settled_at = close_at, (status, exit_seq, exit_at, exit_price) = (SELECT CASE WHEN tick.price = entry_price THEN 'tied'
      WHEN ${isWon} THEN 'won' ELSE 'lost' END, f.seq0 + n - 1, tick.at, tick.price ${exit})`,
    `(SELECT CASE WHEN tick.price = entry_price THEN amount WHEN ${isWon} THEN amount + amount * rate_bp / 10000 ELSE 0 END
      ${exit})`,
  ]
}

/** Settles an order as the rule does. */
export const settleByRule = (order: string): string => settle(...ruleOf(order))

/** Pays a withdrawal of 10.00 as the office does. */
export const payWithdrawal = (withdrawal: string, member: string): readonly string[] => [
  `UPDATE withdrawal SET status = 'successful', ended_as = 'paid', decided_at = 1, decided_by = 'x',
    version = version + 1 WHERE id = '${withdrawal}'`,
  `INSERT INTO hold_resolution SELECT hold_id, 'posted', 1 FROM withdrawal WHERE id = '${withdrawal}'`,
  post({
    type: 'withdrawal_paid',
    kind: 'withdrawal',
    ref: withdrawal,
    amount: 0,
    held: -1000,
    external: 1000,
    member,
  }),
  `INSERT INTO audit (at, actor, act, subject_kind, subject_id) VALUES (1, 'x', 'pay', 'withdrawal', '${withdrawal}')`,
]

/** The member cancels it. */
export const cancelWithdrawal = (withdrawal: string, member: string): readonly string[] => [
  `UPDATE withdrawal SET status = 'failed', ended_as = 'cancelled', reason = 'x', decided_at = 1, decided_by = 'x',
    version = version + 1 WHERE id = '${withdrawal}'`,
  `INSERT INTO hold_resolution SELECT hold_id, 'voided', 1 FROM withdrawal WHERE id = '${withdrawal}'`,
  post({
    type: 'withdrawal_returned',
    kind: 'withdrawal',
    ref: withdrawal,
    available: 1000,
    held: -1000,
    member,
  }),
]

/** What neither of two transactions may do alone. */
export const fundSkew = (member: string): readonly [string, string] => [
  `UPDATE fund_account SET confirmed = confirmed + 100 WHERE member_id = '${member}'`,
  post({ type: 'fund_in', kind: 'fund_deposit', ref: 'none', available: -100, fund: 100, member }),
]

/** Over the ticks that were logged last. */
const newestGap = `INSERT INTO feed_gap SELECT f.ix, f.ats[1] - 1, t.at FROM (
    SELECT t.* FROM tick_batch t, flush_blocks(t.at, t.data) f WHERE f.ix = 1 AND f.hash IS NOT NULL ORDER BY id DESC LIMIT 1
  ) t, flush_blocks(t.at, t.data) f WHERE f.ix = 1`

const ticks: readonly Row[] = [
  [
    'write a tick before the newest',
    everybody,
    `INSERT INTO tick_batch SELECT id + 1, at - 1, data, term FROM tick_batch ORDER BY id DESC LIMIT 1`,
  ],
  [
    'write a tick with a number left out',
    everybody,
    `INSERT INTO tick_batch SELECT id + 2, at, data, term FROM tick_batch ORDER BY id DESC LIMIT 1`,
  ],
  [
    'write a tick in another term',
    everybody,
    `INSERT INTO tick_batch SELECT id + 1, at, data, term + 1 FROM tick_batch ORDER BY id DESC LIMIT 1`,
  ],
  ['change a tick', everybody, `UPDATE tick_batch SET data = ''`],
  [
    'change a tick',
    everybody,
    `INSERT INTO tick_batch SELECT id, at, '', term FROM tick_batch ON CONFLICT (id) DO UPDATE SET data = ''`,
  ],
  [
    'change a tick',
    everybody,
    `MERGE INTO tick_batch t USING tick_batch s ON t.id = s.id WHEN MATCHED THEN UPDATE SET data = ''`,
  ],
  ['delete a tick', everybody, `DELETE FROM tick_batch`],
  ['delete a tick', everybody, `SET LOCAL uptick.prune = 'on'`, `DELETE FROM tick_batch`],
  ['delete a tick', everybody, `TRUNCATE tick_batch`],
  ['delete a tick', ['calls', 'office'], `SELECT compact_flushes(1)`],
  ['delete a tick', ['calls', 'office'], `SELECT prune_chunks(1, '{1}')`],
  ['copy ticks from a file', everybody, `COPY tick_batch FROM '/tmp/ticks'`],
  ['copy ticks from a program', everybody, `COPY tick_batch FROM PROGRAM 'true'`],
  [
    'write a chunk that no flush has',
    everybody,
    `INSERT INTO tick_chunk SELECT 1, 1, 1, 1, 1, decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex'), '\\x00'`,
  ],
  [
    'write a gap over covered time',
    everybody,
    `INSERT INTO feed_gap SELECT 1, max(at) - 2000, max(at) - 1000 FROM tick_batch`,
  ],
  [
    'write a gap over covered time',
    everybody,
    `INSERT INTO product_state SELECT id, false FROM feed_product WHERE ix = 1
      ON CONFLICT (id) DO UPDATE SET maintenance = excluded.maintenance`,
    `INSERT INTO feed_gap SELECT 1, max(at) - 2000, max(at) FROM tick_batch`,
  ],
  ['write a gap over the ticks of the newest flush', everybody, newestGap],
  [
    'write a gap of tomorrow',
    everybody,
    `INSERT INTO feed_gap SELECT 1, max(at), (extract(epoch FROM clock_timestamp()) * 1000)::bigint + 86400000
      FROM tick_batch`,
  ],
  ['take back a gap', everybody, `DELETE FROM feed_gap`],
  ['give a product another source in the past', everybody, `UPDATE feed_source SET fingerprint = 'x'`],
  ['write a log cut', everybody, `INSERT INTO log_cut SELECT FROM log_cut`],
  ['begin a term', ['calls', 'engine', 'office'], `UPDATE lease SET term = term + 1`],
  ['go back to an earlier term', everybody, `UPDATE lease SET term = term - 1`],
]

const results = ({ openOrder, dueOrder, settledOrder, member, other }: Targets): readonly Row[] => {
  const exit = `exit_seq = entry_seq + 1, exit_at = close_at`
  const refund = (reason: string, at: string): string =>
    settle(openOrder, `status = 'refunded', reason = '${reason}', settled_at = ${at}`, 'amount')
  return [
    [
      'write a result with a price that the log does not have',
      everybody,
      settle(
        dueOrder,
        `status = 'won', ${exit}, exit_price = entry_price + 1, settled_at = close_at`,
        'amount + amount * rate_bp / 10000',
      ),
    ],
    [
      'write a result with the price of another product',
      everybody,
      settle(
        dueOrder,
        `status = 'lost', settled_at = close_at, (exit_seq, exit_at, exit_price) = (SELECT f.seq0, f.ats[1], f.prices[1]
          FROM tick_batch t, flush_blocks(t.at, t.data) f JOIN feed_product p ON p.ix = f.ix
          WHERE p.id <> product_id AND f.prices[1] < entry_price AND f.seq0 > entry_seq AND f.ats[1] <= close_at LIMIT 1)`,
        '0',
      ),
    ],
    [
      'write a result before the log reaches the close',
      everybody,
      settle(
        openOrder,
        `settled_at = ${newestFlush}, (status, exit_seq, exit_at, exit_price) = (SELECT CASE WHEN f.prices[1] > entry_price
            THEN 'won' ELSE 'lost' END, f.seq0, f.ats[1], f.prices[1]
          FROM tick_batch t, flush_blocks(t.at, t.data) f JOIN feed_product p ON p.ix = f.ix
          WHERE p.id = product_id AND f.prices[1] <> entry_price AND f.seq0 > entry_seq AND f.ats[1] <= close_at LIMIT 1)`,
        `CASE WHEN (SELECT f.prices[1] > entry_price
          FROM tick_batch t, flush_blocks(t.at, t.data) f JOIN feed_product p ON p.ix = f.ix
          WHERE p.id = product_id AND f.prices[1] <> entry_price AND f.seq0 > entry_seq AND f.ats[1] <= close_at LIMIT 1)
          THEN amount + amount * rate_bp / 10000 ELSE 0 END`,
      ),
    ],
    [
      'refund what the log decides',
      everybody,
      settle(dueOrder, `status = 'refunded', reason = 'FEED_DOWN', settled_at = close_at`, 'amount'),
    ],
    ['settle without the posting', everybody, setResult(...ruleOf(dueOrder))],
    ['refund for a gap that there is not', everybody, refund('FEED_DOWN', 'close_at')],
    [
      'refund for a gap that it writes',
      everybody,
      newestGap,
      settle(dueOrder, `status = 'refunded', reason = 'FEED_DOWN', settled_at = close_at`, 'amount'),
      settle(openOrder, `status = 'refunded', reason = 'FEED_DOWN', settled_at = close_at`, 'amount'),
    ],
    [
      'refund for five minutes without prices that have not passed',
      everybody,
      refund('FEED_DOWN', 'close_at + 300000'),
    ],
    ['refund for another source', everybody, refund('SOURCE_CHANGED', 'close_at')],
    ['refund for an entry that is missing', everybody, refund('NO_ENTRY', 'close_at')],
    [
      'refund for one tick that there is not',
      everybody,
      settle(
        openOrder,
        `status = 'refunded', reason = 'ONE_TICK', settled_at = close_at, exit_seq = entry_seq + 1,
        exit_at = close_at, exit_price = entry_price`,
        'amount',
      ),
    ],
    [
      'change a result',
      everybody,
      `UPDATE orders SET status = 'won', version = version + 1 WHERE id = '${settledOrder}'`,
    ],
    [
      'change a result',
      everybody,
      settle(settledOrder, `status = 'refunded', reason = 'FEED_DOWN', settled_at = close_at`, 'amount'),
    ],
    ['delete a result', everybody, `DELETE FROM orders`],
    ['delete a result', everybody, `TRUNCATE orders`],
    [
      'change an entry',
      everybody,
      `UPDATE orders SET entry_price = entry_price + 1, version = version + 1 WHERE id = '${openOrder}'`,
    ],
    [
      'change a direction',
      everybody,
      `UPDATE orders SET direction = CASE direction WHEN 'up' THEN 'down' ELSE 'up' END, version = version + 1`,
    ],
    [
      'change an owner',
      everybody,
      `UPDATE orders SET member_id = '${other}', version = version + 1 WHERE member_id = '${member}'`,
    ],
    ['write one member’s rate', everybody, `UPDATE orders SET rate_bp = rate_bp + 1, version = version + 1`],
    [
      'add an order that is settled',
      everybody,
      `INSERT INTO orders SELECT (o).* FROM (SELECT o FROM orders o WHERE id = '${settledOrder}') s ON CONFLICT DO NOTHING`,
    ],
    [
      'lower a tally of outcomes',
      everybody,
      `UPDATE outcome_tally SET lost = 0, won = 0, tied = 0, refunded = 0, rate_sum = 0`,
    ],
    ['delete a tally of outcomes', everybody, `DELETE FROM outcome_tally`],
  ]
}

/** Whole orders with their stakes, of which only a term is not the product's; and terms for such an order. */
function terms(target: Targets): readonly Row[] {
  const orders: readonly (readonly [act: string, change: Record<string, string>])[] = [
    ['place an order at a higher rate', { rate_bp: 'rate_bp + 1' }],
    ['place an order at a lower rate', { rate_bp: 'rate_bp - 1' }],
    ['place an order of another duration', { seconds: 'seconds + 1' }],
    ['place an order of another duration', { seconds: '1' }],
    ['place an order of another product', { product_id: `'NONE'` }],
    ['place an order on another source', { source: `'forged'` }],
    ['place an order below the least stake', { amount: '99' }],
    ['place an order with other decimals', { price_decimals: 'price_decimals + 1' }],
    ['place an order that waits longer for its entry', { entry_timeout_ms: 'entry_timeout_ms + 1' }],
    ['place an order that takes an older exit', { max_tick_gap_ms: 'max_tick_gap_ms + 1' }],
    [
      'place an order by another rule',
      { rule: `'R2'`, entry_delay_ms: '0', exit_window_ms: '1000', exit_cut_bp: '0', exit_min_ticks: '1' },
    ],
  ]
  const newTerms = (since: string): string =>
    `INSERT INTO product_terms SELECT (jsonb_populate_record(t, jsonb_build_object('rate_bp', 9999, 'since_at', ${since}))).*
      FROM product_terms t LIMIT 1`
  return [
    ...orders.map(([act, change]): Row => [act, everybody, placeOrder(target, 'forged', change)]),
    ['write the terms of a product', ['calls', 'office'], newTerms(newestFlush)],
    ['write terms into the past', everybody, newTerms(`${newestFlush} - 1`)],
    ['write terms before others', everybody, newTerms('since_at')],
    ['change the terms of a product', everybody, `UPDATE product_terms SET rate_bp = 9999`],
    ['delete the terms of a product', everybody, `DELETE FROM product_terms`],
    ['delete the terms of a product', everybody, `TRUNCATE product_terms`],
  ]
}

const money = (target: Targets): readonly Row[] => {
  const { openOrder, settledOrder, withdrawal, member, other } = target
  const deposit = { type: 'deposit', kind: 'deposit', available: 100, external: -100 }
  const paid = { type: 'withdrawal_paid', kind: 'withdrawal', amount: 0, held: -1000, external: 1000, member }
  const returned = { type: 'withdrawal_returned', kind: 'withdrawal', available: 1000, held: -1000, member }
  const payout = { type: 'payout', kind: 'order', member }
  const forgedDeposit = (id: string, of: string): string =>
    `INSERT INTO deposit (id, no, member_id, method_id, amount, status, created_at, created_on, decided_at)
      VALUES ('${id}', '${id}', '${of}', 'practice', 100, 'successful', 1, '', 1)`
  const earn = (change: { confirmed?: string; day?: string; per10k?: string } = {}): string[] => {
    const { confirmed = 'f.confirmed', day = `'2020-01-01'`, per10k = `fund_rate_of(${day})` } = change
    return [
      `INSERT INTO fund_rate VALUES (${day}, ${per10k}) ON CONFLICT DO NOTHING`,
      `INSERT INTO fund_earning (member_id, on_day, amount, confirmed, per10k, carried, at)
        SELECT f.member_id, r.on_day, div(${confirmed}::numeric * r.per10k + f.carried, 100000000), ${confirmed}, r.per10k,
          mod(${confirmed}::numeric * r.per10k + f.carried, 100000000), 1
        FROM fund_account f, fund_rate r WHERE f.member_id = '${other}' AND r.on_day = ${day}`,
    ]
  }
  const earned = (day: string): string[] => [
    `UPDATE fund_account f SET confirmed = f.confirmed + e.amount FROM fund_earning e
      WHERE f.member_id = '${other}' AND e.member_id = f.member_id AND e.on_day = '${day}'`,
    `WITH e AS (SELECT * FROM fund_earning WHERE member_id = '${other}' AND on_day = '${day}'),
      b AS (UPDATE balance b SET fund = b.fund + e.amount, pnl = b.pnl + e.amount, version = b.version + 1 FROM e
        WHERE b.member_id = e.member_id RETURNING b.*)
      INSERT INTO posting (member_id, id, at, type, amount, fund, house, pnl, available_after, held_after, stakes_after,
        fund_after, pnl_after, ref_kind, ref_id)
      SELECT b.member_id, b.version, e.at, 'fund_earning', e.amount, e.amount, -e.amount, e.amount, b.available, b.held,
        b.stakes, b.fund, b.pnl, 'fund_earning', '${day}' FROM b, e`,
  ]
  return [
    ['write a balance', everybody, `UPDATE balance SET available = available + 1`],
    ['write a balance', everybody, `UPDATE balance SET available = available + 1, version = version + 1`],
    [
      'write a balance',
      everybody,
      `INSERT INTO balance (member_id, available) SELECT '${member}', 100 ON CONFLICT (member_id) DO UPDATE SET available = balance.available + 100, version = balance.version + 1`,
    ],
    [
      'write a balance',
      everybody,
      `MERGE INTO balance b USING (SELECT 1) s ON true WHEN MATCHED THEN UPDATE SET available = b.available + 1, version = b.version + 1`,
    ],
    [
      'write a balance',
      everybody,
      `WITH w AS (UPDATE balance SET available = available + 1, version = version + 1 RETURNING 1), v AS (SELECT count(*) FROM w) UPDATE balance SET available = available + 1 FROM v WHERE false`,
    ],
    [
      'go back to an earlier balance',
      everybody,
      `UPDATE balance b SET (available, held, stakes, fund, pnl, version) = (SELECT available_after, held_after, stakes_after, fund_after, pnl_after, p.id FROM posting p WHERE p.member_id = b.member_id AND p.id = 1) WHERE member_id = '${member}'`,
    ],
    ['swap balances', everybody, `UPDATE balance SET member_id = member_id || 'x'`],
    ['delete a balance', everybody, `DELETE FROM balance`],
    ['post money without a cause', everybody, post({ ...deposit, member, ref: 'none' })],
    ['post money that is not balanced', everybody, post({ ...deposit, external: 0, member, ref: 'none' })],
    [
      'post money with a number left out',
      everybody,
      post({ ...deposit, member, ref: 'none', id: 'b.version + 1' }),
    ],
    [
      'post a deposit for another member',
      everybody,
      forgedDeposit('forged', other),
      post({ ...deposit, member, ref: 'forged' }),
    ],
    [
      'post more than a deposit',
      everybody,
      forgedDeposit('forged', member),
      post({ ...deposit, available: 200, external: -200, member, ref: 'forged' }),
    ],
    [
      'post a deposit twice',
      everybody,
      forgedDeposit('forged', member),
      post({ ...deposit, member, ref: 'forged' }),
      post({ ...deposit, member, ref: 'forged' }),
    ],
    [
      'post a deposit twice',
      everybody,
      forgedDeposit('forged', member),
      'SAVEPOINT s',
      post({ ...deposit, member, ref: 'forged' }),
      'RELEASE s',
      'SAVEPOINT s',
      post({ ...deposit, member, ref: 'forged' }),
    ],
    [
      'post a deposit that is taken back',
      everybody,
      'SAVEPOINT s',
      forgedDeposit('forged', member),
      'ROLLBACK TO s',
      post({ ...deposit, member, ref: 'forged' }),
    ],
    ['leave a deposit out', everybody, forgedDeposit('forged', member)],
    [
      'credit a deposit that nobody decided',
      everybody,
      `UPDATE deposit SET status = 'successful', decided_at = 1, decided_by = 'x', version = version + 1 WHERE id = 'waits'`,
      post({ ...deposit, member, ref: 'waits' }),
    ],
    ['raise a deposit', everybody, `UPDATE deposit SET amount = amount + 1, version = version + 1`],
    [
      'post what a check has passed for again',
      everybody,
      forgedDeposit('forged', member),
      post({ ...deposit, member, ref: 'forged' }),
      'SET CONSTRAINTS ALL IMMEDIATE',
      'SET CONSTRAINTS ALL DEFERRED',
      post({ ...deposit, member, ref: 'forged' }),
    ],
    [
      'post practice money twice',
      everybody,
      post({ type: 'grant', kind: 'grant', ref: member, available: 100, grants: -100, member }),
    ],
    [
      'reset with a stake',
      everybody,
      post({ type: 'reset', kind: 'grant', ref: member, available: 100, grants: -100, member }),
    ],
    ['pay a withdrawal that nobody decided', everybody, post({ ...paid, ref: withdrawal })],
    [
      'pay a withdrawal twice',
      everybody,
      `UPDATE withdrawal SET status = 'successful', ended_as = 'paid', decided_at = 1, decided_by = 'x', version = version + 1 WHERE id = '${withdrawal}'`,
      `INSERT INTO hold_resolution SELECT hold_id, 'posted', 1 FROM withdrawal WHERE id = '${withdrawal}'`,
      post({ ...paid, ref: withdrawal }),
      post({ ...paid, held: 0, external: 0, ref: withdrawal }),
    ],
    [
      'pay a withdrawal and return it',
      everybody,
      `UPDATE withdrawal SET status = 'failed', ended_as = 'refused', reason = 'x', decided_at = 1, decided_by = 'x', version = version + 1 WHERE id = '${withdrawal}'`,
      `INSERT INTO hold_resolution SELECT hold_id, 'voided', 1 FROM withdrawal WHERE id = '${withdrawal}'`,
      post({ ...returned, ref: withdrawal }),
      post({ ...paid, ref: withdrawal }),
    ],
    [
      'approve a withdrawal without a row of the act log',
      everybody,
      `UPDATE withdrawal SET approved_at = 1, approved_by = 'x', version = version + 1 WHERE id = '${withdrawal}'`,
    ],
    [
      'approve a withdrawal as anybody but the back office',
      ['calls', 'engine'],
      `UPDATE withdrawal SET approved_at = 1, approved_by = 'x', version = version + 1 WHERE id = '${withdrawal}'`,
      `INSERT INTO audit (at, actor, act, subject_kind, subject_id) VALUES (1, 'x', 'approve', 'withdrawal', '${withdrawal}')`,
    ],
    [
      'end a hold whose withdrawal goes on',
      everybody,
      `INSERT INTO hold_resolution SELECT hold_id, 'voided', 1 FROM withdrawal WHERE id = '${withdrawal}'`,
    ],
    [
      'unbind a withdrawal account without a row of the act log',
      everybody,
      `UPDATE withdrawal_account SET unbound_at = 1, unbound_by = 'x' WHERE member_id = '${member}'`,
    ],
    [
      'let withdrawals rest for ever',
      everybody,
      `UPDATE member SET withdrawals_rest_until = 9000000000000, withdrawals_rest_cause = 'second_factor' WHERE id = '${member}'`,
    ],
    [
      'end a rest of withdrawals',
      everybody,
      `UPDATE member SET withdrawals_rest_until = ${newestFlush} + 1000, withdrawals_rest_cause = 'second_factor' WHERE id = '${member}'`,
      `UPDATE member SET withdrawals_rest_until = NULL, withdrawals_rest_cause = NULL WHERE id = '${member}'`,
    ],
    [
      'raise the amount above which two persons approve',
      everybody,
      `INSERT INTO setting VALUES ('withdrawal_four_eyes_above', '{"above":"1000000.00"}')
        ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    ],
    ['return a withdrawal that nobody decided', everybody, post({ ...returned, ref: withdrawal })],
    [
      'pay a withdrawal as anybody but the back office',
      ['calls', 'engine'],
      `UPDATE withdrawal SET status = 'successful', ended_as = 'paid', decided_at = 1, decided_by = 'x', version = version + 1 WHERE id = '${withdrawal}'`,
      `INSERT INTO hold_resolution SELECT hold_id, 'posted', 1 FROM withdrawal WHERE id = '${withdrawal}'`,
      post({ ...paid, ref: withdrawal }),
    ],
    [
      'decide a withdrawal without its posting',
      everybody,
      `UPDATE withdrawal SET status = 'successful', ended_as = 'paid', decided_at = 1, decided_by = 'x', version = version + 1`,
    ],
    ['raise a withdrawal', everybody, `UPDATE withdrawal SET amount = amount + 1, version = version + 1`],
    [
      'pay to another account',
      everybody,
      `UPDATE withdrawal w SET account_id = (SELECT id FROM withdrawal_account WHERE member_id <> w.member_id LIMIT 1), version = version + 1`,
    ],
    [
      'pay to another account',
      everybody,
      `INSERT INTO withdrawal (id, no, member_id, account_id, account_sealed, amount, hold_id, status, created_at) SELECT 'x', 'x', w.member_id, (SELECT id FROM withdrawal_account WHERE member_id <> w.member_id LIMIT 1), '', 100, 'x', 'under_review', 1 FROM withdrawal w`,
    ],
    ['pay to another account', everybody, `UPDATE withdrawal SET account_sealed = '', version = version + 1`],
    ['change a withdrawal account', everybody, `UPDATE withdrawal_account SET details_sealed = ''`],
    [
      'change a withdrawal account',
      everybody,
      `CREATE TEMP TABLE member (id text, closed_at bigint)`,
      `INSERT INTO member SELECT member_id, 1 FROM withdrawal_account`,
      `UPDATE withdrawal_account SET details_sealed = ''`,
    ],
    ['change a hold', everybody, `UPDATE hold SET amount = 1`],
    [
      'end a hold again',
      everybody,
      `INSERT INTO hold_resolution SELECT hold_id, 'voided', 1 FROM hold_resolution ON CONFLICT (hold_id) DO UPDATE SET outcome = 'voided'`,
    ],
    ['place an order without its stake', everybody, copyOrder(openOrder, 'forged')],
    ['place an order with a smaller stake', everybody, placeOrder(target, 'forged', {}, '1')],
    [
      'place an order in the past',
      everybody,
      placeOrder(target, 'forged', { accepted_at: `(${newestFlush} - 1000)` }),
    ],
    ['post a payout again', everybody, post({ ...payout, available: 100, stakes: -100, ref: settledOrder })],
    [
      'post a payout again',
      everybody,
      `SAVEPOINT s`,
      post({ ...payout, available: 1800, stakes: -1000, house: -800, pnl: 800, ref: openOrder }),
    ],
    [
      'post a stake again',
      everybody,
      post({ ...payout, type: 'stake', available: -1000, stakes: 1000, ref: openOrder }),
    ],
    [
      'post into the fund without a transfer',
      everybody,
      post({ type: 'fund_in', kind: 'fund_deposit', ref: 'none', available: -100, fund: 100, member: other }),
    ],
    ['raise a share of the fund', everybody, `UPDATE fund_account SET confirmed = confirmed + 100`],
    [
      'post an earning without its row',
      everybody,
      post({
        type: 'fund_earning',
        kind: 'fund_earning',
        ref: '2020-01-01',
        amount: 100,
        fund: 100,
        house: -100,
        pnl: 100,
        member: other,
      }),
      `UPDATE fund_account SET confirmed = confirmed + 100 WHERE member_id = '${other}'`,
    ],
    [
      'earn at another rate than the day’s',
      everybody,
      `INSERT INTO fund_rate VALUES ('2020-01-01', fund_rate_of('2020-01-01'))`,
      `INSERT INTO fund_earning SELECT '${other}', '2020-01-01', 100, 1000000, 10000, 0, 1`,
    ],
    [
      'earn on more than the share',
      everybody,
      ...earn({
        confirmed: '1000000000',
        day: `(SELECT to_char(begun_on::date, 'YYYY-MM-DD') FROM fund_account WHERE member_id = '${other}')`,
      }),
    ],
    ['earn on a day of long ago', everybody, ...earn(), ...earned('2020-01-01')],
    [
      'earn on a day that is none',
      everybody,
      ...earn({ day: `'forged'`, per10k: '1000' }),
      ...earned('forged'),
    ],
    [
      'change the rate of a day',
      everybody,
      `INSERT INTO fund_rate VALUES ('2020-01-01', fund_rate_of('2020-01-01'))`,
      `UPDATE fund_rate SET per10k = 2`,
    ],
    ...['2020-01-01', '2100-01-01'].flatMap((day): Row[] => [
      [
        'write another rate of a day than the published one',
        everybody,
        `INSERT INTO fund_rate VALUES ('${day}', fund_rate_of('${day}') + 1)`,
      ],
    ]),
    [
      'publish rates of the fund',
      ['calls', 'office'],
      `INSERT INTO operator_setting SELECT key, ${newestFlush} + 1, '{"from":{},"cycle":[10000]}' FROM operator_setting
        WHERE key = 'fund_rates'`,
    ],
    ['change a posting', everybody, `UPDATE posting SET amount = 1`],
    ['delete a posting', everybody, `SET LOCAL uptick.prune = 'on'`, `DELETE FROM posting`],
    ['delete a posting', everybody, `TRUNCATE posting CASCADE`],
    [
      'forget a keyed request of today',
      everybody,
      `SET LOCAL uptick.prune = 'on'`,
      `DELETE FROM idempotency`,
    ],
    ['change the answer of a keyed request', everybody, `UPDATE idempotency SET body = ''`],
  ]
}

const people = ({ member, other }: Targets): readonly Row[] => [
  ['set a password', everybody, `UPDATE member SET password_hash = password_hash`],
  ['rename a member', everybody, `UPDATE member SET account = 'forged' WHERE id = '${member}'`],
  [
    'give a member’s phone to another',
    everybody,
    `UPDATE member SET phone_hash = 'forged' WHERE id = '${member}'`,
  ],
  ['change a member’s id', everybody, `UPDATE member SET id = 'forged' WHERE id = '${other}'`],
  ['delete a member', everybody, `DELETE FROM member`],
  ['set a password of the staff', everybody, `UPDATE staff SET password_hash = 'x'`],
  ['raise one’s own role', ['calls', 'engine'], `UPDATE staff SET role = 'admin'`],
  ['rename one of the staff', everybody, `UPDATE staff SET name = 'x'`],
  [
    'open a session of the staff',
    ['calls', 'engine'],
    `INSERT INTO staff_session SELECT 'forged', id, 'forged', '', '', 1, 1 FROM staff LIMIT 1`,
  ],
  ['read a password', ['engine'], `SELECT password_hash FROM member`],
  ['read a sealed field', ['engine'], `SELECT details_sealed FROM withdrawal_account`],
  ['read a sealed field', ['engine'], `SELECT * FROM verification`],
  ['read a session', ['engine'], `SELECT * FROM session`],
  ['delete a row of the act log', everybody, `DELETE FROM audit`],
  ['delete a row of the act log', everybody, `SET LOCAL uptick.prune = 'on'`, `DELETE FROM audit`],
  ['delete a row of the act log', everybody, `TRUNCATE audit`],
  ['change a row of the act log', everybody, `UPDATE audit SET actor = 'x'`],
  [
    'put a row of the act log before others',
    everybody,
    `INSERT INTO audit (id, at, actor, act, subject_kind, subject_id) OVERRIDING SYSTEM VALUE VALUES (0, 1, 'x', 'x', 'x', 'x')`,
  ],
  [
    'put a row of the act log after all others',
    everybody,
    `INSERT INTO audit (id, at, actor, act, subject_kind, subject_id) OVERRIDING SYSTEM VALUE VALUES (9000000000, 1, 'x', 'x', 'x', 'x')`,
  ],
  ['change the chain of the act log', everybody, `UPDATE audit_link SET hash = 'x'`],
  ['change the chain of the act log', everybody, `UPDATE audit_head SET no = no + 1, hash = 'x'`],
  ['link a row that is none', everybody, `INSERT INTO audit_link VALUES (999, 999, 'x')`],
  ['link a row that is none', everybody, `SELECT link_audit_row(a) FROM audit a`],
  ['count the act log anew', everybody, `SELECT setval(pg_get_serial_sequence('audit', 'id'), 1)`],
  ['count the act log anew', everybody, `ALTER TABLE audit ALTER COLUMN id RESTART WITH 1`],
  ['become live or practice', everybody, `UPDATE setting SET value = '"live"' WHERE key = 'mode'`],
  ['become live or practice', everybody, `UPDATE setting SET key = 'was mode' WHERE key = 'mode'`],
  ['become live or practice', everybody, `DELETE FROM setting WHERE key = 'mode'`],
  [
    'become live or practice',
    everybody,
    `INSERT INTO setting VALUES ('mode', '"live"') ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  ],
]

const guards = (login: string): readonly Row[] => [
  ['disable a trigger', everybody, `ALTER TABLE posting DISABLE TRIGGER ALL`],
  ['disable a trigger', everybody, `SET LOCAL session_replication_role = replica`],
  ['drop a trigger', everybody, `DROP TRIGGER posting_is_caused ON posting`],
  ['drop a constraint', everybody, `ALTER TABLE balance DROP CONSTRAINT balance_available`],
  [
    'replace a check',
    everybody,
    `CREATE OR REPLACE FUNCTION is_practice() RETURNS boolean LANGUAGE sql AS 'SELECT true'`,
  ],
  ['put a table before one of the venue', everybody, `CREATE TEMP TABLE lease (term bigint)`],
  ['put a table before one of the venue', everybody, `CREATE SCHEMA forged`],
  [
    'put a function before one of the venue',
    everybody,
    `CREATE FUNCTION pg_temp.venue_has_led() RETURNS boolean LANGUAGE sql AS 'SELECT false'`,
  ],
  ['inherit from a table', everybody, `CREATE TABLE forged () INHERITS (posting)`],
  [
    'add a column',
    everybody,
    `ALTER TABLE posting ADD COLUMN forged bigint GENERATED ALWAYS AS (amount) STORED`,
  ],
  ['add a rule', everybody, `CREATE RULE forged AS ON INSERT TO audit DO INSTEAD NOTHING`],
  ['add a view', everybody, `CREATE VIEW forged AS SELECT * FROM posting`],
  ['write through a view', everybody, `UPDATE ledger_leg SET amount = 1`],
  ['rename a table', everybody, `ALTER TABLE audit RENAME TO old_audit`],
  [
    'add a trigger of events',
    everybody,
    `CREATE EVENT TRIGGER forged ON ddl_command_end EXECUTE FUNCTION deny_change()`,
  ],
  ['become the owner', everybody, `SET LOCAL ROLE postgres`],
  ['become the owner', everybody, `RESET ROLE`, `ALTER TABLE posting DISABLE TRIGGER ALL`],
  ['become the owner', everybody, `SET SESSION AUTHORIZATION postgres`],
  ['become the owner', everybody, `GRANT postgres TO ${login}`],
  ['set the path of every session', everybody, `ALTER DATABASE postgres SET search_path = pg_temp`],
  ['read a file', everybody, `SELECT pg_read_file('/etc/passwd')`],
  ['read a file', everybody, `SELECT lo_import('/etc/passwd')`],
  ['write a file', everybody, `COPY (SELECT 1) TO '/tmp/forged'`],
  ['run a program', everybody, `COPY (SELECT 1) TO PROGRAM 'true'`],
  ['load a library', everybody, `LOAD 'auto_explain'`],
  ['run another language', everybody, `CREATE LANGUAGE forged HANDLER plpgsql_call_handler`],
  ['lock the log', ['calls', 'office'], `LOCK TABLE tick_batch IN SHARE MODE`],
  ['lock a flush', everybody, `SELECT FROM tick_batch FOR UPDATE`],
  ['lock the lease', ['calls', 'engine', 'office'], `SELECT FROM lease FOR UPDATE`],
  ['count the beats of the lease', everybody, `SELECT setval('lease_beat', 1)`],
]

/** @param login what the sessions logged in as; it owns nothing */
export const roleAttacks = (target: Targets, login: string): readonly RoleAttack[] =>
  [
    ...ticks,
    ...results(target),
    ...terms(target),
    ...money(target),
    ...twoPersonAttacks(target),
    ...personAttacks(target),
    ...people(target),
    ...guards(login),
  ].map(([act, roles, ...statements]) => ({ act, roles, statements }))
