import type { FastifyInstance } from 'fastify'
import { contentRoutes, isPageSlug } from '../../contract/content.ts'
import { mount } from '../http/mount.ts'
import { Refusal } from '../http/refusal.ts'
import type { Content } from './content.ts'

export type ContentMount = {
  content: Content
  /** Told that a client could not load one of its resources; a fixed word, nothing of the client's own. */
  clientFailed: (kind: 'timeout' | 'missing' | 'other') => void
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
  mount(app, contentRoutes.clientError, async ({ body }) => {
    clientFailed(body.kind)
    return undefined
  })
}
