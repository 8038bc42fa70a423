import { useState } from 'react'
import { contentRoutes, pageSlugs, type Article } from '../../../contract/content.ts'
import { answerOf } from '../../../src/api/result.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { publicCall } from '../../api.ts'
import { currentLanguage, useTexts, type Texts } from '../../i18n.ts'
import type { OfficeLanguage } from '../../preferences.ts'
import { Keys } from '../../keys/Keys.tsx'
import { useCommands } from '../../keys/useCommands.ts'
import { useHasKept } from '../../state/drafts.ts'
import { useMay } from '../../state/staff.ts'
import { Choice } from '../../ui/Control.tsx'
import type { Column } from '../../ui/DataTable.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Screen } from '../../ui/Screen.tsx'
import { SplitView } from '../../ui/SplitView.tsx'
import { When } from '../../ui/When.tsx'
import { ArticleEditor, newDraftKey } from './ArticleEditor.tsx'
import { articleKinds, type ArticleKind } from './articleKinds.ts'
import { useRead } from '../../data/useOfficeCall.ts'

const listMax = '50'

/** The newest news or highlights, or all standing pages. */
async function articlesOf(kind: ArticleKind, lang: OfficeLanguage): Promise<readonly Article[]> {
  if (kind !== 'pages')
    return (await answerOf(publicCall(contentRoutes[kind], { query: { lang, limit: listMax } }))).items
  return Promise.all(
    pageSlugs.map((slug) => answerOf(publicCall(contentRoutes.page, { params: { slug }, query: { lang } }))),
  )
}

/** News, highlights and standing pages as members read them, and the editor of one. */
export function Articles() {
  const t = useTexts()
  const may = useMay()
  const kinds = articleKinds.filter((kind) => may(`${kind}.publish`))
  const [kind, setKind] = useState<ArticleKind>(kinds[0] ?? 'news')
  const hasDraft = useHasKept(newDraftKey(kind))
  // One that was begun is open again.
  const [openId, setOpenId] = useState<string | null>(hasDraft ? '' : null)
  const lang = currentLanguage()
  const list = useRead(['articles', kind, lang], () => articlesOf(kind, lang))
  const rows = list.data ?? []
  const open = rows.find(({ id }) => id === openId) ?? null
  // The standing pages are fixed.
  const hasNew = kind !== 'pages'
  useCommands(hasNew ? [{ label: 'article.new', keys: '+', group: 'list', run: () => setOpenId('') }] : [])
  const table = (
    <ListTable
      label={t('nav.articles')}
      list={{ items: rows, failure: list.failure, isLoading: list.isLoading }}
      rowId={({ id }) => id}
      openId={openId}
      onOpen={({ id }) => setOpenId(id)}
      columns={columns(t, kind)}
    />
  )
  return (
    <Screen
      title={t('nav.articles')}
      tools={
        <>
          <Choice
            label={t('article.kind')}
            value={kind}
            options={kinds.map((value) => ({ value, label: t(`article.kinds.${value}`) }))}
            onValue={(value) => {
              setKind(value as ArticleKind)
              setOpenId(null)
            }}
          />
          {hasNew && (
            <Button size="small" onClick={() => setOpenId('')}>
              {t('article.new')} <Keys keys="+" />
            </Button>
          )}
        </>
      }
    >
      <SplitView
        list={table}
        detail={
          // One that was just published is not in the list yet.
          openId === null || (openId !== '' && open === null) ? null : (
            <ArticleEditor
              key={`${kind} ${openId}`}
              kind={kind}
              article={open}
              onCreated={setOpenId}
              onClose={() => setOpenId(null)}
            />
          )
        }
      />
    </Screen>
  )
}

const columns = (t: Texts, kind: ArticleKind): Column<Article>[] => [
  { key: 'title', head: t('article.title'), cell: ({ title }) => title },
  {
    key: 'at',
    head: t(kind === 'pages' ? 'article.changedAt' : 'article.publishedAt'),
    cell: ({ publishedAt }) => <When at={publishedAt} />,
  },
]
