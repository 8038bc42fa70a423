import { parseInline, type Inline } from './inline.ts'

export type Align = 'left' | 'center' | 'right' | undefined
export type Table = { kind: 'table'; align: Align[]; head: Inline[][]; rows: Inline[][][] }

const delimiter = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

/** Whether a table begins here: a header, and under it a line of dashes with as many cells. */
export function startsTable(head: string | undefined, under: string | undefined): boolean {
  if (head === undefined || under === undefined) return false
  if (!under.includes('|') || !delimiter.test(under)) return false
  return cellsOf(head).length === cellsOf(under).length
}

/** Parses the lines of a table: its header, its line of dashes, its rows. */
export function tableOf([head = '', under = '', ...rows]: readonly string[]): Table {
  const align = cellsOf(under).map(alignOf)
  const inlines = (line: string): Inline[][] => cellsIn(line, align.length).map((cell) => parseInline(cell))
  return { kind: 'table', align, head: inlines(head), rows: rows.map(inlines) }
}

const alignOf = (cell: string): Align => {
  const right = cell.endsWith(':')
  if (cell.startsWith(':')) return right ? 'center' : 'left'
  return right ? 'right' : undefined
}

/** The cells of a line; a bar after a backslash is part of the text. */
function cellsOf(line: string): string[] {
  const inside = line
    .trim()
    .replaceAll(String.raw`\|`, '\0')
    .replace(/^\|/, '')
    .replace(/\|$/, '')
  return inside.split('|').map((cell) => cell.trim().replaceAll('\0', '|'))
}

/**
 * Gives a row the header's number of cells: short lines are padded, and excess cells joined to the last, so no text is
 * lost.
 */
function cellsIn(line: string, count: number): string[] {
  const cells = cellsOf(line)
  const last = cells.slice(count - 1).join(' | ')
  return Array.from({ length: count }, (_, at) => (at === count - 1 ? last : (cells[at] ?? '')))
}
