import { sql, type SQL } from 'drizzle-orm'
import {
  ledgerAccounts,
  movementsOfCause,
  movementOf,
  ruleOf,
  type CauseKind,
  type Movement,
  type MovementKind,
} from '../../../contract/movements.ts'

/** A condition on a column with a member's id: the members that a statement reads. */
export type MemberRange = (column: string) => SQL
/** A query with a finding for each row that is wrong. */
export type Rule = (own: MemberRange) => SQL

/** Where causes are stored: the table, the column that postings refer to, and how people name one. */
type Causes = { kind: CauseKind; table: string; id?: string; name?: string }

const causes: readonly Causes[] = [
  { kind: 'order', table: 'orders', name: 'coalesce(no, ref_id)' },
  { kind: 'deposit', table: 'deposit', name: 'coalesce(no, ref_id)' },
  { kind: 'withdrawal', table: 'withdrawal', name: 'coalesce(no, ref_id)' },
  { kind: 'fund_deposit', table: 'fund_record' },
  { kind: 'fund_withdrawal', table: 'fund_record' },
  { kind: 'fund_earning', table: 'fund_earning', id: 'on_day' },
]

/** What a posting is and what it moved, as text. */
const posted = sql.raw(`concat_ws(' ', type, amount, ${ledgerAccounts.join(', ')}, pnl)`)
const numbersOf = ({ amount, legs, pnl }: Movement): number[] => [amount, ...Object.values(legs), pnl]

/** The column that says how much it moves. */
const amountIn = (kind: MovementKind): string => ruleOf(kind).of ?? 'amount'

/** The same text as the movement gives it, from the columns of its cause. */
function movedBy(kind: MovementKind): string {
  const perPayout = numbersOf(movementOf(kind, 0, 1))
  const moved = numbersOf(movementOf(kind, 1)).map(
    (perAmount, i) => `${perAmount} * ${amountIn(kind)}${perPayout[i] ? ` + ${perPayout[i]} * payout` : ''}`,
  )
  return `concat_ws(' ', '${movementOf(kind, 0).type}', ${moved.join(', ')})`
}

const columnOf = {
  status: 'status',
  endedAs: 'ended_as',
  mode: 'mode',
  kind: 'kind',
  credit: `(CASE WHEN reversed IS NOT NULL THEN 'reversed' WHEN status = 'successful' THEN 'credited' END)`,
} as const

/** An expression for the state in which a cause has made a movement, else null. */
function ifMade(kind: MovementKind, expression: string): string {
  const isIn = Object.entries(columnOf).flatMap(([name, column]) => {
    const values = ruleOf(kind).when?.[name as keyof typeof columnOf]
    return values ? [` AND ${column} IN ('${values.join("', '")}')`] : []
  })
  return `CASE WHEN ${amountIn(kind)} > 0${isIn.join('')} THEN ${expression} END`
}

/**
 * The postings of each cause are the movements of its state, in their order, and its hold is the one that they say; no other
 * posting is of this kind.
 */
function areMoved({ kind, table, id = 'id', name = 'ref_id' }: Causes): Rule {
  const kinds = movementsOfCause(kind)
  const moves = kinds.map((move) => ifMade(move, movedBy(move)))
  const ends = kinds.map((move) => ifMade(move, `'${ruleOf(move).ends ?? ''}'`))
  const rows = `SELECT *, ${id} AS ref_id, array_remove(ARRAY[${moves.join(', ')}], NULL) AS moves,
    nullif(concat(${ends.join(', ')}), '') AS ends FROM ${table}`
  const placed = kinds.find((move) => ruleOf(move).to === 'held')
  const isHeld = placed
    ? sql`EXISTS (SELECT FROM hold h LEFT JOIN hold_resolution r ON r.hold_id = h.id
        WHERE (h.id, h.member_id, h.amount, h.source, h.ref_kind, h.ref_id)
            = (c.hold_id, c.member_id, c.amount, ${ruleOf(placed).from}, ${kind}, c.ref_id) AND r.outcome IS NOT DISTINCT FROM c.ends)
        OR c.hold_id IS NULL`
    : sql`true`
  return (own) => sql`SELECT ${kind} || ' ' || ${sql.raw(name)} || ' of member ' || member_id
      || ': its postings are not what it moves' AS finding
    FROM (${sql.raw(rows)} WHERE ${own('member_id')}) c FULL JOIN (
      SELECT member_id, ref_id, array_agg(${posted} ORDER BY id) AS moved FROM posting
      WHERE ${own('member_id')} AND ref_kind = ${kind} GROUP BY member_id, ref_id) p USING (member_id, ref_id)
    WHERE coalesce(moves, '{}') <> coalesce(moved, '{}') OR NOT (${isHeld}) ORDER BY 1`
}

/** Every posting has its cause, and every cause its postings: orders, deposits, withdrawals, the fund, practice money. */
export const causeRules: readonly Rule[] = [
  ...causes.map(areMoved),
  (own) => sql`SELECT 'fund earning of ' || e.on_day || ' of member ' || member_id
      || ': it is not what the day''s rate gives' AS finding
    FROM fund_earning e LEFT JOIN fund_rate r ON r.on_day = e.on_day
    WHERE ${own('member_id')} AND e.per10k IS DISTINCT FROM r.per10k ORDER BY 1`,
  (own) => sql`SELECT 'member ' || member_id || ': what is in the fund is not what its account has' AS finding
    FROM balance LEFT JOIN fund_account f USING (member_id)
    WHERE ${own('member_id')} AND fund <> coalesce(f.confirmed + f.pending, 0) ORDER BY 1`,
  (
    own,
  ) => sql`SELECT 'posting ' || id || ' of member ' || member_id || ': nothing stands behind it' AS finding
    FROM posting WHERE ${own('member_id')} AND ref_kind <> ALL (${sql.param(causes.map(({ kind }) => kind))}::text[])
      AND (ref_kind = 'member' AND ref_id = member_id AND ${posted} = CASE
        WHEN type = 'grant' AND id = 1 THEN ${sql.raw(movedBy('grant'))}
        WHEN type = 'reset' THEN ${sql.raw(movedBy('reset'))} END) IS NOT TRUE
    ORDER BY member_id, id`,
]
