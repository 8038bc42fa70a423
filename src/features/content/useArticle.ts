import { useMemo } from 'react'
import type { Language } from '../../../contract/constants.ts'
import { contentRoutes, type Article, type PageSlug } from '../../../contract/content.ts'
import type { Client } from '../../api/client.ts'
import { errorCodeOf, type Result } from '../../api/result.ts'
import { useLanguage } from '../../hooks/useFormat.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'

/** The item behind an id of `pages/index/detail`: ids are unique across news and highlights. */
export type ArticleItem = { kind: 'news' | 'highlight'; article: Article }

/** A static page in the current language; a change of language fetches it again. */
export function useStaticPage(slug: PageSlug) {
  const lang = useLanguage()
  const source = useMemo(
    (): ResourceSource<Article> => ({
      fetch: (call, signal) => call(contentRoutes.page, { params: { slug }, query: { lang } }, { signal }),
    }),
    [slug, lang],
  )
  return useResource(source)
}

/** A news item or a highlight in the current language. `expectedKind` is requested first. */
export function useArticleItem(id: string, expectedKind: ArticleItem['kind']) {
  const lang = useLanguage()
  const source = useMemo(
    (): ResourceSource<ArticleItem> => ({
      fetch: (call, signal) => loadItem(call, id, lang, expectedKind, signal),
    }),
    [id, lang, expectedKind],
  )
  return useResource(source)
}

async function loadItem(
  call: Client,
  id: string,
  lang: Language,
  expectedKind: ArticleItem['kind'],
  signal: AbortSignal,
): Promise<Result<ArticleItem>> {
  const input = { params: { id }, query: { lang } }
  const load = async (kind: ArticleItem['kind']): Promise<Result<ArticleItem>> => {
    const route = kind === 'news' ? contentRoutes.newsItem : contentRoutes.highlight
    const result = await call(route, input, { signal })
    return result.ok ? { ...result, value: { kind, article: result.value } } : result
  }
  const first = await load(expectedKind)
  return errorCodeOf(first) === 'NOT_FOUND' ? load(expectedKind === 'news' ? 'highlight' : 'news') : first
}
