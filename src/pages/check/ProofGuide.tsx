import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '../../../contract/constants.ts'
import { useLanguage } from '../../hooks/useFormat.ts'
import { Markdown } from '../../markdown/Markdown.tsx'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Page } from '../../shell/Page.tsx'
import { createLazy } from '../../lazy/lazy.ts'
import type { Lazy } from '../../lazy/lazy.ts'
import { useLazyValue } from '../../lazy/useLazyValue.ts'
import { ErrorState, TextLink } from '../../ui/index.ts'
import { ArticleSkeleton } from '../../features/content/ArticleText.tsx'
import styles from './ProofGuide.module.css'

const files = import.meta.glob<string>('./texts/*.md', { query: '?raw', import: 'default' })
const texts = new Map<Language, Lazy<string>>()

/** The page's text in a language, fetched on first use and cached. */
function textIn(language: Language): Lazy<string> {
  const cached = texts.get(language)
  if (cached) return cached
  const load = files[`./texts/${language}.md`]
  const text = createLazy(() => (load ? load() : Promise.reject(new Error(language))))
  texts.set(language, text)
  return text
}

/** How to check a result: the chain, the rule, the file, and what the device does by itself. */
export function ProofGuide() {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <Page ground="market" title={t('title.check')} backTo={paths.about}>
      <Text key={language} language={language} />
    </Page>
  )
}

function Text({ language }: { language: Language }) {
  const { t } = useTranslation()
  const lazy = textIn(language)
  const text = useLazyValue(lazy)
  const [attempt, setAttempt] = useState(0)
  const [failedAttempt, setFailedAttempt] = useState<number>()
  useEffect(() => {
    void lazy.get().then(({ ok }) => {
      if (!ok) setFailedAttempt(attempt)
      return undefined
    })
  }, [lazy, attempt])
  if (text !== undefined) {
    return (
      <article className={styles.article} lang={language}>
        <Markdown source={text} />
        <p>
          <TextLink caret href={hrefTo(paths.checkFile)}>
            {t('title.checkFile')}
          </TextLink>
        </p>
        <p>
          <TextLink caret href={hrefTo(paths.status)}>
            {t('title.status')}
          </TextLink>
        </p>
      </article>
    )
  }
  if (failedAttempt !== attempt) return <ArticleSkeleton />
  return (
    <ErrorState
      title={t('content.failed')}
      retryLabel={t('common.retry')}
      onRetry={() => setAttempt((before) => before + 1)}
    />
  )
}
