import type { Language } from '../../../contract/constants.ts'
import type { Article } from '../../../contract/content.ts'
import { ArticleView, languageNameFor } from '../../../src/features/content/ArticleView.tsx'
import { formatOf } from '../../../src/text/format.ts'
import { useSession } from '../../state/staff.ts'
import type { ArticleKind } from './articleKinds.ts'
import styles from './ArticlePreview.module.css'
import { memberTexts } from './memberTexts.ts'

type PreviewProps = {
  kind: ArticleKind
  article: Pick<Article, 'title' | 'body' | 'lang'>
  /** The accessible name. */
  label: string
  /** Of news when it was published, of a page when its text was last changed. */
  at: number
  /** The reader's language. */
  language: Language
}

/** What a member who reads this language sees, on the width and ground of a phone. */
export function ArticlePreview({ kind, article, label, at, language }: PreviewProps) {
  const texts = memberTexts[language]
  const date = formatOf(language, useSession().zone).date(at)
  const isOther = article.lang !== language
  return (
    <section className={styles.phone} aria-label={label} data-ground="market" lang={language}>
      <ArticleView
        article={article}
        heading={kind !== 'pages'}
        dated={kind === 'pages' ? texts.updated.replace('{{date}}', date) : date}
        notice={
          isOther ? texts.shownIn.replace('{{language}}', languageNameFor(language, article.lang)) : null
        }
      />
    </section>
  )
}
