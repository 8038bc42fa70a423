import { useCallback, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { isFinal } from '../../../contract/orders.ts'
import type { EndedOrder, Order } from '../../../streams/index.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { narrowMedia, useMedia } from '../../hooks/useMedia.ts'
import { TextLink } from '../../ui/index.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { newestFirst } from '../../features/orders/list.ts'
import { useOrders } from '../../features/orders/useOrders.ts'
import { OpenPosition, SettledPosition } from './Position.tsx'
import styles from './Positions.module.css'
import { PositionHeads, PositionsSection, type PositionsAreaProps } from './PositionsSection.tsx'
import { ResultLine } from './ResultLine.tsx'

export type PositionsProps = PositionsAreaProps & {
  /** Undefined until loaded. */
  open: readonly Order[] | undefined
  /** Of what ended since the page was opened, those with a card, newest first. */
  cards: readonly EndedOrder[]
  /** Those of the cards that are new. */
  fresh: readonly EndedOrder[]
  /** Of what ended since then, all that are shown together with the newest, newest first. */
  newest: readonly EndedOrder[]
  onDismiss: (id: string) => void
}

/** From this many on each takes one line. */
const manyMin = 3

/**
 * The member's orders on this product: each card turns into its result in place, and stays until the next order. On a
 * phone what runs comes into sight again after a moment, and a line beside the heading shows the result.
 */
export function Positions({ open, cards, fresh, newest, onDismiss, wide, badged, others }: PositionsProps) {
  const isNarrow = useMedia(narrowMedia)
  const running = useMemo(() => runningOf(open ?? [], cards), [open, cards])
  const rows = useMemo(
    () => [...running, ...cards.map(({ order }) => order)].sort(newestFirst('positions')),
    [running, cards],
  )
  const list = useRef<HTMLUListElement>(null)
  useScrollToRunning(list, running[0], fresh.length > 0)
  const [untold, onSight] = useUntold(newest, running.length > 0 ? fresh : cards)
  const isLoaded = open !== undefined
  if (rows.length === 0 && !wide && others === undefined) return null
  const line = !wide && <ResultLine newest={untold} />
  const isSlim = rows.length >= manyMin
  return (
    <PositionsSection {...{ wide, badged, line, isLoaded, running, others, hasRows: rows.length > 0 }}>
      {wide && rows.length > 0 && <PositionHeads timed={running.length > 0} />}
      {rows.length > 0 && (
        <ul
          ref={list}
          className={styles.cards}
          data-many={rows.length > 1 || undefined}
          data-slim={isSlim || undefined}
          data-narrow={isNarrow || undefined}
        >
          {rows.map((order) => (
            <li key={order.id} className={styles.card} data-order={order.id}>
              {isFinal(order.status) ? (
                <SettledPosition
                  order={order}
                  announced
                  {...(wide ? {} : { swiped: list, onSight, onDismiss: () => onDismiss(order.id) })}
                />
              ) : (
                <OpenPosition order={order} slim={isSlim} />
              )}
            </li>
          ))}
        </ul>
      )}
    </PositionsSection>
  )
}

/** The list may still have an order whose result is known. */
const runningOf = (open: readonly Order[], cards: readonly EndedOrder[]): readonly Order[] =>
  open.filter(({ id }) => cards.every(({ order }) => order.id !== id))

const noResults: readonly EndedOrder[] = []

/**
 * What the line beside the heading says: the newest results, unless their own cards say it, each on the screen and among
 * those `counting`. The card of an order that one has swiped past is off the screen.
 */
function useUntold(newest: readonly EndedOrder[], counting: readonly EndedOrder[]) {
  const [outOfSight, setOutOfSight] = useState<ReadonlySet<string>>(new Set())
  const onSight = useCallback((id: string, isInSight: boolean) => {
    setOutOfSight((before) => {
      if (before.has(id) !== isInSight) return before
      const after = new Set(before)
      if (isInSight) after.delete(id)
      else after.add(id)
      return after
    })
  }, [])
  const areTold = newest.every(({ order: { id } }) => {
    return counting.some(({ order }) => order.id === id) && !outOfSight.has(id)
  })
  return [areTold ? noResults : newest, onSight] as const
}

/** The newest order that runs is in sight: once it is placed, and when no result is new any more. */
function useScrollToRunning(
  list: RefObject<HTMLElement | null>,
  newest: Order | undefined,
  hasFresh: boolean,
): void {
  const { id, acceptedAt = 0 } = newest ?? {}
  const seen = useRef(0)
  useLayoutEffect(() => {
    const isNew = acceptedAt > seen.current
    seen.current = Math.max(seen.current, acceptedAt)
    if (hasFresh && !isNew) return
    const row = list.current
    const [card, first] = [row?.querySelector(`[data-order="${id}"]`), row?.firstElementChild]
    if (row && card instanceof HTMLElement && first instanceof HTMLElement)
      row.scrollTo({ left: card.offsetLeft - first.offsetLeft })
  }, [list, id, acceptedAt, hasFresh])
}

const recentMax = 3

/** Orders on a product that closed, without those whose `cards` are among the positions. */
export function RecentlyClosed({
  productId,
  cards,
  badged,
}: Pick<PositionsProps, 'cards' | 'badged'> & { productId: string }) {
  const { t } = useTranslation()
  const filters = useMemo(() => ({ productId }), [productId])
  const { items } = useOrders('closed', filters)
  const shown = items.filter(({ id }) => cards.every(({ order }) => order.id !== id)).slice(0, recentMax)
  if (shown.length === 0) return null
  return (
    <section className={styles.positions} data-wide="" aria-label={t('orders.recentClosed')}>
      <div className={styles.head}>
        <h2 className={styles.title}>
          {t('orders.recentClosed')} {badged && <PracticeBadge />}
        </h2>
        <TextLink href={hrefTo(paths.orders, { tab: 'closed', product: productId })}>
          {t('product.viewAll')}
        </TextLink>
      </div>
      <ul className={styles.cards}>
        {shown.map((order) => (
          <li key={order.id} className={styles.card}>
            <SettledPosition order={order} announced={false} />
          </li>
        ))}
      </ul>
    </section>
  )
}
