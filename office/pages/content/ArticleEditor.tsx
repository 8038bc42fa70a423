import i18next from 'i18next'
import * as z from 'zod/mini'
import { useState } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { contentRoutes, type Article } from '../../../contract/content.ts'
import type { Language } from '../../../contract/constants.ts'
import { fieldTexts } from '../../../src/api/failureText.ts'
import { answerOf } from '../../../src/api/result.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { IconButton } from '../../../src/ui/IconButton.tsx'
import { toast } from '../../../src/ui/toastStore.ts'
import { call, publicCall } from '../../api.ts'
import { useOfficeFormat } from '../../data/useOfficeFormat.ts'
import { useRun } from '../../data/useRun.ts'
import { venueNow } from '../../data/venueClock.ts'
import { currentLanguage, useTexts } from '../../i18n.ts'
import { Block } from '../../ui/Block.tsx'
import { useKept } from '../../state/drafts.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { LanguageChoice } from '../../ui/LanguageChoice.tsx'
import { TitleAndText, titled, type Titled } from '../../ui/TitleAndText.tsx'
import { articleFile } from './articleFile.ts'
import type { ArticleKind } from './articleKinds.ts'
import { PublishDialog } from './PublishDialog.tsx'
import { ArticlePreview } from './ArticlePreview.tsx'
import { ArticleVersions } from './ArticleVersions.tsx'
import styles from './ArticleEditor.module.css'
import { useRead } from '../../data/useOfficeCall.ts'

const bodyMax = 20_000

type EditorProps = {
  kind: ArticleKind
  /** Null for a new one. */
  article: Article | null
  /** Called with the id of a new article once it is published: publishing again must change it, not add another one. */
  onCreated: (id: string) => void
  onClose: () => void
}

/** An article in one language: the text, and beside it what members will see. */
export function ArticleEditor({ kind, article, onCreated, onClose }: EditorProps) {
  const t = useTexts()
  const [language, setLanguage] = useState<Language>(currentLanguage())
  const known = useRead(
    ['article', kind, article?.id, language],
    () => readArticle(kind, article?.id ?? '', language),
    { enabled: article !== null },
  )
  // Another language than asked for means that there is no text in it yet.
  const text = known.data?.lang === language ? known.data : null
  return (
    <>
      <Block
        title={article?.title ?? t('article.new')}
        tools={
          <>
            <LanguageChoice label={t('article.language')} value={language} onValue={setLanguage} />
            <IconButton tip icon="x" size={18} label={t('action.close')} onClick={onClose} />
          </>
        }
      >
        <FailureLine failure={known.failure} />
        {(article === null || known.data !== undefined) && (
          <Form
            key={article === null ? 'new' : language}
            kind={kind}
            id={article?.id}
            language={language}
            text={text}
            shown={known.data ?? null}
            onCreated={onCreated}
          />
        )}
      </Block>
      {article !== null && (
        <ArticleVersions
          kind={kind}
          id={article.id}
          current={article.version}
          publishedAt={article.publishedAt}
          language={language}
        />
      )}
    </>
  )
}

function readArticle(kind: ArticleKind, id: string, lang: Language): Promise<Article> {
  const query = { lang }
  if (kind === 'pages') return answerOf(publicCall(contentRoutes.page, { params: { slug: id }, query }))
  const route = kind === 'news' ? contentRoutes.newsItem : contentRoutes.highlight
  return answerOf(publicCall(route, { params: { id }, query }))
}

type FormProps = {
  kind: ArticleKind
  id: string | undefined
  language: Language
  text: Article | null
  /** What members see now in this language: its text, or that of another language. */
  shown: Article | null
  onCreated: EditorProps['onCreated']
}

/** What is written, over which version; once it is published, which version it replaces. */
const draftSchema = z.extend(titled, { over: z.number(), replaces: z.optional(z.number()) })
export const newDraftKey = (kind: ArticleKind): string => `${kind} new`
const draftKeyOf = (kind: ArticleKind, id: string | undefined, language: Language): string =>
  id === undefined ? newDraftKey(kind) : `${kind} ${id} ${language}`

