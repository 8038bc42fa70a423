import * as z from 'zod/mini'
import { languages } from '../../contract/constants.ts'
import { ApiError } from '../apiError.ts'

const bodyMax = 20_000

const frontMatter = z.strictObject({
  id: z.optional(z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,63}$/))),
  lang: z.enum(languages),
  title: z.string().check(z.minLength(1), z.maxLength(200)),
  updatedOn: z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))),
  version: z.optional(z.string().check(z.regex(/^[1-9]\d{0,5}$/))),
})

/** A Markdown file with its front matter parsed. */
export type MarkdownDocument = z.infer<typeof frontMatter> & { body: string }

/**
 * Parses a Markdown file that begins with `---`, lines of `name: value` and `---`. Names: `lang` and `title`; `id` to
 * add a language to an article or to replace it; `updatedOn` and `version` on standing pages.
 * @throws ApiError `VALIDATION` with one code per invalid name
 */
export function parseDocument(text: string): MarkdownDocument {
  const parts = /^---\r?\n(?<head>[\s\S]*?)\r?\n---\r?\n(?<body>[\s\S]*)$/.exec(text.replace(/^\uFEFF/, ''))
  if (!parts?.groups) throw new ApiError('VALIDATION', { fields: { file: 'INVALID' } })
  const fields = Object.fromEntries(
    (parts.groups['head'] ?? '').split(/\r?\n/).map((line) => {
      const colon = line.indexOf(':')
      return colon < 0 ? [line, ''] : [line.slice(0, colon).trim(), unquote(line.slice(colon + 1).trim())]
    }),
  )
  const head = frontMatter.safeParse(fields)
  if (!head.success) {
    const names = head.error.issues.map(({ path }) => [path.join('.') || 'file', 'INVALID'])
    throw new ApiError('VALIDATION', { fields: Object.fromEntries(names) })
  }
  const body = (parts.groups['body'] ?? '').trim()
  if (body === '' || body.length > bodyMax) {
    throw new ApiError('VALIDATION', { fields: { body: body === '' ? 'REQUIRED' : 'TOO_LONG' } })
  }
  return { ...head.data, body }
}

const unquote = (value: string): string => /^(["'])(?<inner>.*)\1$/.exec(value)?.groups?.['inner'] ?? value
