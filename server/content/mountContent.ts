import type { FastifyInstance } from 'fastify'
import { contentRoutes, isPageSlug } from '../../contract/content.ts'
import { minuteMs } from '../../contract/time.ts'
import { TokenBucket } from '../http/tokenBucket.ts'
import { mount } from '../http/mount.ts'
import { ApiError } from '../apiError.ts'
import type { Content } from './content.ts'

const reportRate = { calls: 10, perMs: minuteMs, burst: 10 }

export type ContentMount = {
  content: Content
  /**
   * Called if a client could not load one of its resources, with a fixed value and no text of the client. Called a few
   * times a minute at most, with the number of reports suppressed since the last call.
   */
  reportClientError: (kind: 'timeout' | 'missing' | 'other', suppressed: number) => void
}

/** News, highlights, standing pages, and the client's reports of resources that failed to load. */
export function mountContent(app: FastifyInstance, { content, reportClientError }: ContentMount): void {
  mount(app, contentRoutes.news, ({ query: { lang, ...page } }) => content.list('news', lang, page))
  mount(app, contentRoutes.newsItem, ({ params, query }) => content.show('news', params.id, query.lang))
  mount(app, contentRoutes.highlights, ({ query: { lang, ...page } }) =>
    content.list('highlight', lang, page),
  )
  mount(app, contentRoutes.highlight, ({ params, query }) => content.show('highlight', params.id, query.lang))
  mount(app, contentRoutes.page, async ({ params: { slug }, query }) => {
    if (!isPageSlug(slug)) throw new ApiError(404, 'NOT_FOUND')
    return content.page(slug, query.lang)
  })
  const { clock } = app.requestContext
  const reportBucket = new TokenBucket(reportRate, clock.now())
  let suppressed = 0
  mount(app, contentRoutes.clientError, async ({ body }) => {
    if (reportBucket.take(clock.now()) > 0) suppressed += 1
    else {
      reportClientError(body.kind, suppressed)
      suppressed = 0
    }
    return undefined
  })
}
