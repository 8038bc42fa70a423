import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pageSlugs } from '../../contract/content.ts'
import type { Article, PageSlug } from '../../contract/content.ts'
import type { Language } from '../../contract/constants.ts'
import { projectRoot } from '../paths.ts'
import { readDocument } from './document.ts'
import type { Document } from './document.ts'
import { fill } from './template.ts'
import type { Facts } from './template.ts'

type FactsOf = (lang: Language) => Facts
export type SeededArticle = { id: string; texts: Pick<Article, 'lang' | 'title' | 'body'>[] }
export type Pages = ReadonlyMap<PageSlug, readonly Article[]>

const seedDir = join(projectRoot, 'server/content/seed')

/** Reads `<id>.<lang>.md` files of one kind, filled with the facts of their language, in the order of their names. */
async function readKind(kind: string, facts: FactsOf): Promise<Map<string, Document[]>> {
  const found = new Map<string, Document[]>()
  const names = (await readdir(join(seedDir, kind))).filter((name) => name.endsWith('.md')).sort()
  for (const name of names) {
    const [id = '', lang = ''] = name.split('.')
    const text = await readFile(join(seedDir, kind, name), 'utf8')
    const document = readDocument(text)
    if (document.lang !== lang) throw new Error(`${kind}/${name} says that its language is ${document.lang}.`)
    const filled = {
      ...document,
      title: fill(document.title, facts(document.lang)),
      body: fill(document.body, facts(document.lang)),
    }
    found.set(id, [...(found.get(id) ?? []), filled])
  }
  return found
}

/** The news items or highlights that come with the build, the newest last. */
export async function readSeeds(
  kind: 'news' | 'highlights',
  facts: (lang: Language) => Facts,
): Promise<SeededArticle[]> {
  const found = await readKind(kind, facts)
  return [...found].map(([id, documents]) => ({
    // A number in front of the name is the order, not a part of the id.
    id: id.replace(/^\d+-/, ''),
    texts: documents.map(({ lang, title, body }) => ({ lang, title, body })),
  }))
}

/** The standing pages, each in every language that it is there in. */
export async function readPages(facts: (lang: Language) => Facts): Promise<Pages> {
  const found = await readKind('pages', facts)
  return new Map(
    pageSlugs.map((slug) => {
      const texts = found.get(slug) ?? []
      if (texts.length === 0) throw new Error(`There is no page ${slug}.`)
      return [slug, texts.map((text) => pageOf(slug, text))]
    }),
  )
}

function pageOf(id: PageSlug, { lang, title, body, updatedOn, version }: Document): Article {
  const publishedAt = Date.parse(`${updatedOn ?? ''}T00:00:00Z`)
  if (Number.isNaN(publishedAt))
    throw new Error(`The page ${id} in ${lang} does not say when it was updated.`)
  return { id, title, body, lang, publishedAt, version: Number(version ?? 1) }
}
