import { formatFields, sanitize, sanitizedJson, formatTable } from './table.ts'

type Fields = Readonly<Record<string, unknown>>
type ListAnswer = { items: Fields[]; nextCursor: string | null }

/** Formats an answer as text, or as JSON with `json`. */
export function formatAnswer(
  answer: unknown,
  { json, columns }: { json: boolean; columns?: readonly string[] },
) {
  if (json) return sanitizedJson(answer)
  if (columns && isListAnswer(answer)) return formatList(answer, columns)
  return formatFields(flatten(answer).map(([name, value]) => [name, formatCell(name, value)] as const))
}

function formatList({ items, nextCursor }: ListAnswer, columns: readonly string[]): string {
  if (items.length === 0) return 'none'
  const rows = items.map((item) => columns.map((name) => formatCell(name, item[name])))
  const more = nextCursor === null ? '' : `\n\nmore: --cursor ${nextCursor}`
  return formatTable(columns, rows) + more
}

function isListAnswer(answer: unknown): answer is ListAnswer {
  return typeof answer === 'object' && answer !== null && 'items' in answer && Array.isArray(answer.items)
}

/** The fields of an object; nested fields have a dotted name. */
function flatten(value: unknown, prefix = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[prefix, value]]
  return Object.entries(value).flatMap(([name, inner]) =>
    flatten(inner, prefix === '' ? name : `${prefix}.${name}`),
  )
}

function formatCell(name: string, value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'number' && /(^at|At|Now|^now)$/.test(name)) return new Date(value).toISOString()
  if (typeof value === 'string') return sanitize(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.map((element) => formatCell('', element)).join('; ')
  return flatten(value)
    .map(([key, inner]) => `${key}=${formatCell(key, inner)}`)
    .join(' ')
}
