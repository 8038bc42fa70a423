/** Characters that take two cells on a terminal: East Asian letters and emoji. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u
/** Characters that take no cell. */
const combining = /\p{Mn}|\p{Me}/u

export function widthOf(text: string): number {
  let width = 0
  for (const letter of text) width += combining.test(letter) ? 0 : wide.test(letter) ? 2 : 1
  return width
}

/**
 * Makes members' text safe for a terminal: control characters, and those that change the direction of text, could move
 * the cursor or hide an amount.
 */
export const sanitize = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')

/** JSON with control characters escaped; it parses to the same value. */
export const sanitizedJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(/(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/gu, (letter) =>
    Array.from(
      { length: letter.length },
      (_, i) => `\\u${letter.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join(''),
  )

const cellMax = 60

/** Rows under their column names, aligned. Long cells are truncated: `show` and `--json` have the full text. */
export function formatTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => columns.map((_, i) => truncate(row[i] ?? '')))
  const widths = columns.map((name, i) =>
    Math.max(widthOf(name), ...cells.map((row) => widthOf(row[i] ?? ''))),
  )
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => pad(cell, widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  return [columns, ...cells].map(line).join('\n')
}

/** One name and value per line, aligned. */
export function formatFields(entries: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...entries.map(([name]) => widthOf(name)))
  return entries.map(([name, value]) => `${pad(name, width)}  ${value}`.trimEnd()).join('\n')
}

const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)))

function truncate(text: string): string {
  if (widthOf(text) <= cellMax) return text
  let result = ''
  for (const letter of text) {
    if (widthOf(result) + 2 >= cellMax) break
    result += letter
  }
  return `${result}…`
}
