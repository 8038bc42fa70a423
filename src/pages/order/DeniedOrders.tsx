import { useTranslation } from 'react-i18next'
import type { KeptReceipt } from '../../proof/keptReceipt.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { Icon, TextLink } from '../../ui/index.ts'
import styles from './OrderHistory.module.css'

/** Orders with a receipt on this device that the venue leaves out of the list of all orders, by id. */
export function DeniedOrders({ missing }: { missing: ReadonlyMap<string, KeptReceipt> }) {
  const { t } = useTranslation()
  const [first] = missing.keys()
  if (first === undefined) return null
  const count = missing.size
  const isVerified = [...missing.values()].every((kept) => kept.isVerified)
  return (
    <p className={styles.denied} role="alert">
      <Icon name="warning-circle-fill" size={20} />
      <span>
        {isVerified ? t('orders.denied', { count }) : t('orders.receiptDenied', { count })}{' '}
        <TextLink href={hrefTo(paths.order, { id: first })}>
          {t(isVerified ? 'order.signedTitle' : 'order.receiptTitle')}
        </TextLink>
      </span>
    </p>
  )
}
