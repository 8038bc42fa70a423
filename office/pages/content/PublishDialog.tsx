import type { Language } from '../../../contract/constants.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { languageNames } from '../../../src/text/languageNames.ts'
import { DecideDialog } from '../../actions/DecideDialog.tsx'
import { useOfficeCall } from '../../data/useOfficeCall.ts'
import { useOfficeFormat } from '../../data/useOfficeFormat.ts'
import { useTexts } from '../../i18n.ts'
import { Facts } from '../../ui/Facts.tsx'
import type { ArticleKind } from './articleKinds.ts'

type PublishDialogProps = {
  kind: ArticleKind
  /** Undefined for a new one. */
  id: string | undefined
  /** What members see now; 0 if there is no text in this language. */
  version: number
  language: Language
  title: string
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Says what becomes public, in which language, and which other languages keep their text. */
export function PublishDialog(props: PublishDialogProps) {
  const { kind, id, version, language, title, ...shared } = props
  const t = useTexts()
  const { list } = useOfficeFormat()
  const params = { id: id ?? '', version: String(version) }
  const { data } = useOfficeCall(
    officeRoutes[kind].version,
    { params },
    { enabled: id !== undefined && version > 0 },
  )
  const others = (data?.texts ?? []).flatMap(({ lang }) =>
    lang === language ? [] : [languageNames[lang].own],
  )
  return (
    <DecideDialog
      {...shared}
      title={t('article.publish')}
      summary={
        <>
          <Facts
            items={[
              { label: t('article.kind'), value: t(`article.kinds.${kind}`) },
              title !== '' && { label: t('article.title'), value: title },
              { label: t('article.language'), value: languageNames[language].own },
            ]}
          />
          <p>{t(version === 0 ? 'article.publishNew' : 'article.publishOver')}</p>
          {others.length > 0 && <p>{t('article.othersDiffer', { languages: list(others) })}</p>}
        </>
      }
    >
      {null}
    </DecideDialog>
  )
}
