import { useTranslation } from 'react-i18next'
import { useConfig } from '../../hooks/useConfig.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { TextLink } from '../../ui/index.ts'
import styles from './Wallet.module.css'

/** Says that the account is changed by customer service only, and leads there. */
export function ServiceNote() {
  const { t } = useTranslation()
  const serviceUrl = useConfig()?.serviceUrl
  return (
    <p className={styles.note}>
      {t('account.serviceOnly')}{' '}
      <TextLink href={serviceUrl ?? hrefTo(paths.service)}>{t('account.contact')}</TextLink>
    </p>
  )
}
