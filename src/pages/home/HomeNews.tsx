import { useTranslation } from 'react-i18next'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { Card, Section, TextLink } from '../../ui/index.ts'
import { NewsRow, NewsSkeleton } from '../../features/content/NewsRow.tsx'
import { useArticles } from '../../features/content/useArticles.ts'
import styles from './HomeContent.module.css'
import { SectionError } from './SectionError.tsx'

const shownNews = 2

/** The newest news. Renders nothing if the venue has none. */
export function HomeNews() {
  const { t } = useTranslation()
  const { items, loading, failure, retry } = useArticles('news', shownNews)
  if (items.length === 0 && !loading && !failure) return null
  return (
    <Section
      title={t('home.news')}
      action={
        <TextLink caret href={hrefTo(paths.news)}>
          {t('common.all')}
        </TextLink>
      }
    >
      <Card>
        {items.length > 0 ? (
          <ul>
            {items.map((article) => (
              <li key={article.id} className={styles.row}>
                <NewsRow article={article} />
              </li>
            ))}
          </ul>
        ) : failure ? (
          <SectionError failure={failure} title={t('news.failed')} onRetry={retry} />
        ) : (
          <NewsSkeleton rows={shownNews} />
        )}
      </Card>
    </Section>
  )
}
