import { useTranslation } from 'react-i18next'
import type { Article } from '../../../contract/content.ts'
import type { ReactNode } from 'react'
import { useLanguage } from '../../hooks/useFormat.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { EmptyState } from '../../ui/index.ts'
import styles from './Articles.module.css'
import { HighlightCard, HighlightSkeleton } from '../../features/content/HighlightCard.tsx'
import { NewsRow, NewsSkeleton } from '../../features/content/NewsRow.tsx'
import { MoreButton } from '../../features/lists/MoreButton.tsx'
import { useArticles, type ArticleList } from '../../features/content/useArticles.ts'
import { Loaded } from '../../shell/Loaded.tsx'
import { itemsOf } from '../../hooks/useListState.ts'

const pageSize = 20

/** All news, the newest first. */
export function News() {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <Page refresh="bar" ground="market" title={t('title.news')} backTo={paths.home}>
      <div className={styles.rows}>
        <Articles
          key={language}
          list="news"
          failed={t('news.failed')}
          empty={
            <EmptyState icon="newspaper" title={t('news.none')}>
              {t('news.noneText')}
            </EmptyState>
          }
          skeleton={<NewsSkeleton rows={6} />}
        >
          {(articles) =>
            articles.map((article) => (
              <li key={article.id} className={styles.row}>
                <NewsRow article={article} />
              </li>
            ))
          }
        </Articles>
      </div>
    </Page>
  )
}

/** All highlights of the platform. */
export function Highlights() {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <Page refresh="bar" ground="money" title={t('title.highlights')} backTo={paths.home}>
      <div className={styles.cards}>
        <Articles
          key={language}
          list="highlights"
          failed={t('news.highlightsFailed')}
          empty={
            <EmptyState icon="seal-check" title={t('news.noHighlights')}>
              {t('news.noHighlightsText')}
            </EmptyState>
          }
          skeleton={
            <output className={styles.list} aria-label={t('content.loading')}>
              <HighlightSkeleton />
              <HighlightSkeleton />
            </output>
          }
        >
          {(articles) =>
            articles.map((article) => (
              <li key={article.id}>
                <HighlightCard article={article} />
              </li>
            ))
          }
        </Articles>
      </div>
    </Page>
  )
}

type ArticlesProps = {
  list: ArticleList
  failed: string
  empty: ReactNode
  skeleton: ReactNode
  children: (articles: readonly Article[]) => ReactNode
}

/** A list of articles in every state it can be in. */
function Articles({ list, failed, empty, skeleton, children }: ArticlesProps) {
  const { t } = useTranslation()
  const articles = useArticles(list, pageSize)
  const { cursor, loading, failure, more, retry } = articles
  return (
    <Loaded of={itemsOf(articles)} {...{ failed, retry, skeleton, empty }}>
      {(items) => (
        <>
          <ul className={styles.list}>{children(items)}</ul>
          {typeof cursor === 'string' && (
            <MoreButton
              onMore={failure ? retry : more}
              busy={loading}
              failed={failure && t('content.moreFailed')}
            />
          )}
        </>
      )}
    </Loaded>
  )
}
