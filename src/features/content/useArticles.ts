import { useMemo } from 'react'
import { contentRoutes, type Article } from '../../../contract/content.ts'
import { useLanguage } from '../../hooks/useFormat.ts'
import { useList, type ListSource } from '../../hooks/useList.ts'

export type ArticleList = 'news' | 'highlights'

/** News or highlights in the current language. */
export function useArticles(list: ArticleList, limit: number) {
  const lang = useLanguage()
  const source = useMemo(
    (): ListSource<Article> => ({
      load: (call, after, signal) =>
        call(contentRoutes[list], { query: { lang, limit: String(limit), ...after } }, { signal }),
    }),
    [list, lang, limit],
  )
  return useList(source)
}
