import { useTranslation } from 'react-i18next'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { Card, Section, TextLink } from '../../ui/index.ts'
import { HighlightCard, HighlightSkeleton } from '../../features/content/HighlightCard.tsx'
import { useArticles } from '../../features/content/useArticles.ts'
import styles from './HomeContent.module.css'
import { SectionError } from './SectionError.tsx'

const shownHighlights = 2

/** The newest two highlights. Renders nothing if the venue has none. */
export function HomeHighlights() {
  const { t } = useTranslation()
  const { items, loading, failure, retry } = useArticles('highlights', shownHighlights)
  if (items.length === 0 && !loading && !failure) return null
  return (
    <Section
      title={t('home.highlights')}
      action={
        <TextLink caret href={hrefTo(paths.highlights)}>
          {t('common.all')}
        </TextLink>
      }
    >
      {items.length > 0 ? (
        <ul className={styles.pair}>
          {items.map((article) => (
            <li key={article.id}>
              <HighlightCard article={article} />
            </li>
          ))}
        </ul>
      ) : failure ? (
        <Card>
          <SectionError failure={failure} title={t('news.highlightsFailed')} onRetry={retry} />
        </Card>
      ) : (
        <output className={styles.pair} aria-label={t('content.loading')}>
          <HighlightSkeleton />
          <HighlightSkeleton />
        </output>
      )}
    </Section>
  )
}