/** Kept until it is published. Without a draft the form follows what colleagues publish. One that is published is shown until its version is read. */
function useDraft(key: string, published: Titled, version: number) {
  const [draft, setDraft] = useKept(key, draftSchema)
  if (draft?.replaces !== undefined && draft.replaces !== version) setDraft(() => null)
  return {
    ...(draft ?? published),
    forget: () => setDraft(() => null),
    isOutdated: draft !== null && draft.replaces === undefined && draft.over !== version,
    change: (next: Partial<Titled>) =>
      setDraft((now) => ({ ...(now ?? { ...published, over: version }), ...next })),
    /** What was typed while it was being published stays a draft. */
    sent: (text: Titled) =>
      setDraft((now) =>
        now !== null && (now.title !== text.title || now.body !== text.body)
          ? now
          : { ...text, over: version, replaces: version },
      ),
  }
}

function Form({ kind, id, language, text, shown, onCreated }: FormProps) {
  const t = useTexts()
  const format = useOfficeFormat()
  const published = { title: (kind === 'pages' ? shown : text)?.title ?? '', body: text?.body ?? '' }
  const version = text?.version ?? 0
  const draft = useDraft(draftKeyOf(kind, id, language), published, version)
  const { title, body, isOutdated, change, sent, forget } = draft
  const [isAsking, setAsking] = useState(false)
  const [isSame, setSame] = useState(false)
  const { run, busy, failure } = useRun(
    async () => {
      const file = articleFile({ id, language, title, body })
      const result = await call(officeRoutes[kind].publish, { body: { file } })
      // What was refused is said at its field.
      setAsking(false)
      return result
    },
    ({ id: publishedId }) => {
      toast({ text: t('article.published'), kind: 'success' })
      if (id !== undefined) return sent({ title, body })
      forget()
      onCreated(publishedId)
    },
  )
  const isUnchanged = text !== null && title.trim() === published.title && body.trim() === text.body.trim()
  const wrong = failure === undefined ? {} : fieldTexts(i18next.t, format, failure)
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        setSame(isUnchanged)
        setAsking(!isUnchanged)
      }}
    >
      <div className={styles.columns}>
        <TextFields kind={kind} language={language} text={{ title, body }} wrong={wrong} onChange={change} />
        <ArticlePreview
          kind={kind}
          article={
            text === null && body.trim() === '' && shown !== null ? shown : { title, body, lang: language }
          }
          label={t('article.preview')}
          at={body !== text?.body && kind === 'pages' ? venueNow() : (shown?.publishedAt ?? venueNow())}
          language={language}
        />
      </div>
      {isOutdated && <p role="status">{t('article.outdated')}</p>}
      {isSame && isUnchanged && <p role="alert">{t('article.unchanged')}</p>}
      {isAsking && (
        <PublishDialog
          kind={kind}
          id={id}
          version={version}
          language={language}
          title={title}
          busy={busy}
          onConfirm={run}
          onClose={() => setAsking(false)}
        />
      )}
      {Object.keys(wrong).length === 0 && <FailureLine failure={failure} />}
      <div>
        <Button type="submit" busy={busy}>
          {t('article.publish')}
        </Button>
      </div>
    </form>
  )
}

type TextFieldsProps = Pick<FormProps, 'kind' | 'language'> &
  Pick<Parameters<typeof TitleAndText>[0], 'text' | 'wrong' | 'onChange'>

/** The members' page has its title from the menu. */
function TextFields({ kind, ...fields }: TextFieldsProps) {
  const t = useTexts()
  return (
    <div className={styles.column}>
      <TitleAndText
        {...fields}
        label={t('article.body')}
        bodyMax={bodyMax}
        rows={16}
        hasNoTitle={kind === 'pages'}
      />
    </div>
  )
}
