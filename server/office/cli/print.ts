import { formatFields, sanitize, sanitizedJson, formatTable } from './table.ts'

type Fields = Readonly<Record<string, unknown>>
/** A list that is never long has no cursor. */
type ListAnswer = { items: Fields[]; nextCursor?: string | null }

/** A note on an answer whose change takes effect only after a second person confirms it. Null otherwise. */
export function waitingFor(answer: unknown): string | null {
  const proposal = (answer as { proposal?: { id?: unknown; status?: unknown } | null } | null)?.proposal
  if (proposal?.status !== 'open') return null
  return `nothing is done yet: another person confirms it with proposals confirm ${String(proposal.id)}`
}

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
  const more = typeof nextCursor === 'string' ? `\n\nmore: --cursor ${nextCursor}` : ''
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

/** The contract's names of instants, alone or as the last part of a dotted name. */
const instantName = /((^|\.)(at|now)|At|Now)$/
/** For a period; but `from` is a level or a score too, in a row of the act log. */
const boundName = /(^|\.)(from|until)$/
const after2001 = 1e12
const isInstant = (name: string, value: number): boolean =>
  instantName.test(name) || (boundName.test(name) && value > after2001)

function formatCell(name: string, value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'number' && isInstant(name, value)) return new Date(value).toISOString()
  if (typeof value === 'string') return sanitize(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.map((element) => formatCell('', element)).join('; ')
  return flatten(value)
    .map(([key, inner]) => `${key}=${formatCell(key, inner)}`)
    .join(' ')
}
