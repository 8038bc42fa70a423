import { sql } from 'drizzle-orm'
import { formatMoney } from '../../../contract/money.ts'
import { minor } from '../../../contract/units.ts'
import type { ActLog } from '../../notices/index.ts'
import type { Db } from '../../platform/db/database.ts'

type Entry = Awaited<ReturnType<ActLog['list']>>['items'][number]
type NameRow = { id: string; name: string | null; amount: number | null }

/** Adds to rows of the act log how screens name what they are about: numbers, accounts and amounts beside ids. */
export async function withNames(db: Db, entries: readonly Entry[]) {
  const ids = [
    ...new Set(entries.flatMap(({ subject, memberId }) => [subject.id, ...(memberId ? [memberId] : [])])),
  ]
  // A proposal is named as its request is.
  const { rows } = await db.execute<NameRow>(sql`
    SELECT s.id, coalesce(d.no, w.no, o.no, m.account, st.name, pd.no, pw.no) AS name,
      coalesce(d.amount, w.amount, o.amount, pd.amount, pw.amount)::float8 AS amount
    FROM unnest(${sql.param(ids)}::text[]) s (id)
      LEFT JOIN deposit d ON d.id = s.id
      LEFT JOIN withdrawal w ON w.id = s.id
      LEFT JOIN orders o ON o.id = s.id
      LEFT JOIN member m ON m.id = s.id
      LEFT JOIN staff st ON st.id = s.id
      LEFT JOIN proposal p ON p.id = s.id
      LEFT JOIN deposit pd ON p.subject_kind = 'deposit' AND pd.id = p.subject_id
      LEFT JOIN withdrawal pw ON p.subject_kind = 'withdrawal' AND pw.id = p.subject_id`)
  const named = new Map(rows.map((row) => [row.id, row]))
  return entries.map(({ subject, ...entry }) => {
    const { name = null, amount = null } = named.get(subject.id) ?? {}
    // Its id is what everybody calls it.
    const shown = subject.kind === 'product' ? subject.id : name
    return {
      ...entry,
      subject: { ...subject, name: shown },
      account: entry.memberId === null ? null : (named.get(entry.memberId)?.name ?? null),
      amount: amount === null ? null : formatMoney(minor(amount)),
    }
  })
}
