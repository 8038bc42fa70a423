import { useTranslation } from 'react-i18next'
import { IconButton, toast } from '../../ui/index.ts'
import { copyText } from '../../lib/copyText.ts'
import styles from './CopyNumber.module.css'

/** A long number or address with a copy button; `shown` replaces it on the page if it is too long to read. */
export function CopyNumber({ text, shown = text, label }: { text: string; shown?: string; label: string }) {
  const { t } = useTranslation()
  const copy = async () => {
    const isCopied = await copyText(text)
    toast(
      isCopied
        ? { kind: 'success', text: t('wallet.copied') }
        : { kind: 'problem', text: t('wallet.copyFailed') },
    )
  }
  return (
    <span className={styles.number}>
      <span className={styles.text}>{shown}</span>
      <IconButton
        icon="copy"
        size={18}
        label={t('wallet.copyOf', { what: label })}
        onClick={() => void copy()}
        className={styles.copy}
      />
    </span>
  )
}
