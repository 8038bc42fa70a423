import { useCallback } from 'react'
import type { Language } from '../../../contract/constants.ts'
import { contentRoutes } from '../../../contract/content.ts'
import type { Article, PageSlug } from '../../../contract/content.ts'
import { refusalOf } from '../../api/result.ts'
import type { Result } from '../../api/result.ts'
import { call } from '../../api/venue.ts'
import { useLanguage } from '../../hooks/useFormat.ts'
import { useRequest } from '../../hooks/useRequest.ts'

/** What an id of `pages/index/detail` leads to: ids are unique over news and highlights. */
export type Item = { kind: 'news' | 'highlight'; article: Article }

/** A standing page in the language shown; another language fetches it anew. */
export function useStanding(slug: PageSlug) {
  const lang = useLanguage()
  const load = useCallback(
    (signal: AbortSignal) => call(contentRoutes.page, { params: { slug }, query: { lang } }, { signal }),
    [slug, lang],
  )
  return useRequest(load)
}

/** A news item or a highlight in the language shown. */
export function useItem(id: string) {
  const lang = useLanguage()
  const load = useCallback((signal: AbortSignal) => loadItem(id, lang, signal), [id, lang])
  return useRequest(load)
}

async function loadItem(id: string, lang: Language, signal: AbortSignal): Promise<Result<Item>> {
  const input = { params: { id }, query: { lang } }
  const news = await call(contentRoutes.newsItem, input, { signal })
  if (refusalOf(news) !== 'NOT_FOUND') return named('news', news)
  return named('highlight', await call(contentRoutes.highlight, input, { signal }))
}

const named = (kind: Item['kind'], result: Result<Article>): Result<Item> =>
  result.ok ? { ...result, value: { kind, article: result.value } } : result
