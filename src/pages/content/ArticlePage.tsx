import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failureText.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { useQuery } from '../../router/useQuery.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { Button, EmptyState, ErrorState, ListRow } from '../../ui/index.ts'
import { ArticleSkeleton, ArticleText } from '../../features/content/ArticleText.tsx'
import staticPageStyles from './StaticPages.module.css'
import { useArticleItem } from '../../features/content/useArticle.ts'

/** `pages/index/detail?id=`: a news item or a highlight. A `kind` saves a request for the other kind first. */
export function ArticlePage() {
  const { t } = useTranslation()
  const format = useFormat()
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
      {item ? (
        <>
          <ArticleText heading article={item.article} dated="published" />
          {item.article.id === 'proofs' && (
            <nav className={staticPageStyles.next} aria-label={t('content.more')}>
              <ListRow label={t('title.check')} href={hrefTo(paths.check)} icon="check-circle" />
            </nav>
          )}
        </>
      ) : isMissing ? (
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
      ) : loadable.state === 'failed' ? (
        <ErrorState title={t('content.failed')} retryLabel={t('common.retry')} onRetry={reload}>
          {failureText(t, format, loadable.failure)}
        </ErrorState>
      ) : (
        <ArticleSkeleton heading />
      )}
    </Page>
  )
}
