import * as z from 'zod/mini'
import { languages } from '../../../contract/constants.ts'
import { isPageAddress } from '../../../contract/pagePaths.ts'
import { isBlank, visibleLine } from '../../../contract/schema.ts'
import type { FieldCode } from '../../../contract/errors.ts'
import { ApiError } from '../../platform/apiError.ts'

const bodyMax = 20_000
/** The address of a Markdown link. */
const linkPattern = /\]\(\s*([^\s)]+)/g

const frontMatter = z.strictObject({
  id: z.optional(z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,63}$/))),
  lang: z.enum(languages),
  title: visibleLine(200),
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
  const bodyError = bodyErrorOf(body)
  if (bodyError !== null) throw new ApiError('VALIDATION', { fields: { body: bodyError } })
  return { ...head.data, body }
}

function bodyErrorOf(body: string): FieldCode | null {
  if (isBlank(body)) return 'REQUIRED'
  if (body.length > bodyMax) return 'TOO_LONG'
  return Array.from(body.matchAll(linkPattern), ([, address = '']) => address).every(isUsableLink)
    ? null
    : 'INVALID'
}

/** A link of the app begins with `#/`; anything else that is not a web address would lead nowhere. */
const isUsableLink = (address: string): boolean =>
  !/^(#|\/|pages\/)/.test(address) || (address.startsWith('#') && isPageAddress(address.slice(1)))

const unquote = (value: string): string => /^(["'])(?<inner>.*)\1$/.exec(value)?.groups?.['inner'] ?? value
