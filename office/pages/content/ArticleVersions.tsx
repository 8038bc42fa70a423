import { useState } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { ContentVersion } from '../../../contract/office/contentAdmin.ts'
import type { Language } from '../../../contract/constants.ts'
import { languageNames } from '../../../src/text/languageNames.ts'
import { ActionBar } from '../../actions/ActionBar.tsx'
import type { Action } from '../../actions/action.ts'
import { call } from '../../api.ts'
import { useOfficeCall, useOfficeList } from '../../data/useOfficeCall.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import { Block } from '../../ui/Block.tsx'
import type { Column } from '../../ui/DataTable.tsx'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { When } from '../../ui/When.tsx'
import type { ArticleKind } from './articleKinds.ts'
import { ArticlePreview } from './ArticlePreview.tsx'

type VersionsProps = {
  kind: ArticleKind
  id: string
  /** The newest version: what members see. */
  current: number
  publishedAt: number
  language: Language
}

/** What was published of an article, newest first; an earlier version can be looked at and published again. */
export function ArticleVersions({ kind, id, current, publishedAt, language }: VersionsProps) {
  const t = useTexts()
  const [open, setOpen] = useState<number | null>(null)
  const list = useOfficeList(officeRoutes[kind].versions, { params: { id } })
  return (
    <>
      <Block title={t('article.versions')} flush>
        <ListTable
          label={t('article.versions')}
          list={list}
          rowId={({ version }) => String(version)}
          openId={open === null ? null : String(open)}
          onOpen={({ version }) => setOpen(version)}
          columns={columns(t)}
        />
      </Block>
      {open !== null && (
        <Version
          key={open}
          kind={kind}
          id={id}
          version={open}
          current={current}
          publishedAt={publishedAt}
          language={language}
        />
      )}
    </>
  )
}

function Version({ kind, id, version, current, publishedAt, language }: VersionsProps & { version: number }) {
  const t = useTexts()
  const params = { id, version: String(version) }
  const { data, failure } = useOfficeCall(officeRoutes[kind].version, { params })
  const texts = data?.texts ?? []
  const text =
    texts.find(({ lang }) => lang === language) ?? texts.find(({ lang }) => lang === 'en') ?? texts[0]
  const again: Action = {
    key: 'p',
    label: 'article.republish',
    done: 'article.republished',
    summary: <p>{t('article.republishMeans', { version })}</p>,
    run: () => call(officeRoutes[kind].republish, { params }),
    undo: () => ({
      done: 'article.republished',
      run: () => call(officeRoutes[kind].republish, { params: { id, version: String(current) } }),
    }),
  }
  return (
    <Block
      title={t('article.versionNo', { version })}
      tools={version === current ? t('article.current') : <ActionBar actions={[again]} />}
    >
      <FailureLine failure={failure} />
      {text && (
        <ArticlePreview
          kind={kind}
          article={text}
          label={`${t('article.preview')} ${version}`}
          at={kind === 'pages' ? text.changedAt : publishedAt}
          language={language}
        />
      )}
    </Block>
  )
}

const columns = (t: Texts): Column<ContentVersion>[] => [
  { key: 'version', head: t('article.version'), cell: ({ version }) => version, figure: true },
  { key: 'at', head: t('article.publishedAt'), cell: ({ at }) => <When at={at} /> },
  { key: 'author', head: t('article.author'), cell: ({ author }) => author ?? t('article.fromBuild') },
  {
    key: 'changed',
    head: t('article.changed'),
    minor: true,
    cell: ({ changed }) => changed.map((code) => languageNames[code].own).join(', '),
  },
]
