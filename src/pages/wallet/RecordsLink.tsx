import { useTranslation } from 'react-i18next'
import { hrefTo } from '../../router/hashLocation.ts'
import { TextLink } from '../../ui/index.ts'
import styles from './Wallet.module.css'

/** The link in a form's bar to the records of that form. */
export function RecordsLink({ to }: { to: string }) {
  const { t } = useTranslation()
  return (
    <span className={styles.barLink}>
      <TextLink href={hrefTo(to)}>{t('wallet.records')}</TextLink>
    </span>
  )
}
