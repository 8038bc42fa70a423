import { parseInline, type Inline } from './inline.ts'
import { startsTable, tableOf, type Table } from './table.ts'

export type Block =
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'heading'; level: number; children: Inline[] }
  | { kind: 'list'; start: number | undefined; items: Block[][] }
  | { kind: 'quote'; children: Block[] }
  | { kind: 'code'; text: string }
  | { kind: 'rule' }
  | Table

/** A block, and how many lines it consumed. */
type ParsedBlock = { block: Block; lines: number }

const depthMax = 6
const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/
const rule = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/
const fence = /^ {0,3}(```+|~~~+)[ \t]*[\w-]*[ \t]*$/
const quote = /^ {0,3}> ?/
const marker = /^( {0,3})([-*+]|\d{1,9}[.)])([ \t]+|$)/

/**
 * Parses the Markdown of articles: headings, paragraphs, nested lists, quotes, code, tables and rules. Everything else
 * is a paragraph, so no text is lost and none becomes markup.
 */
export const parseMarkdown = (source: string): Block[] => blocksOf(source.split(/\r\n?|\n/), 0)

function blocksOf(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    if (isBlank(lines[at])) {
      at += 1
      continue
    }
    const { block, lines: consumed } = blockAt(lines.slice(at), depth)
    blocks.push(block)
    at += consumed
  }
  return blocks
}

function blockAt(lines: readonly string[], depth: number): ParsedBlock {
  const [first = ''] = lines
  const head = heading.exec(first)
  if (head) {
    const [, signs = '', text = ''] = head
    return { block: { kind: 'heading', level: signs.length, children: parseInline(text) }, lines: 1 }
  }
  if (rule.test(first)) return { block: { kind: 'rule' }, lines: 1 }
  const opening = fence.exec(first)?.[1]
  if (opening !== undefined) return codeAt(lines, opening)
  if (depth < depthMax && quote.test(first)) return quoteAt(lines, depth)
  if (depth < depthMax && marker.test(first)) return listAt(lines, depth)
  if (startsTable(first, lines[1])) return tableAt(lines)
  return paragraphAt(lines)
}

function codeAt(lines: readonly string[], opening: string): ParsedBlock {
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === opening)
  const inside = lines.slice(1, end < 0 ? undefined : end)
  return { block: { kind: 'code', text: inside.join('\n') }, lines: inside.length + (end < 0 ? 1 : 2) }
}

function quoteAt(lines: readonly string[], depth: number): ParsedBlock {
  const inside = takeWhile(lines, (line) => quote.test(line))
  const children = blocksOf(
    inside.map((line) => line.replace(quote, '')),
    depth + 1,
  )
  return { block: { kind: 'quote', children }, lines: inside.length }
}

/** An item continues over lines indented under it, and over lines that continue its paragraph. */
function listAt(lines: readonly string[], depth: number): ParsedBlock {
  const first = marker.exec(lines[0] ?? '')?.[2] ?? '-'
  const sign = first.at(-1) ?? '-'
  const items: string[][] = []
  let indent = 0
  let at = 0
  for (const line of lines) {
    const next = marker.exec(line)
    const [whole = '', , mark = ''] = next ?? []
    const inside = indent > 0 && leading(line) >= indent
    if (next && !inside && mark.endsWith(sign) && !rule.test(line)) {
      indent = whole.length
      items.push([line.slice(whole.length)])
    } else if (inside || isBlank(line)) items.at(-1)?.push(line.slice(indent))
    else if (isBlank(lines[at - 1]) || startsBlock(line)) break
    else items.at(-1)?.push(line.trim())
    at += 1
  }
  const start = /^\d/.test(first) ? Number.parseInt(first, 10) : undefined
  const block: Block = { kind: 'list', start, items: items.map((item) => blocksOf(item, depth + 1)) }
  return { block, lines: at }
}

function tableAt(lines: readonly string[]): ParsedBlock {
  const rows = takeWhile(lines.slice(2), continuesParagraph)
  const inside = [...lines.slice(0, 2), ...rows]
  return { block: tableOf(inside), lines: inside.length }
}

function paragraphAt(lines: readonly string[]): ParsedBlock {
  const rest = lines.slice(1)
  const more = takeWhile(rest, (line, at) => continuesParagraph(line) && !startsTable(line, rest[at + 1]))
  const inside = [lines[0] ?? '', ...more]
  const text = inside.map((line) => line.replace(/^[ \t]+/, '')).join('\n')
  return { block: { kind: 'paragraph', children: parseInline(text.trimEnd()) }, lines: inside.length }
}

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === ''
const continuesParagraph = (line: string): boolean => !isBlank(line) && !startsBlock(line)
const leading = (line: string): number => line.length - line.trimStart().length
const startsBlock = (line: string): boolean =>
  [heading, rule, fence, quote, marker].some((pattern) => pattern.test(line))

function takeWhile(
  lines: readonly string[],
  matches: (line: string, at: number) => boolean,
): readonly string[] {
  const end = lines.findIndex((line, at) => !matches(line, at))
  return end < 0 ? lines : lines.slice(0, end)
}
