import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { addMoney, moneyOf } from '../../../contract/money.ts'
import type { Order } from '../../../streams/index.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { useOpenPnlRef } from '../../features/orders/useOpenPnlRef.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { noValue } from '../../text/format.ts'
import { TextLink, VisuallyHidden } from '../../ui/index.ts'
import { OtherOrders } from './OtherOrders.tsx'
import styles from './Positions.module.css'
import own from './PositionsSection.module.css'

export type PositionsAreaProps = {
  /** There is space for an empty state and for orders that closed before. */
  wide: boolean
  /** The heading has the practice badge: the ticket, which has it otherwise, is not shown. */
  badged: boolean
  /** The open orders on other products, which the area names; undefined without any. */
  others?: readonly Order[] | undefined
}

type PositionsSectionProps = PositionsAreaProps & {
  /** The orders that run; the same array until they change. */
  running: readonly Order[]
  hasRows: boolean
  isLoaded: boolean
  /** Beside the heading. */
  line: ReactNode
  children: ReactNode
}

/** The area of positions: a heading, the rows, and what runs on other products. */
export function PositionsSection(props: PositionsSectionProps) {
  const { wide, running, hasRows, isLoaded, others, children } = props
  const { t } = useTranslation()
  const isEnded = running.length === 0 && hasRows
  const isResults = isEnded && !wide
  const isAlone = !hasRows && !wide
  return (
    <section
      className={styles.positions}
      data-wide={wide || undefined}
      aria-label={t(isResults ? 'orders.recentClosed' : 'product.positions')}
    >
      {!isAlone && <Head {...props} isEnded={isEnded} isResults={isResults} />}
      {hasRows
        ? children
        : wide && (
            // In its final size until the orders are loaded.
            <p className={styles.none}>{isLoaded ? t('product.noneHere') : '\u00a0'}</p>
          )}
      {(wide || isAlone) && others !== undefined && (
        <div className={own.others} data-wide={wide || undefined}>
          <OtherOrders orders={others} empty={t(wide ? 'product.viewAll' : 'home.noPositions')} />
        </div>
      )}
    </section>
  )
}

/** It counts what runs, and sums it up if there are several; results alone have a heading of their own. */
function Head(props: PositionsSectionProps & { isEnded: boolean; isResults: boolean }) {
  const { wide, badged, running, hasRows, isLoaded, line, others, isEnded, isResults } = props
  const { t } = useTranslation()
  const isSummed = running.length > 1
  return (
    <div className={styles.head}>
      <h2 className={styles.title}>
        {isResults ? (
          t('orders.recentClosed')
        ) : (
          <>
            <span className={own.word} data-spoken={(isSummed && !wide && others !== undefined) || undefined}>
              {t(wide && !isEnded ? 'product.openPositions' : 'product.positions')}{' '}
            </span>
            {!isEnded && <span className={styles.count}>{isLoaded ? running.length : '\u2007'}</span>}
          </>
        )}{' '}
        {badged && hasRows && <PracticeBadge />}
      </h2>
      {line}
      {isSummed && <Sum orders={running} besideLink={!wide && others !== undefined} />}
      {/* One link leads to all of them; beside a ticket it is below the rows. */}
      {others === undefined || isResults ? (
        <TextLink href={hrefTo(paths.orders, { tab: isResults ? 'closed' : 'positions' })} caret={!wide}>
          {t(wide ? 'product.viewAll' : 'product.all')}
        </TextLink>
      ) : (
        !wide && <OtherOrders orders={others} short empty={t('product.all')} />
      )}
    </div>
  )
}

/** The stakes of several orders together, and their P&L if they ended now. */
function Sum({ orders, besideLink }: { orders: readonly Order[]; besideLink: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const pnlRef = useOpenPnlRef(orders)
  return (
    <span className={own.sum}>
      <span className={own.stakes} data-spoken={besideLink || undefined}>
        <VisuallyHidden>{t('orders.openStakes')} </VisuallyHidden>
        {format.money(addMoney(...orders.map(({ amount }) => moneyOf(amount))))}
      </span>
      <VisuallyHidden> {t('orders.ifEndedNow')} </VisuallyHidden>{' '}
      <b className={own.sumPnl}>
        <span ref={pnlRef} data-tone="none">
          {noValue}
        </span>
      </b>
    </span>
  )
}

/**
 * Of the columns, on a desk: there the rows are a table. Each row says the same to screen readers. Results alone have no time
 * left, and stay where they are.
 */
export function PositionHeads({ timed }: { timed: boolean }) {
  const { t } = useTranslation()
  return (
    <div className={own.columns} aria-hidden="true">
      <span className={own.amountHead}>{t('order.amount')}</span>
      <span>{t('order.pnl')}</span>
      {timed && <span className={own.timeHead}>{t('order.timeLeft')}</span>}
    </div>
  )
}
