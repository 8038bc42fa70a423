import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../streams/index.ts'
import { failedText } from '../../api/failureText.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { TextLink } from '../../ui/index.ts'
import styles from './HomeOrders.module.css'

/** A one-line error for a section of the home page: the rest of the page works without it. */
export function SectionError({
  failure,
  title,
  onRetry,
}: {
  failure: Failure
  title: string
  onRetry: () => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <p className={styles.note}>
      {failedText(t, format, title, failure)} <TextLink onClick={onRetry}>{t('common.retry')}</TextLink>
    </p>
  )
}
