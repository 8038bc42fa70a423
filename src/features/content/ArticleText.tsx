import { useTranslation } from 'react-i18next'
import type { Article } from '../../../contract/content.ts'
import { useFormat, useLanguage } from '../../hooks/useFormat.ts'
import { Skeleton } from '../../ui/index.ts'
import { ArticleView, languageNameFor } from './ArticleView.tsx'
import styles from './ArticleText.module.css'

export type ArticleTextProps = {
  article: Article
  /** Leave out if the page's bar already shows the title. */
  heading?: boolean
  /** News shows the day it was published; a static page shows the day it was last changed. */
  dated: 'published' | 'updated'
}

/** An article: its date, a note if it is not in the reader's language, its text. */
export function ArticleText({ article, heading = false, dated }: ArticleTextProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const date = format.date(article.publishedAt)
  const isOther = article.lang !== language
  return (
    <ArticleView
      article={article}
      heading={heading}
      dated={dated === 'published' ? date : t('content.updated', { date })}
      notice={isOther ? t('content.shownIn', { language: languageNameFor(language, article.lang) }) : null}
    />
  )
}

const paragraphs = [4, 3, 5]

/** Placeholder lines for the text. */
export function ArticleSkeleton({ heading = false }: { heading?: boolean }) {
  const { t } = useTranslation()
  return (
    <output className={styles.article} aria-label={t('content.loading')}>
      {heading && <Skeleton line={22} width="80%" />}
      <Skeleton line={12} width={96} />
      {paragraphs.map((lines) => (
        <span key={lines} className={styles.paragraph}>
          {Array.from({ length: lines }, (_, line) => (
            <Skeleton key={line} line={15} width={line === lines - 1 ? '60%' : '100%'} />
          ))}
        </span>
      ))}
    </output>
  )
}
