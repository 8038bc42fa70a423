import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { epochMs } from '../../../contract/units.ts'
import { isPageSlug, pageSlugs, type Article, type PageSlug } from '../../../contract/content.ts'
import { ApiError } from '../../platform/apiError.ts'
import { SettingsError } from '../../platform/settingsError.ts'
import { projectRoot } from '../../platform/paths.ts'
import { parseDocument, type MarkdownDocument } from './document.ts'
import { renderTemplate, type TemplateContext } from './template.ts'
import type { TemplateContexts } from './templateContext.ts'

export type SeededArticle = { id: string; texts: Pick<Article, 'lang' | 'title' | 'body'>[] }
export type Pages = ReadonlyMap<PageSlug, readonly Article[]>

const seedDir = join(projectRoot, 'server/office/content/seed')

/** Reads and renders the `<id>.<lang>.md` files of a folder, in the order of their names. */
async function readDocuments(
  folder: string,
  contexts: TemplateContexts,
): Promise<Map<string, MarkdownDocument[]>> {
  const documentsById = new Map<string, MarkdownDocument[]>()
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort()
  for (const name of names) {
    const [id = '', lang = ''] = name.split('.')
    // A hundred small files at a start: read one by one they take a fifth of the processor time.
    const document = parse(readFileSync(join(folder, name), 'utf8'), join(folder, name))
    if (document.lang !== lang)
      throw new Error(`${join(folder, name)} has the language ${document.lang} in its front matter.`)
    const context = contexts[document.lang]
    const rendered = { ...document, ...renderText(document, context, join(folder, name)) }
    documentsById.set(id, [...(documentsById.get(id) ?? []), rendered])
  }
  return documentsById
}

function renderText({ title, body }: MarkdownDocument, context: TemplateContext, file: string) {
  try {
    return { title: renderTemplate(title, context), body: renderTemplate(body, context) }
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

function parse(text: string, file: string): MarkdownDocument {
  try {
    return parseDocument(text)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const names = Object.keys(error.fields ?? {})
    const reason = names.includes('file')
      ? 'does not begin with front matter: ---, lines such as lang: en and title: Privacy, and ---'
      : `${names.join(', ')} is not valid`
    throw new Error(`${file}: ${reason}`, { cause: error })
  }
}

/** The news items or highlights that come with the build, the newest last. */
export async function readSeeds(
  kind: 'news' | 'highlights',
  contexts: TemplateContexts,
): Promise<SeededArticle[]> {
  const documentsById = await readDocuments(join(seedDir, kind), contexts)
  return [...documentsById].map(([id, documents]) => ({
    // A number before the name sets the order and is not part of the id.
    id: id.replace(/^\d+-/, ''),
    texts: documents.map(({ lang, title, body }) => ({ lang, title, body })),
  }))
}

/** The standing pages, each in all languages it exists in. */
export async function readPages(contexts: TemplateContexts, ownFolder?: string): Promise<Pages> {
  const documentsById = await readDocuments(join(seedDir, 'pages'), contexts)
  if (ownFolder !== undefined)
    for (const [slug, texts] of await readOwnPages(ownFolder, contexts)) documentsById.set(slug, texts)
  return new Map(
    pageSlugs.map((slug) => {
      const texts = documentsById.get(slug) ?? []
      if (texts.length === 0) throw new Error(`There is no page ${slug}.`)
      return [slug, texts.map((text) => toArticle(slug, text))]
    }),
  )
}

/**
 * The operator's own pages.
 * @throws SettingsError if the folder, or a file of it, cannot be used
 */
async function readOwnPages(
  folder: string,
  contexts: TemplateContexts,
): Promise<Map<string, MarkdownDocument[]>> {
  try {
    const documents = await readDocuments(folder, contexts)
    const unknown = [...documents.keys()].find((slug) => !isPageSlug(slug))
    if (unknown !== undefined) throw new Error(`there is no page ${unknown}, only ${pageSlugs.join(', ')}`)
    for (const [slug, texts] of documents)
      for (const { lang, updatedOn } of texts)
        if (updatedOn === undefined)
          throw new Error(`${slug}.${lang}.md has no updatedOn, such as updatedOn: 2026-05-01`)
    return documents
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SettingsError(`CONFIG_FILE: pages in ${folder} cannot be used: ${reason}`)
  }
}

function toArticle(id: PageSlug, { lang, title, body, updatedOn, version }: MarkdownDocument): Article {
  const publishedAt = Date.parse(`${updatedOn ?? ''}T00:00:00Z`)
  if (Number.isNaN(publishedAt)) throw new Error(`The page ${id} in ${lang} has no updatedOn.`)
  return { id, title, body, lang, publishedAt: epochMs(publishedAt), version: Number(version ?? 1) }
}
