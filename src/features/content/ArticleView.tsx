import type { Article } from '../../../contract/content.ts'
import { Markdown } from '../../markdown/Markdown.tsx'
import { Icon } from '../../ui/Icon.tsx'
import styles from './ArticleText.module.css'

export type ArticleViewProps = {
  article: Pick<Article, 'title' | 'body' | 'lang'>
  heading: boolean
  /** The line with its date. */
  dated: string
  /** That it is not in the reader's language; null if it is. */
  notice: string | null
}

/**
 * An article as members read it. The office previews with it, so it depends on neither the session nor the app's
 * language.
 */
export function ArticleView({ article, heading, dated, notice }: ArticleViewProps) {
  return (
    <article className={styles.article}>
      {heading && (
        <h2 className={styles.heading} lang={article.lang}>
          {article.title}
        </h2>
      )}
      <p className={styles.date}>{dated}</p>
      {notice !== null && (
        <p className={styles.shownIn}>
          <Icon name="translate" size={16} />
          <span>{notice}</span>
        </p>
      )}
      <div className={styles.body} lang={article.lang}>
        <Markdown source={article.body} top={heading ? 3 : 2} />
      </div>
    </article>
  )
}

/** Chinese by its script: readers say Simplified Chinese, not Chinese (China). */
const scriptOf = (language: string): string =>
  language === 'zh-CN' ? 'zh-Hans' : language === 'zh-TW' ? 'zh-Hant' : language

/** The name of a text's language for a reader of another one. */
export const languageNameFor = (reader: string, language: string): string =>
  new Intl.DisplayNames([reader], { type: 'language' }).of(scriptOf(language)) ?? language
