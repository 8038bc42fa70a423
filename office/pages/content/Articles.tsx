import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { contentRoutes, pageSlugs } from '../../../contract/content.ts'
import type { Article } from '../../../contract/content.ts'
import { answerOf } from '../../../src/api/result.ts'
import { Button } from '../../../src/ui/Button.tsx'
import type { Failure } from '../../../streams/index.ts'
import { publicCall } from '../../api.ts'
import { currentLanguage, useTexts } from '../../i18n.ts'
import type { Texts } from '../../i18n.ts'
import type { OfficeLanguage } from '../../preferences.ts'
import { Keys } from '../../keys/Keys.tsx'
import { useCommands } from '../../keys/useCommands.ts'
import { useMay } from '../../state/staff.ts'
import { Choice } from '../../ui/Control.tsx'
import type { Column } from '../../ui/DataTable.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Screen } from '../../ui/Screen.tsx'
import { SplitView } from '../../ui/SplitView.tsx'
import { When } from '../../ui/When.tsx'
import { ArticleEditor } from './ArticleEditor.tsx'
import { articleKinds } from './articleKinds.ts'
import type { ArticleKind } from './articleKinds.ts'

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
  const [openId, setOpenId] = useState<string | null>(null)
  const lang = currentLanguage()
  const list = useQuery({
    queryKey: ['articles', kind, lang],
    queryFn: () => articlesOf(kind, lang),
  })
  const rows = list.data ?? []
  const open = rows.find(({ id }) => id === openId) ?? null
  // The standing pages are fixed.
  const hasNew = kind !== 'pages'
  useCommands(hasNew ? [{ label: 'article.new', keys: '+', group: 'list', run: () => setOpenId('') }] : [])
  const table = (
    <>
      <FailureLine failure={(list.error ?? undefined) as Failure | undefined} />
      <DataTable
        label={t('nav.articles')}
        rows={rows}
        rowId={({ id }) => id}
        openId={openId}
        onOpen={({ id }) => setOpenId(id)}
        empty={list.isPending ? t('list.loading') : t('list.empty')}
        columns={columns(t, kind)}
      />
    </>
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
