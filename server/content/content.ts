import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { epochMs } from '../../contract/brand.ts'
import type { Language } from '../../contract/constants.ts'
import { contentRoutes, isPageSlug } from '../../contract/content.ts'
import type { Article, PageSlug } from '../../contract/content.ts'
import type { Audit } from '../audit/audit.ts'
import { readCursor } from '../cursor.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { article, articleText } from '../db/schema/content.ts'
import type { ArticleKind } from '../db/schema/content.ts'
import { minuteMs } from '../../contract/time.ts'
import { ApiError } from '../apiError.ts'
import { mount } from '../http/mount.ts'
import type { Module } from '../module.ts'
import { toPagedList } from '../paging.ts'
import type { PagedList, PageRequest } from '../paging.ts'
import type { Clock, Random } from '../ports.ts'
import { TokenBucket } from '../tokenBucket.ts'
import { parseDocument } from './document.ts'
import { templateContexts, templatePartsOf } from './templateContext.ts'
import type { ContentSettings } from './templateContext.ts'
import { languageFor } from './languageFor.ts'
import { insertSeedContent } from './insertSeedContent.ts'
import { readPages, readSeeds } from './seeds.ts'

/** News, highlights and standing pages, each in the language nearest to the requested one. */
export type Content = {
  list(kind: ArticleKind, lang: Language | undefined, page: PageRequest): Promise<PagedList<Article>>
  /** Throws `NOT_FOUND`. */
  show(kind: ArticleKind, id: string, lang: Language | undefined): Promise<Article>
  page(slug: PageSlug, lang: Language | undefined): Article
  /**
   * Publishes a Markdown file with front matter. With the `id` of an existing article it adds or replaces a language of
   * it, as its next version. Throws `VALIDATION`, or `CONFLICT` if the id belongs to the other kind.
   */
  publish(kind: ArticleKind, file: string, actor: string): Promise<Article>
}

export type ContentParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'uuid'>
  audit: Audit
  settings: ContentSettings
}

/** How long a list is cached. */
const listCacheTtlMs = 1000
const clientErrorRate = { calls: 10, perMs: minuteMs, burst: 10 }

/** Reads the pages of the build, and in practice mode inserts its news and highlights. */
export async function createContent(parts: ContentParts): Promise<Content & Module> {
  const { db, clock } = parts
  const templateParts = templatePartsOf(parts.settings)
  const contexts = templateContexts(templateParts)
  const pages = await readPages(contexts, parts.settings.operatorConfig.pages)
  if (templateParts.practice) {
    await insertSeedContent(db, clock.now(), 'news', await readSeeds('news', contexts))
    await insertSeedContent(db, clock.now(), 'highlight', await readSeeds('highlights', contexts))
  }

  // Many readers request the same page at once, and each request loads every language of every article.
  const lists = new LRUCache<string, Promise<PagedList<Article>>>({ max: 200, ttl: listCacheTtlMs })
  const listOf = async (
    kind: ArticleKind,
    lang: Language | undefined,
    page: PageRequest,
  ): Promise<PagedList<Article>> => {
    const after = readCursor(page.cursor)
    const rows = await db
      .select()
      .from(article)
      .where(and(eq(article.kind, kind), after ? lt(article.no, after[0]) : undefined))
      .orderBy(desc(article.no))
      .limit(page.limit + 1)
    const texts = await textsOf(
      db,
      rows.map(({ id }) => id),
    )
    return toPagedList(
      rows,
      page.limit,
      (row) => inLanguage(row, texts.get(row.id) ?? [], lang),
      ({ no }) => [no, ''],
    )
  }

  const content: Content = {
    list: (kind, lang, page) => {
      const key = JSON.stringify([kind, lang, page.cursor, page.limit])
      const cached = lists.get(key)
      if (cached) return cached
      const list = listOf(kind, lang, page)
      lists.set(key, list)
      list.catch(() => lists.delete(key))
      return list
    },
    show: async (kind, id, lang) => {
      const [row] = await db
        .select()
        .from(article)
        .where(and(eq(article.id, id), eq(article.kind, kind)))
      if (!row) throw new ApiError('NOT_FOUND')
      return inLanguage(row, (await textsOf(db, [id])).get(id) ?? [], lang)
    },
    page: (slug, lang) => {
      const texts = pages.get(slug) ?? []
      const used = languageFor(lang, (code) => texts.some((text) => text.lang === code))
      return texts.find((text) => text.lang === used) ?? missing(slug)
    },
    publish: async (kind, file, actor) => {
      const published = await publishArticle(parts, kind, file, actor)
      lists.clear()
      return published
    },
  }
  return { ...content, mount: (app) => mountRoutes(app, content) }
}

