import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '../../../contract/constants.ts'
import { useLanguage } from '../../hooks/useFormat.ts'
import { Markdown } from '../../markdown/Markdown.tsx'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { createResource } from '../../shell/resource.ts'
import type { Resource } from '../../shell/resource.ts'
import { useArrived } from '../../shell/useArrived.ts'
import { ErrorState } from '../../ui/index.ts'
import { ArticleSkeleton } from '../content/ArticleText.tsx'
import styles from './Check.module.css'

const files = import.meta.glob<string>('./texts/*.md', { query: '?raw', import: 'default' })
const texts = new Map<Language, Resource<string>>()

/** The page's text in a language: fetched when it is first read, and kept. */
function textIn(language: Language): Resource<string> {
  const known = texts.get(language)
  if (known) return known
  const load = files[`./texts/${language}.md`]
  const text = createResource(() => (load ? load() : Promise.reject(new Error(language))))
  texts.set(language, text)
  return text
}

/** How anybody can check a result: the chain, the rule, the file, and what the device does by itself. */
export function Check() {
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
  const resource = textIn(language)
  const text = useArrived(resource)
  const [turn, setTurn] = useState(0)
  const [failedAt, setFailedAt] = useState<number>()
  useEffect(() => {
    void resource.get().then(({ ok }) => {
      if (!ok) setFailedAt(turn)
      return undefined
    })
  }, [resource, turn])
  if (text !== undefined) {
    return (
      <article className={styles.article} lang={language}>
        <Markdown source={text} />
      </article>
    )
  }
  if (failedAt !== turn) return <ArticleSkeleton />
  return (
    <ErrorState
      title={t('content.failed')}
      retryLabel={t('common.retry')}
      onRetry={() => setTurn((before) => before + 1)}
    />
  )
}
