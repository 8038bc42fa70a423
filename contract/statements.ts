import * as z from 'zod/mini'
import { languages } from './constants.ts'
import { route } from './route.ts'
import { canonicalZone } from './time.ts'

/** A month of the calendar, `2026-03`. */
export const month = z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: 'INVALID' }))

/** A time zone by its name in the IANA database; parsed it is spelled as Intl spells it. */
const zone = z.pipe(
  z.string().check(
    z.maxLength(64, { error: 'INVALID' }),
    z.refine((name) => typeof name === 'string' && canonicalZone(name) !== undefined, { error: 'INVALID' }),
  ),
  z.transform((name: string) => canonicalZone(name) ?? name),
)

/** A month that has a statement; it grows until it is `complete`. */
export const statementMonth = z.object({ month, complete: z.boolean() })
export type StatementMonth = z.infer<typeof statementMonth>

/** Which statement: its days are those of `zone`, its texts are in `lang` (default: the language chosen in the app). */
export const statementQuery = z.strictObject({ month, zone, lang: z.optional(z.enum(languages)) })

/** A month with more entries has no PDF: it would take minutes to make and could not be read. */
export const pdfEntriesMax = 10_000

const file = {
  method: 'GET',
  member: true,
  costly: true,
  query: statementQuery,
  status: 200,
  answer: z.string(),
} as const

export const statementRoutes = {
  statements: route({
    method: 'GET',
    path: '/me/statements',
    summary: 'The months that have a statement, newest first: from the first entry of the capital record on',
    member: true,
    query: z.strictObject({ zone }),
    status: 200,
    answer: z.object({ items: z.array(statementMonth) }),
  }),
  statementCsv: route({
    ...file,
    path: '/me/statement.csv',
    summary:
      "A month's statement as a CSV file in the reader's language and time zone; one at a time, else 429",
    media: 'text/csv',
  }),
  statementPdf: route({
    ...file,
    path: '/me/statement.pdf',
    summary: "A month's statement as a PDF in the reader's language and time zone; one at a time, else 429",
    media: 'application/pdf',
  }),
}
