import { useTranslation } from 'react-i18next'
import { useServiceHref } from '../../hooks/useServiceHref.ts'
import { TextLink } from '../../ui/index.ts'
import styles from './Wallet.module.css'

/** Says that the account is changed by customer service only, and leads there. */
export function ServiceNote() {
  const { t } = useTranslation()
  const serviceHref = useServiceHref()
  return (
    <p className={styles.note}>
      {t('account.serviceOnly')} <TextLink href={serviceHref}>{t('account.contact')}</TextLink>
    </p>
  )
}
