import { and, asc, eq, gte, lt, sql } from 'drizzle-orm'
import { minor } from '../../contract/brand.ts'
import { formatMoney } from '../../contract/money.ts'
import { csv, isoTime } from '../csv.ts'
import type { Cell } from '../csv.ts'
import type { Db } from '../db/database.ts'
import { posting } from '../db/schema/ledger.ts'
import type { PostingRow } from '../db/schema/ledger.ts'
import { member } from '../db/schema/member.ts'
import { pagesByRow } from '../paging.ts'

const pageRows = 1000
/** The accounts between which a posting moves money; their changes sum to zero. */
const accounts = ['available', 'held', 'stakes', 'fund', 'house', 'grants', 'external'] as const
const header = ['at', 'account', 'memberId', 'id', 'type', 'amount', ...accounts, 'refKind', 'refId']

/** Every posting of from ≤ at < to with the change of each account, as CSV in the order of time. */
export const movementsCsv = (db: Db, range: { from: number; to: number }): AsyncGenerator<string> =>
  csv(header, pages(db, range))

async function* pages(db: Db, { from, to }: { from: number; to: number }): AsyncGenerator<Cell[][]> {
  const read = (after: { row: PostingRow } | undefined) =>
    db
      .select({ row: posting, account: member.account })
      .from(posting)
      .innerJoin(member, eq(member.id, posting.memberId))
      .where(and(gte(posting.at, after?.row.at ?? from), lt(posting.at, to), after && isAfter(after.row)))
      .orderBy(asc(posting.at), asc(posting.memberId), asc(posting.id))
      .limit(pageRows)
  for await (const rows of pagesByRow(pageRows, read)) {
    yield rows.map(({ row, account }) => [
      isoTime(row.at),
      account,
      row.memberId,
      row.id,
      row.type,
      formatMoney(minor(row.amount)),
      ...accounts.map((name) => formatMoney(minor(row[name]))),
      row.refKind,
      row.refId,
    ])
  }
}

const isAfter = ({ at, memberId, id }: PostingRow) =>
  sql`(${posting.at}, ${posting.memberId}, ${posting.id}) > (${at}::bigint, ${memberId}, ${id}::bigint)`
