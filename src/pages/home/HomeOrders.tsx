import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure, Order } from '../../../streams/index.ts'
import { narrowMedia, useMedia } from '../../hooks/useMedia.ts'
import { useLoadable, valueOf } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { Card, Section, Tabs, TextLink } from '../../ui/index.ts'
import { orderTabs, type OrderTab } from '../../features/orders/list.ts'
import { OrderListSkeleton } from '../../features/orders/OrderList.tsx'
import { OrderRow } from '../../features/orders/OrderRow.tsx'
import { useOrders } from '../../features/orders/useOrders.ts'
import styles from './HomeOrders.module.css'
import { SectionError } from './SectionError.tsx'

/** The orders page shows them all. */
const shownOrders = 3
const noFilters = {}

/** The member's newest orders in three tabs, live. */
export function HomeOrders() {
  const { t } = useTranslation()
  const [tab, setTab] = useState<OrderTab>('positions')
  return (
    <Section
      title={t('home.myOrders')}
      action={
        <TextLink caret href={hrefTo(paths.orders, { tab })}>
          {t('common.all')}
        </TextLink>
      }
    >
      <Card>
        <Tabs
          inset
          label={t('home.myOrders')}
          items={orderTabs.map((value) => ({ value, label: t(`home.${value}`) }))}
          value={tab}
          onChange={setTab}
        >
          <div className={styles.body}>
            {tab === 'positions' ? <Positions /> : <PastOrders key={tab} tab={tab} />}
          </div>
        </Tabs>
      </Card>
    </Section>
  )
}

function Positions() {
  const { orders, refresh } = useStreams()
  const open = useLoadable(orders.open$)
  const failure = open.state === 'failed' ? open.failure : undefined
  return <NewestOrders tab="positions" orders={valueOf(open)} failure={failure} onRetry={refresh} />
}

function PastOrders({ tab }: { tab: OrderTab }) {
  const { items, cursor, failure, retry } = useOrders(tab, noFilters)
  return (
    <NewestOrders
      tab={tab}
      orders={cursor === undefined ? undefined : items}
      failure={failure}
      onRetry={retry}
    />
  )
}

type NewestOrdersProps = {
  tab: OrderTab
  orders: readonly Order[] | undefined
  failure: Failure | undefined
  onRetry: () => void
}

function NewestOrders({ tab, orders, failure, onRetry }: NewestOrdersProps) {
  const { t } = useTranslation()
  const { catalog$ } = useStreams()
  const products = valueOf(useLoadable(catalog$))
  const narrow = useMedia(narrowMedia)
  if (failure !== undefined && orders === undefined) {
    return <SectionError failure={failure} title={t('home.ordersFailed')} onRetry={onRetry} />
  }
  if (orders === undefined) return <OrderListSkeleton rows={1} withoutGutter />
  if (orders.length === 0) {
    return (
      <p className={styles.note}>
        {t(emptyTexts[tab])} <TextLink href={hrefTo(paths.products)}>{t('home.seeProducts')}</TextLink>
      </p>
    )
  }
  return (
    <ul>
      {orders.slice(0, shownOrders).map((order) => (
        <li key={order.id} className={styles.row}>
          <OrderRow
            order={order}
            product={products?.find(({ id }) => id === order.productId)?.code ?? order.productId}
            ring={tab === 'positions' && !narrow}
          />
        </li>
      ))}
    </ul>
  )
}

const emptyTexts = {
  records: 'home.noRecords',
  positions: 'home.noPositions',
  closed: 'home.noClosed',
} as const
