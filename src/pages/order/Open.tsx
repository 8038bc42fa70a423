import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failureText.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useMedia, wideMedia } from '../../hooks/useMedia.ts'
import { useLoadable } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { useLiveOrKept } from '../../shell/useLiveOrKept.ts'
import { ErrorState, TextLink } from '../../ui/index.ts'
import { Nothing } from './Closed.tsx'
import styles from './Open.module.css'
import { OrderList, OrderListSkeleton } from './OrderList.tsx'
import { Summary } from './Summary.tsx'
import { useReadOrders } from './useKeptOrders.ts'
import { useOrders } from './useOrders.ts'

type CodeOf = (productId: string) => string
const noFilters = {}
/** So many fit under the positions without taking over the page. */
const recentMax = 6

/** Open positions, live; where there is room, what closed lately stands below. */
export function Open({ codeOf }: { codeOf: CodeOf }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { orders, wake } = useStreams()
  const wide = useMedia(wideMedia)
  const loadable = useLoadable(orders.open$)
  const { value: open, looking } = useLiveOrKept(loadable, useReadOrders('positions', noFilters))
  if (open === undefined) {
    if (loadable.state !== 'failed' || looking) return <OrderListSkeleton rows={3} />
    return (
      <ErrorState title={t('orders.failed')} retryLabel={t('common.retry')} onRetry={wake}>
        {failureText(t, format, loadable.failure)}
      </ErrorState>
    )
  }
  return (
    <div className={styles.open}>
      {open.length === 0 ? (
        <Nothing tab="positions" filtered={false} />
      ) : (
        <>
          <Summary open={open} />
          <OrderList orders={open} codeOf={codeOf} rings />
        </>
      )}
      {wide && <Recent codeOf={codeOf} />}
      {open.length > 0 && <p className={styles.clock}>{t('orders.clock')}</p>}
    </div>
  )
}

function Recent({ codeOf }: { codeOf: CodeOf }) {
  const { t } = useTranslation()
  const { orders } = useOrders('closed', noFilters)
  if (orders.length === 0) return null
  return (
    <div className={styles.recent}>
      <div className={styles.recentHead}>
        <h2>{t('orders.recentClosed')}</h2>
        <TextLink href={hrefTo(paths.orders, { tab: 'closed' })}>{t('product.viewAll')}</TextLink>
      </div>
      <OrderList orders={orders.slice(0, recentMax)} codeOf={codeOf} />
    </div>
  )
}