/** News, highlights, standing pages, and the client's reports of resources that failed to load. */
function mountRoutes(app: FastifyInstance, content: Content): void {
  mount(app, contentRoutes.news, ({ query: { lang, ...page } }) => content.list('news', lang, page))
  mount(app, contentRoutes.newsItem, ({ params, query }) => content.show('news', params.id, query.lang))
  mount(app, contentRoutes.highlights, ({ query: { lang, ...page } }) =>
    content.list('highlight', lang, page),
  )
  mount(app, contentRoutes.highlight, ({ params, query }) => content.show('highlight', params.id, query.lang))
  mount(app, contentRoutes.page, async ({ params: { slug }, query }) => {
    if (!isPageSlug(slug)) throw new ApiError('NOT_FOUND')
    return content.page(slug, query.lang)
  })
  mountClientErrors(app)
}

/** Logs that a client could not load one of its resources: a fixed value, no text of the client, a few times a minute. */
function mountClientErrors(app: FastifyInstance): void {
  const { clock } = app.requestContext
  const bucket = new TokenBucket(clientErrorRate, clock.now())
  let suppressed = 0
  mount(app, contentRoutes.clientError, async ({ body: { kind } }) => {
    if (bucket.take(clock.now()) > 0) suppressed += 1
    else {
      app.log.warn(`a client could not load a resource: ${kind}; ${suppressed} more since the last entry`)
      suppressed = 0
    }
    return undefined
  })
}

function publishArticle(
  { db, clock, random, audit }: ContentParts,
  kind: ArticleKind,
  file: string,
  actor: string,
): Promise<Article> {
  const { id = random.uuid(), lang, title, body } = parseDocument(file)
  return db.transaction(async (tx) => {
    const row = { id, kind, seeded: false, publishedAt: clock.now() }
    const [written] = await tx
      .insert(article)
      .values(row)
      .onConflictDoUpdate({
        target: article.id,
        set: { version: sql`${article.version} + 1`, seeded: false },
        setWhere: eq(article.kind, kind),
      })
      .returning()
    if (!written) throw new ApiError('CONFLICT')
    await tx
      .insert(articleText)
      .values({ articleId: id, lang, title, body })
      .onConflictDoUpdate({
        target: [articleText.articleId, articleText.lang],
        set: { title, body },
      })
    const { version, publishedAt } = written
    const details = { lang, version }
    await audit.write(tx, { actor, act: 'publish', subject: { kind, id }, details })
    return { id, title, body, lang, publishedAt: epochMs(publishedAt), version }
  })
}

type ArticleRow = typeof article.$inferSelect
type TextRow = typeof articleText.$inferSelect

async function textsOf(db: Db | DbTransaction, ids: readonly string[]): Promise<Map<string, TextRow[]>> {
  const textsById = new Map<string, TextRow[]>()
  if (ids.length === 0) return textsById
  const rows = await db
    .select()
    .from(articleText)
    .where(inArray(articleText.articleId, [...ids]))
  for (const row of rows) textsById.set(row.articleId, [...(textsById.get(row.articleId) ?? []), row])
  return textsById
}

function inLanguage(row: ArticleRow, texts: readonly TextRow[], requested: Language | undefined): Article {
  const used = languageFor(requested, (lang) => texts.some((text) => text.lang === lang))
  const { title, body, lang } = texts.find((text) => text.lang === used) ?? missing(row.id)
  return { id: row.id, title, body, lang, publishedAt: epochMs(row.publishedAt), version: row.version }
}

function missing(id: string): never {
  throw new Error(`${id} has no text in any language.`)
}
