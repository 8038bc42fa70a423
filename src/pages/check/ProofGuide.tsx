import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '../../../contract/constants.ts'
import { useLanguage } from '../../hooks/useFormat.ts'
import { Markdown } from '../../markdown/Markdown.tsx'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { useQuery } from '../../router/useQuery.ts'
import { Page } from '../../shell/Page.tsx'
import { createLazy, type Lazy } from '../../start/lazy.ts'
import { useLazyValue } from '../../start/useLazyValue.ts'
import { ErrorState, TextLink } from '../../ui/index.ts'
import { ArticleSkeleton } from '../../features/content/ArticleText.tsx'
import styles from './ProofGuide.module.css'

const files = import.meta.glob<string>('./{short,texts}/*.md', { query: '?raw', import: 'default' })
const texts = new Map<string, Lazy<string>>()

/** `short`: what a proof shows, in ten lines. `texts`: every rule and formula, for a program of one's own. */
type Part = 'short' | 'texts'

/** A text of the page in a language, fetched on first use and cached. */
function textIn(language: Language, part: Part): Lazy<string> {
  const name = `./${part}/${language}.md`
  const cached = texts.get(name)
  if (cached) return cached
  const load = files[name]
  const text = createLazy(() => (load ? load() : Promise.reject(new Error(name))))
  texts.set(name, text)
  return text
}

/** How to check a result: what the device does by itself; with `?text=rules` the chain, the rules and the file. */
export function ProofGuide() {
  const { t } = useTranslation()
  const language = useLanguage()
  const [query] = useQuery()
  const part = query.get('text') === 'rules' ? 'texts' : 'short'
  return (
    <Page
      ground="market"
      title={t(part === 'short' ? 'title.check' : 'proof.rules')}
      backTo={part === 'short' ? paths.about : paths.check}
    >
      <Text key={`${part} ${language}`} language={language} part={part} />
    </Page>
  )
}

function Text({ language, part }: { language: Language; part: Part }) {
  const { t } = useTranslation()
  const lazy = textIn(language, part)
  const text = useLazyValue(lazy)
  const [attempt, setAttempt] = useState(0)
  const [failedAttempt, setFailedAttempt] = useState<number>()
  useEffect(() => {
    void (attempt > 0 ? lazy.getOrReload({ isRetry: true }) : lazy.get()).then(({ ok }) => {
      if (!ok) setFailedAttempt(attempt)
      return undefined
    })
  }, [lazy, attempt])
  if (text !== undefined) {
    return (
      <article className={styles.article} lang={language}>
        <Markdown source={text} />
        <ul className={styles.links}>
          {part === 'short' && (
            <li>
              <TextLink caret href={hrefTo(paths.check, { text: 'rules' })}>
                {t('proof.rules')}
              </TextLink>
            </li>
          )}
          <li>
            <TextLink caret href={hrefTo(paths.checkFile)}>
              {t('title.checkFile')}
            </TextLink>
          </li>
          <li>
            <TextLink caret href={hrefTo(paths.status)}>
              {t('title.status')}
            </TextLink>
          </li>
        </ul>
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
