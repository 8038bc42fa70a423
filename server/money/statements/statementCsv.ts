import { minor } from '../../../contract/units.ts'
import { formatMoney } from '../../../contract/money.ts'
import { csv, type Cell } from '../../platform/csv.ts'
import type { NumberedPosting } from '../ledger/postings.ts'
import { localTime } from './localTime.ts'
import type { ProductOf } from './products.ts'
import type { Statement } from './statement.ts'
import type { StatementText } from './texts.ts'

const money = (units: number): string => formatMoney(minor(units))

/** Spreadsheets read a file as UTF-8 only with this mark at its beginning. */
const byteOrderMark = '\uFEFF'

/**
 * A statement as CSV, oldest first: opening balance, rows, closing balance, then a total of each kind. Amounts are
 * changes of the available balance; what moved on hold or in the fund has columns of its own.
 * @param unit the currency, and that it is practice money if it is
 */
export async function* statementCsv(
  statement: Statement,
  text: StatementText,
  productOf: ProductOf,
  unit: string,
): AsyncGenerator<string> {
  const header = [
    `${text.time} (${statement.zone})`,
    text.type,
    text.number,
    text.product,
    text.productName,
    `${text.amount} (${unit})`,
    text.balance,
    text.held,
    text.fund,
  ]
  yield byteOrderMark
  yield* csv(header, cellPages(statement, text, productOf))
}

async function* cellPages(
  statement: Statement,
  text: StatementText,
  productOf: ProductOf,
): AsyncGenerator<Cell[][]> {
  const { opening, closing, totals, zone } = statement
  yield [balanceRow(text.opening, opening.available)]
  for await (const rows of statement.pages()) yield rows.map((row) => toCells(row, zone, text, productOf))
  yield [
    balanceRow(text.closing, closing.available),
    ...totals.map(({ type, available, held, fund }) => [
      null,
      `${text.total}: ${text.types[type]}`,
      null,
      null,
      null,
      money(available),
      null,
      money(held),
      money(fund),
    ]),
  ]
}

const balanceRow = (label: string, units: number): Cell[] => [
  null,
  label,
  null,
  null,
  null,
  null,
  money(units),
  null,
  null,
]

function toCells(row: NumberedPosting, zone: string, text: StatementText, productOf: ProductOf): Cell[] {
  const product = productOf(row.productId)
  return [
    localTime(row.at, zone),
    text.types[row.type],
    row.no,
    product.code,
    product.name,
    money(row.available),
    money(row.availableAfter),
    money(row.held),
    money(row.fund),
  ]
}
