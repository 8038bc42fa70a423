import { minor } from '../../../contract/units.ts'
import type { Language } from '../../../contract/constants.ts'
import { companyLines } from '../../platform/company.ts'
import { fontPath } from './fonts.ts'
import { localTime } from './localTime.ts'
import type { PdfDocument } from './pdfDocument.ts'
import type { ProductOf } from './products.ts'
import type { Statement } from './statement.ts'
import type { StatementText } from './texts.ts'
import type { MoneySettings } from '../settings.ts'

export type StatementDocumentParts = {
  statement: Statement
  text: StatementText
  language: Language
  account: string
} & Pick<MoneySettings, 'mode' | 'currency' | 'operatorConfig'>

/** A statement but for its rows: who, when, the balances of each account, a total of each kind. */
export function statementDocument(parts: StatementDocumentParts): PdfDocument {
  const { statement, text, language, account, mode, currency, operatorConfig } = parts
  const { opening, closing, totals, zone } = statement
  const money = moneyIn(language)
  const title = `${text.title} · ${monthName(statement.month, language)}`
  const accounts = ['available', 'held', 'stakes', 'fund'] as const
  return {
    language,
    fontPath: fontPath(language),
    title: `${operatorConfig.name} · ${title}`,
    // Practice money is named wherever an amount is shown.
    note: mode === 'practice' ? text.practice : null,
    facts: [
      ...companyLines(operatorConfig.company),
      `${text.account}: ${account}`,
      text.timesIn.replace('{{zone}}', zone),
      `${text.currency}: ${currency}`,
    ],
    tables: [
      {
        columns: [
          { label: text.balance, width: 170 },
          { label: text.opening, width: 110, isNumber: true },
          { label: text.closing, width: 110, isNumber: true },
        ],
        rows: accounts.map((name) => [text[name], money(opening[name]), money(closing[name])]),
      },
      {
        columns: [
          { label: text.total, width: 170 },
          { label: text.entries, width: 110, isNumber: true },
          { label: text.amount, width: 110, isNumber: true },
          { label: text.held, width: 150, isNumber: true },
          { label: text.fund, width: 150, isNumber: true },
        ],
        rows: totals.map(({ type, entries, available, held, fund }) => [
          text.types[type],
          String(entries),
          money(available),
          ...[held, fund].map((units) => (units === 0 ? '' : money(units))),
        ]),
      },
    ],
    columns: [
      { label: text.time, width: 92 },
      { label: text.type, width: 130 },
      { label: text.number, width: 108 },
      { label: text.product, width: 136 },
      { label: text.amount, width: 76, isNumber: true },
      { label: text.balance, width: 82, isNumber: true },
      { label: text.held, width: 73, isNumber: true },
      { label: text.fund, width: 73, isNumber: true },
    ],
  }
}

/** The rows of a statement, between its opening and its closing balance. */
export async function* statementLines({
  statement,
  text,
  language,
  productOf,
}: Pick<StatementDocumentParts, 'statement' | 'text' | 'language'> & {
  productOf: ProductOf
}): AsyncGenerator<string[][]> {
  const money = moneyIn(language)
  const balanceLine = (label: string, units: number): string[] => [
    '',
    label,
    '',
    '',
    '',
    money(units),
    '',
    '',
  ]
  yield [balanceLine(text.opening, statement.opening.available)]
  for await (const rows of statement.pages()) {
    yield rows.map((row) => {
      const { code, name } = productOf(row.productId)
      return [
        localTime(row.at, statement.zone),
        text.types[row.type],
        row.no ?? '',
        [code, name].filter((part) => part !== null).join(' · '),
        money(row.available),
        money(row.availableAfter),
        ...[row.held, row.fund].map((units) => (units === 0 ? '' : money(units))),
      ]
    })
  }
  yield [balanceLine(text.closing, statement.closing.available)]
}

/** Minor units in a language. Exact: a balance has fewer digits than a number holds. */
function moneyIn(language: Language): (units: number) => string {
  const format = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return (units) => format.format(minor(units) / 100)
}

/** `"2026-03"` as March 2026, by the Gregorian calendar also in Thai. */
function monthName(month: string, language: Language): string {
  const format = new Intl.DateTimeFormat(language, {
    calendar: 'gregory',
    timeZone: 'UTC',
    month: 'long',
    year: 'numeric',
  })
  return format.format(Date.parse(`${month}-01T00:00:00Z`))
}
