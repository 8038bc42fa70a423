import type { FastifyInstance } from 'fastify'
import { contentRoutes, isPageSlug } from '../../contract/content.ts'
import { Bucket } from '../http/bucket.ts'
import { mount } from '../http/mount.ts'
import { Refusal } from '../http/refusal.ts'
import type { Content } from './content.ts'

const toldRate = { calls: 10, perMs: 60_000, burst: 10 }

export type ContentMount = {
  content: Content
  /**
   * Told that a client could not load one of its resources; a fixed word, nothing of the client's own. Told a few times
   * a minute at most, with how many were left out since the last time.
   */
  clientFailed: (kind: 'timeout' | 'missing' | 'other', unsaid: number) => void
}

/** News, highlights, standing pages, and the client's word that a resource would not load. */
export function mountContent(app: FastifyInstance, { content, clientFailed }: ContentMount): void {
  mount(app, contentRoutes.news, ({ query: { lang, ...page } }) => content.list('news', lang, page))
  mount(app, contentRoutes.newsItem, ({ params, query }) => content.show('news', params.id, query.lang))
  mount(app, contentRoutes.highlights, ({ query: { lang, ...page } }) =>
    content.list('highlight', lang, page),
  )
  mount(app, contentRoutes.highlight, ({ params, query }) => content.show('highlight', params.id, query.lang))
  mount(app, contentRoutes.page, async ({ params: { slug }, query }) => {
    if (!isPageSlug(slug)) throw new Refusal(404, 'NOT_FOUND')
    return content.page(slug, query.lang)
  })
  const { clock } = app.gate
  const told = new Bucket(toldRate, clock.now())
  let unsaid = 0
  mount(app, contentRoutes.clientError, async ({ body }) => {
    if (told.take(clock.now()) > 0) unsaid += 1
    else {
      clientFailed(body.kind, unsaid)
      unsaid = 0
    }
    return undefined
  })
}
