import { and, desc, eq, lt } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Language } from '../../../contract/constants.ts'
import {
  contentRoutes,
  isPageSlug,
  pageSlugs,
  type Article,
  type PageSlug,
} from '../../../contract/content.ts'
import { readCursor } from '../../platform/cursor.ts'
import { article, type ArticleKind } from '../schema.ts'
import { minuteMs } from '../../../contract/time.ts'
import { ApiError } from '../../platform/apiError.ts'
import { mount } from '../../platform/http/mount.ts'
import type { Module } from '../../platform/module.ts'
import { toPagedList, type PagedList, type PageRequest } from '../../platform/paging.ts'
import { TokenBucket } from '../../platform/tokenBucket.ts'
import { headOfFile, headsOf, inLanguage, readHead, type Head } from './heads.ts'
import { templateContexts, templatePartsOf, type ContentSettings } from './templateContext.ts'
import { insertSeedContent } from './insertSeedContent.ts'
import { readPages, readSeeds } from './seeds.ts'
import { createVersions, type VersionParts, type Versions } from './versions.ts'

/** News, highlights and standing pages, each in the language nearest to the requested one. */
export type Content = {
  list(kind: ArticleKind, lang: Language | undefined, page: PageRequest): Promise<PagedList<Article>>
  /** Throws `NOT_FOUND`. */
  show(kind: ArticleKind, id: string, lang: Language | undefined): Promise<Article>
  /** What the office published, or else the page of the operator's folder, or of the build. */
  page(slug: PageSlug, lang: Language | undefined): Promise<Article>
  versions: Versions
}

export type ContentParts = VersionParts & { settings: ContentSettings }

/** How long lists and pages are cached. */
const cacheTtlMs = 1000
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

  const lists = createLists(db)
  const pageHeads = new LRUCache<PageSlug, Promise<Head>>({ max: pageSlugs.length, ttl: cacheTtlMs })
  const pageHead = async (slug: PageSlug): Promise<Head> =>
    (await readHead(db, 'page', slug)) ?? headOfFile(pages, slug)
  const versions = createVersions(parts, pages)
  const fresh = async <T>(published: Promise<T>): Promise<T> => {
    const answer = await published
    lists.clear()
    pageHeads.clear()
    return answer
  }

  const content: Content = {
    list: lists.list,
    show: async (kind, id, lang) => {
      const head = await readHead(db, kind, id)
      if (!head) throw new ApiError('NOT_FOUND')
      return inLanguage(head, lang)
    },
    page: async (slug, lang) => {
      const cached = pageHeads.get(slug)
      if (cached) return inLanguage(await cached, lang)
      const head = pageHead(slug)
      pageHeads.set(slug, head)
      head.catch(() => pageHeads.delete(slug))
      return inLanguage(await head, lang)
    },
    versions: {
      ...versions,
      publish: (kind, file, actor) => fresh(versions.publish(kind, file, actor)),
      publishAgain: (kind, id, version, actor) => fresh(versions.publishAgain(kind, id, version, actor)),
    },
  }
  return { ...content, mount: (app) => mountRoutes(app, content) }
}

/** Lists of articles. Many readers request the same page at once, and each request loads every language of every article. */
function createLists(db: ContentParts['db']): Pick<Content, 'list'> & { clear(): void } {
  const cache = new LRUCache<string, Promise<PagedList<Article>>>({ max: 200, ttl: cacheTtlMs })
  const read: Content['list'] = async (kind, lang, page) => {
    const after = readCursor(page.cursor)
    const rows = await db
      .select()
      .from(article)
      .where(and(eq(article.kind, kind), after ? lt(article.no, after[0]) : undefined))
      .orderBy(desc(article.no))
      .limit(page.limit + 1)
    const heads = new Map((await headsOf(db, rows)).map((head) => [head.id, head]))
    return toPagedList(
      rows,
      page.limit,
      ({ id }) => inLanguage(heads.get(id) ?? missing(id), lang),
      ({ no }) => [no, ''],
    )
  }
  return {
    list: (kind, lang, page) => {
      const key = JSON.stringify([kind, lang, page.cursor, page.limit])
      const cached = cache.get(key)
      if (cached) return cached
      const list = read(kind, lang, page)
      cache.set(key, list)
      list.catch(() => cache.delete(key))
      return list
    },
    clear: () => cache.clear(),
  }
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
  mount(app, contentRoutes.reportClientError, async ({ body: { kind } }) => {
    if (bucket.take(clock.now()) > 0) suppressed += 1
    else {
      app.log.warn(`a client could not load a resource: ${kind}; ${suppressed} more since the last entry`)
      suppressed = 0
    }
    return undefined
  })
}

function missing(id: string): never {
  throw new Error(`${id} has no text.`)
}
