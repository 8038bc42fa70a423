import { and, asc, eq, gte, lt, sql } from 'drizzle-orm'
import { minor } from '../../../contract/units.ts'
import { formatMoney } from '../../../contract/money.ts'
import { ledgerAccounts } from '../../../contract/movements.ts'
import { csv, isoTime, type Cell } from '../../platform/csv.ts'
import type { Db } from '../../platform/db/database.ts'
import { posting, type PostingRow } from '../schema.ts'
import { member } from '../../platform/db/schema.ts'
import { pagesByRow } from '../../platform/paging.ts'

const pageRows = 1000
const header = ['at', 'account', 'memberId', 'id', 'type', 'amount', ...ledgerAccounts, 'refKind', 'refId']

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
      ...ledgerAccounts.map((name) => formatMoney(minor(row[name]))),
      row.refKind,
      row.refId,
    ])
  }
}

const isAfter = ({ at, memberId, id }: PostingRow) =>
  sql`(${posting.at}, ${posting.memberId}, ${posting.id}) > (${at}::bigint, ${memberId}, ${id}::bigint)`
