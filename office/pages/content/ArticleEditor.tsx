import { useQuery } from '@tanstack/react-query'
import i18next from 'i18next'
import { useState } from 'react'
import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import { contentRoutes } from '../../../contract/content.ts'
import type { Article } from '../../../contract/content.ts'
import type { Language } from '../../../contract/constants.ts'
import { fieldTexts } from '../../../src/api/failureText.ts'
import { answerOf } from '../../../src/api/result.ts'
import { Markdown } from '../../../src/markdown/Markdown.tsx'
import { Button } from '../../../src/ui/Button.tsx'
import { Field } from '../../../src/ui/Field.tsx'
import { IconButton } from '../../../src/ui/IconButton.tsx'
import { TextArea } from '../../../src/ui/TextArea.tsx'
import { toast } from '../../../src/ui/toastStore.ts'
import { call, publicCall } from '../../api.ts'
import { useOfficeFormat } from '../../data/useOfficeFormat.ts'
import { useRun } from '../../data/useRun.ts'
import { currentLanguage, useTexts } from '../../i18n.ts'
import { Block } from '../../ui/Block.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { LanguageChoice } from '../../ui/LanguageChoice.tsx'
import { articleFile } from './articleFile.ts'
import type { ArticleKind } from './articleKinds.ts'
import styles from './ArticleEditor.module.css'

const titleMax = 200
const bodyMax = 20_000

type EditorProps = { kind: ArticleKind; article: Article | null; onClose: () => void }

/** An article in one language: the text, and beside it what members will see. */
export function ArticleEditor({ kind, article, onClose }: EditorProps) {
  const t = useTexts()
  const [language, setLanguage] = useState<Language>(currentLanguage())
  const known = useQuery({
    queryKey: ['article', kind, article?.id, article?.version, language],
    queryFn: () => {
      const route = kind === 'news' ? contentRoutes.newsItem : contentRoutes.highlight
      return answerOf(publicCall(route, { params: { id: article?.id ?? '' }, query: { lang: language } }))
    },
    enabled: article !== null,
  })
  // Another language than asked for means that there is no text in it yet.
  const text = known.data?.lang === language ? known.data : null
  return (
    <Block
      title={article?.title ?? t('article.new')}
      tools={
        <>
          <LanguageChoice label={t('article.language')} value={language} onValue={setLanguage} />
          <IconButton icon="x" size={18} label={t('action.close')} onClick={onClose} />
        </>
      }
    >
      {(article === null || known.data !== undefined) && (
        <Form
          key={`${language} ${text?.version}`}
          kind={kind}
          id={article?.id}
          language={language}
          text={text}
        />
      )}
    </Block>
  )
}

type FormProps = { kind: ArticleKind; id: string | undefined; language: Language; text: Article | null }

function Form({ kind, id, language, text }: FormProps) {
  const t = useTexts()
  const format = useOfficeFormat()
  const [title, setTitle] = useState(text?.title ?? '')
  const [body, setBody] = useState(text?.body ?? '')
  const { run, busy, failure } = useRun(
    () =>
      call(backOfficeRoutes[kind].publish, { body: { file: articleFile({ id, language, title, body }) } }),
    () => toast({ text: t('article.published'), kind: 'success' }),
  )
  const wrong = failure === undefined ? {} : fieldTexts(i18next.t, format, failure)
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <div className={styles.columns}>
        <div className={styles.column}>
          <Field
            label={t('article.title')}
            required
            maxLength={titleMax}
            lang={language}
            value={title}
            error={wrong['title']}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <TextArea
            label={t('article.body')}
            required
            maxLength={bodyMax}
            rows={16}
            lang={language}
            value={body}
            error={wrong['body']}
            onChange={(event) => setBody(event.currentTarget.value)}
          />
        </div>
        <section className={styles.preview} aria-label={t('article.preview')} lang={language}>
          <h3>{title}</h3>
          <Markdown source={body} top={3} />
        </section>
      </div>
      {Object.keys(wrong).length === 0 && <FailureLine failure={failure} />}
      <div>
        <Button type="submit" busy={busy}>
          {t('article.publish')}
        </Button>
      </div>
    </form>
  )
}
