import type { RunRole } from '../../../server/platform/db/roles/grants.ts'

/** `run` is what a session is that names no role: it has the rights of all others. */
export type Session = RunRole | 'run'
export type Row = readonly [act: string, roles: readonly Session[], ...statements: string[]]

/** Every session that a venue has. */
export const everybody: readonly Session[] = ['calls', 'engine', 'office', 'run']
export const newestFlush = `(SELECT max(at) FROM tick_batch)`

type Legs = Partial<
  Record<'available' | 'held' | 'stakes' | 'fund' | 'house' | 'grants' | 'external' | 'pnl', number | string>
>
type Forged = Legs & {
  member: string
  type: string
  amount?: number | string
  kind: string
  ref: string
  id?: string
}

/** Balance and posting in one statement, as the ledger writes them: nothing but the cause is missing. */
export function post({ member, type, kind, ref, id = 'b.version', ...legs }: Forged): string {
  const of = (leg: keyof Legs): string => String(legs[leg] ?? 0)
  return `WITH b AS (UPDATE balance SET available = available + ${of('available')}, held = held + ${of('held')},
      stakes = stakes + ${of('stakes')}, fund = fund + ${of('fund')}, pnl = pnl + ${of('pnl')}, version = version + 1
      WHERE member_id = '${member}' RETURNING *)
    INSERT INTO posting (member_id, id, at, type, amount, available, held, stakes, fund, house, grants, external, pnl,
      available_after, held_after, stakes_after, fund_after, pnl_after, ref_kind, ref_id)
    SELECT b.member_id, ${id}, ${newestFlush}, '${type}', ${String(legs.amount ?? of('available'))}, ${of('available')},
      ${of('held')}, ${of('stakes')}, ${of('fund')}, ${of('house')}, ${of('grants')}, ${of('external')}, ${of('pnl')},
      b.available, b.held, b.stakes, b.fund, b.pnl, '${kind}', '${ref}' FROM b`
}
