/** A cell of a CSV file; null is empty. */
export type Cell = string | number | null

export const csvType = 'text/csv; charset=utf-8'

/**
 * Quoted CSV with a header row and CRLF line ends, one chunk per page of rows. Text that a spreadsheet would run as a
 * formula (it begins with `= + - @`, also in full width, tab, CR or LF) gets a leading `'`; numbers, also as decimal text,
 * stay numbers.
 */
export async function* csv(
  header: readonly string[],
  pages: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<string> {
  yield toCsvLine(header)
  for await (const rows of pages) yield rows.map(toCsvLine).join('')
}

/** Epoch milliseconds as ISO 8601 in UTC; null stays empty. */
export const isoTime = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

const decimalPattern = /^-?\d+(\.\d+)?$/
const formulaPattern = /^[=+\-@＝＋－＠\t\r\n]/

function toCsvLine(cells: readonly Cell[]): string {
  return `${cells.map((cell) => quoteCell(cell === null ? '' : String(cell))).join(',')}\r\n`
}

function quoteCell(text: string): string {
  const isFormula = formulaPattern.test(text) && !decimalPattern.test(text)
  return `"${isFormula ? "'" : ''}${text.replaceAll('"', '""')}"`
}
