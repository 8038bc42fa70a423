import { useCallback } from 'react'
import { contentRoutes } from '../../../contract/content.ts'
import type { Article } from '../../../contract/content.ts'
import { call } from '../../api/venue.ts'
import { useLanguage } from '../../hooks/useFormat.ts'
import { usePages } from '../../hooks/usePages.ts'
import type { LoadPage } from '../../hooks/usePages.ts'

export type ArticleList = 'news' | 'highlights'

/**
 * News or highlights in the current language, page by page. The component that calls this needs the language as its
 * key.
 */
export function useArticles(list: ArticleList, limit: number) {
  const lang = useLanguage()
  const load: LoadPage<Article> = useCallback(
    (cursor, signal) => {
      const query = { lang, limit: String(limit), ...(cursor === undefined ? {} : { cursor }) }
      return call(contentRoutes[list], { query }, { signal })
    },
    [list, lang, limit],
  )
  return usePages(load)
}
