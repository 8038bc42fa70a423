import { facts, harmless, harmlessJson, table } from './table.ts'

type Fields = Readonly<Record<string, unknown>>
type Listed = { items: Fields[]; nextCursor: string | null }

/** An answer for a person, or with `json` for a program. */
export function printed(answer: unknown, { json, columns }: { json: boolean; columns?: readonly string[] }) {
  if (json) return harmlessJson(answer)
  if (columns && isListed(answer)) return listed(answer, columns)
  return facts(flat(answer).map(([name, value]) => [name, cell(name, value)] as const))
}

function listed({ items, nextCursor }: Listed, columns: readonly string[]): string {
  if (items.length === 0) return 'none'
  const rows = items.map((item) => columns.map((name) => cell(name, item[name])))
  const more = nextCursor === null ? '' : `\n\nmore: --cursor ${nextCursor}`
  return table(columns, rows) + more
}

function isListed(answer: unknown): answer is Listed {
  return typeof answer === 'object' && answer !== null && 'items' in answer && Array.isArray(answer.items)
}

/** The fields of an object, those of objects in it behind a dot. */
function flat(value: unknown, prefix = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[prefix, value]]
  return Object.entries(value).flatMap(([name, inner]) =>
    flat(inner, prefix === '' ? name : `${prefix}.${name}`),
  )
}

function cell(name: string, value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'number' && /(^at|At|Now|^now)$/.test(name)) return new Date(value).toISOString()
  if (typeof value === 'string') return harmless(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.map((each) => cell('', each)).join('; ')
  return flat(value)
    .map(([key, inner]) => `${key}=${cell(key, inner)}`)
    .join(' ')
}
