import { useTranslation } from 'react-i18next'
import { useServiceHref } from '../../hooks/useVenue.ts'
import { Icon, TextLink } from '../../ui/index.ts'
import styles from './Wallet.module.css'

/** A note that only customer service can change the account, with a link. `lock` adds a lock icon. */
export function ServiceNote({ lock = false }: { lock?: boolean }) {
  const { t } = useTranslation()
  const serviceHref = useServiceHref()
  const text = (
    <>
      {t('account.serviceOnly')} <TextLink href={serviceHref}>{t('account.contact')}</TextLink>
    </>
  )
  if (!lock) return <p className={styles.note}>{text}</p>
  return (
    <p className={styles.locked}>
      <Icon name="lock-simple" size={16} />
      <span>{text}</span>
    </p>
  )
}
