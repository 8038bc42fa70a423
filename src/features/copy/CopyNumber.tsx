import { useTranslation } from 'react-i18next'
import { IconButton, toast } from '../../ui/index.ts'
import { copyText } from '../../copyText.ts'
import styles from './CopyNumber.module.css'

/** A long number or address with a copy button. */
export function CopyNumber({ text, label }: { text: string; label: string }) {
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
      <span className={styles.text}>{text}</span>
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
