import { useTranslation } from 'react-i18next'
import { copyText } from '../../lib/copyText.ts'
import { useLastDefined } from '../../hooks/useLastDefined.ts'
import { saveFile } from '../../lib/saveFile.ts'
import { Button, Sheet, toast } from '../../ui/index.ts'
import sheet from '../../features/passkeys/ConfirmSheet.module.css'
import styles from './SecurityPage.module.css'

const fileName = 'uptick-recovery-codes.txt'

/** New recovery codes, which are shown this once. */
export function RecoveryCodesSheet({
  codes,
  onClose,
}: {
  /** Undefined while the sheet is closed. */
  codes: readonly string[] | undefined
  onClose: () => void
}) {
  const { t } = useTranslation()
  const shown = useLastDefined(codes) ?? []
  const text = `${shown.join('\n')}\n`
  const copy = async (): Promise<void> => {
    const isCopied = await copyText(text)
    toast(
      isCopied
        ? { kind: 'success', text: t('wallet.copied') }
        : { kind: 'problem', text: t('wallet.copyFailed') },
    )
  }
  const save = (): void => {
    saveFile(new Blob([text], { type: 'text/plain' }), fileName)
    toast({ kind: 'success', text: t('file.saved', { name: fileName }) })
  }
  return (
    <Sheet
      open={codes !== undefined}
      onClose={onClose}
      title={t('security.recoveryCodes')}
      closeLabel={t('common.close')}
      footer={
        <Button block onClick={onClose}>
          {t('security.codesSaved')}
        </Button>
      }
    >
      <div className={sheet.form}>
        <p className={sheet.text}>{t('security.codesLead')}</p>
        <ul className={styles.codes}>
          {shown.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className={styles.actions}>
          <Button size="small" variant="secondary" icon="copy" onClick={() => void copy()}>
            {t('common.copy')}
          </Button>
          <Button size="small" variant="secondary" icon="download-simple" onClick={save}>
            {t('security.saveCodes')}
          </Button>
        </div>
      </div>
    </Sheet>
  )
}
