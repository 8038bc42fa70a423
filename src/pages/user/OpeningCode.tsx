import { useTranslation } from 'react-i18next'
import { ListRow, TextLink, toast } from '../../ui/index.ts'
import { copyText } from '../../lib/copyText.ts'

/** The member's own code, which opens accounts for others. */
export function OpeningCode({ code }: { code: string }) {
  const { t } = useTranslation()
  const copy = async (): Promise<void> => {
    if (await copyText(code)) toast({ text: t('me.codeCopied'), kind: 'success' })
    else toast({ text: t('me.copyFailed'), kind: 'problem' })
  }
  return (
    <ListRow
      icon="ticket"
      label={t('me.openingCode')}
      caption={code}
      end={
        <TextLink size={15} onClick={() => void copy()}>
          {t('common.copy')}
        </TextLink>
      }
    />
  )
}
