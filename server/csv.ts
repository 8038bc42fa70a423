/** A cell of a CSV file; null is empty. */
export type Cell = string | number | null

/**
 * Quoted CSV with a header row and CRLF ends. Text that a spreadsheet would run as a formula (it begins with
 * `= + - @`, tab or CR) gets a leading `'`; numbers, also as decimal text, stay numbers.
 */
export function csv(header: readonly string[], rows: Iterable<readonly Cell[]>): string {
  const lines = [line(header)]
  for (const row of rows) lines.push(line(row))
  return lines.join('')
}

/** Epoch milliseconds as ISO 8601 in UTC; null stays empty. */
export const isoTime = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

const decimalPattern = /^-?\d+(\.\d+)?$/
const formulaPattern = /^[=+\-@\t\r]/

function line(cells: readonly Cell[]): string {
  return `${cells.map((cell) => quoted(cell === null ? '' : String(cell))).join(',')}\r\n`
}

function quoted(text: string): string {
  const risky = formulaPattern.test(text) && !decimalPattern.test(text)
  return `"${risky ? "'" : ''}${text.replaceAll('"', '""')}"`
}
