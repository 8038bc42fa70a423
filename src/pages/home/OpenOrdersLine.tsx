import { useTranslation } from 'react-i18next'
import { moneyOf } from '../../../contract/money.ts'
import type { Order } from '../../../streams/index.ts'
import { NextEnd } from '../../features/orders/NextEnd.tsx'
import { OpenPnl } from '../../features/orders/OpenPnl.tsx'
import { useCatalog } from '../../hooks/useCatalog.ts'
import { useHasBeen } from '../../hooks/useHasBeen.ts'
import { useLoadable, valueOf } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Card, DirectionTile, Icon, Skeleton } from '../../ui/index.ts'
import styles from './OpenOrdersLine.module.css'

/**
 * The member's open orders in one line, which leads to them: the product, or how many they are, their P&L if they ended now,
 * and the shortest time left. Nothing without any; once it is shown it stays, so that nothing below it moves.
 */
export function OpenOrdersLine() {
  const { assets$, orders } = useStreams()
  const open = valueOf(useLoadable(orders.open$))
  const assets = valueOf(useLoadable(assets$))
  const has = open === undefined ? assets !== undefined && moneyOf(assets.openStakes) > 0 : open.length > 0
  if (!useHasBeen(has)) return null
  return (
    <Card>
      <a className={styles.line} href={hrefTo(paths.orders, { tab: 'positions' })}>
        {open === undefined ? <Skeleton line={15} width="60%" /> : <Content open={open} />}
        <Icon name="caret-right" size={16} className={styles.caret} />
      </a>
    </Card>
  )
}

function Content({ open }: { open: readonly Order[] }) {
  const { t } = useTranslation()
  const products = useCatalog()
  const [only] = open
  if (only === undefined) return <span className={styles.none}>{t('home.noPositions')}</span>
  return (
    <>
      {open.length === 1 && <DirectionTile direction={only.direction} />}
      <span className={styles.what}>
        {open.length === 1
          ? (products?.find(({ id }) => id === only.productId)?.code ?? only.productId)
          : t('home.open', { count: open.length })}
      </span>
      <OpenPnl className={styles.pnl} />
      <span className={styles.time}>
        <NextEnd orders={open} />
      </span>
    </>
  )
}
