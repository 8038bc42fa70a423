import { useTranslation } from 'react-i18next'
import type { Article } from '../../../contract/content.ts'
import { useFormat, useLanguage } from '../../hooks/useFormat.ts'
import { Markdown } from '../../markdown/Markdown.tsx'
import { Icon, Skeleton } from '../../ui/index.ts'
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
  const date = format.date(article.publishedAt)
  return (
    <article className={styles.article}>
      {heading && (
        <h2 className={styles.heading} lang={article.lang}>
          {article.title}
        </h2>
      )}
      <p className={styles.date}>{dated === 'published' ? date : t('content.updated', { date })}</p>
      <LanguageNotice article={article} />
      <div className={styles.body} lang={article.lang}>
        <Markdown source={article.body} top={heading ? 3 : 2} />
      </div>
    </article>
  )
}

/** Chinese by its script: readers say Simplified Chinese, not Chinese (China). */
const scriptOf = (language: string): string =>
  language === 'zh-CN' ? 'zh-Hans' : language === 'zh-TW' ? 'zh-Hant' : language

/** Marks an article that is not available in the current language. */
function LanguageNotice({ article }: { article: Article }) {
  const { t } = useTranslation()
  const language = useLanguage()
  if (article.lang === language) return null
  const name =
    new Intl.DisplayNames([language], { type: 'language' }).of(scriptOf(article.lang)) ?? article.lang
  return (
    <p className={styles.shownIn}>
      <Icon name="translate" size={16} />
      <span>{t('content.shownIn', { language: name })}</span>
    </p>
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
