import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { epochMs } from '../../contract/brand.ts'
import { pageSlugs } from '../../contract/content.ts'
import type { Article, PageSlug } from '../../contract/content.ts'
import { projectRoot } from '../paths.ts'
import { parseDocument } from './document.ts'
import type { MarkdownDocument } from './document.ts'
import { renderTemplate } from './template.ts'
import type { TemplateContexts } from './templateContext.ts'

export type SeededArticle = { id: string; texts: Pick<Article, 'lang' | 'title' | 'body'>[] }
export type Pages = ReadonlyMap<PageSlug, readonly Article[]>

const seedDir = join(projectRoot, 'server/content/seed')

/** Reads and renders the `<id>.<lang>.md` files of one kind, in the order of their names. */
async function readDocuments(
  kind: string,
  contexts: TemplateContexts,
): Promise<Map<string, MarkdownDocument[]>> {
  const documentsById = new Map<string, MarkdownDocument[]>()
  const names = (await readdir(join(seedDir, kind))).filter((name) => name.endsWith('.md')).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(seedDir, kind, name), 'utf8')))
  for (const [i, name] of names.entries()) {
    const [id = '', lang = ''] = name.split('.')
    const document = parseDocument(texts[i] ?? '')
    if (document.lang !== lang)
      throw new Error(`${kind}/${name} has the language ${document.lang} in its front matter.`)
    const context = contexts[document.lang]
    const rendered = {
      ...document,
      title: renderTemplate(document.title, context),
      body: renderTemplate(document.body, context),
    }
    documentsById.set(id, [...(documentsById.get(id) ?? []), rendered])
  }
  return documentsById
}

/** The news items or highlights that come with the build, the newest last. */
export async function readSeeds(
  kind: 'news' | 'highlights',
  contexts: TemplateContexts,
): Promise<SeededArticle[]> {
  const documentsById = await readDocuments(kind, contexts)
  return [...documentsById].map(([id, documents]) => ({
    // A number before the name sets the order and is not part of the id.
    id: id.replace(/^\d+-/, ''),
    texts: documents.map(({ lang, title, body }) => ({ lang, title, body })),
  }))
}

/** The standing pages, each in all languages it exists in. */
export async function readPages(contexts: TemplateContexts): Promise<Pages> {
  const documentsById = await readDocuments('pages', contexts)
  return new Map(
    pageSlugs.map((slug) => {
      const texts = documentsById.get(slug) ?? []
      if (texts.length === 0) throw new Error(`There is no page ${slug}.`)
      return [slug, texts.map((text) => toArticle(slug, text))]
    }),
  )
}

function toArticle(id: PageSlug, { lang, title, body, updatedOn, version }: MarkdownDocument): Article {
  const publishedAt = Date.parse(`${updatedOn ?? ''}T00:00:00Z`)
  if (Number.isNaN(publishedAt)) throw new Error(`The page ${id} in ${lang} has no updatedOn.`)
  return { id, title, body, lang, publishedAt: epochMs(publishedAt), version: Number(version ?? 1) }
}
