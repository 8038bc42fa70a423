import { useTranslation } from 'react-i18next'
import { valueOf } from '../../hooks/useObservable.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { useQuery } from '../../router/useQuery.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { Button, EmptyState, ListRow } from '../../ui/index.ts'
import { ArticleSkeleton, ArticleText } from '../../features/content/ArticleText.tsx'
import staticPageStyles from './StaticPages.module.css'
import { useArticleItem } from '../../features/content/useArticle.ts'
import { Loaded } from '../../shell/Loaded.tsx'

/** `pages/index/detail?id=`: a news item or a highlight. A `kind` saves a request for the other kind first. */
export function ArticlePage() {
  const { t } = useTranslation()
  const [query] = useQuery()
  const { loadable, reload } = useArticleItem(
    query.get('id') ?? '-',
    query.get('kind') === 'highlight' ? 'highlight' : 'news',
  )
  const item = valueOf(loadable)
  const highlight = item?.kind === 'highlight'
  const isMissing =
    loadable.state === 'failed' &&
    loadable.failure.kind === 'rejected' &&
    (loadable.failure.status === 404 || loadable.failure.status === 400)
  return (
    <Page
      ground="market"
      title={t(highlight ? 'news.highlight' : item ? 'title.news' : 'title.article')}
      backTo={highlight ? paths.highlights : paths.news}
    >
      {isMissing && !item ? (
        <EmptyState
          icon="newspaper"
          title={t('content.missing')}
          action={
            <Button variant="secondary" href={hrefTo(paths.news)}>
              {t('content.toNews')}
            </Button>
          }
        >
          {t('content.missingText')}
        </EmptyState>
      ) : (
        <Loaded
          of={loadable}
          failed={t('content.failed')}
          retry={reload}
          skeleton={<ArticleSkeleton heading />}
        >
          {({ article }) => (
            <>
              <ArticleText heading article={article} dated="published" />
              {article.id === 'proofs' && (
                <nav className={staticPageStyles.next} aria-label={t('content.more')}>
                  <ListRow label={t('title.check')} href={hrefTo(paths.check)} icon="check-circle" />
                </nav>
              )}
            </>
          )}
        </Loaded>
      )}
    </Page>
  )
}
