import { useTranslation } from 'react-i18next'
import type { Article } from '../../../contract/content.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useMinute } from '../../hooks/useMinute.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { ListRow, Skeleton } from '../../ui/index.ts'
import styles from './NewsRow.module.css'

/** A news item in a list: its title, and how long ago it was published. */
export function NewsRow({ article }: { article: Article }) {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useMinute()
  return (
    <ListRow
      href={hrefTo(paths.article, { id: article.id })}
      label={
        <span className={styles.title} lang={article.lang}>
          {article.title}
        </span>
      }
      caption={format.ago(article.publishedAt, now, t('content.justNow'))}
    />
  )
}

/** Rows in their final size, while the first page loads. */
export function NewsSkeleton({ rows }: { rows: number }) {
  const { t } = useTranslation()
  return (
    <output className={styles.rows} aria-label={t('content.loading')}>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className={styles.row}>
          <Skeleton line={15} width="75%" />
          <Skeleton line={12} width={56} />
        </span>
      ))}
    </output>
  )
}
