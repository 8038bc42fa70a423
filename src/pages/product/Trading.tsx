import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
} from 'react'
import { flushSync } from 'react-dom'
import type { Order, ProductDetail } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { shortMedia, useMedia, wideMedia } from '../../hooks/useMedia.ts'
import { useSwipe } from '../../hooks/useSwipe.ts'
import { noteSeen } from '../../state/preferences.ts'
import { useSession } from '../../state/session.ts'
import { ticket } from '../../state/ticket.ts'
import { setToastPlace, Stat } from '../../ui/index.ts'
import { ChartPanel, type ChartPanelProps } from './ChartPanel.tsx'
import { DayLine } from './DayLine.tsx'
import { useFullScreen } from './fullScreen/useFullScreen.ts'
import { useOtherOrders } from './OtherOrders.tsx'
import { OrderEntry, type OrderEntryHandle } from './OrderEntry.tsx'
import { ProductInfo } from './ProductInfo.tsx'
import { MarketSkeleton } from './ProductSkeleton.tsx'
import { TickerPanel } from './TickerPanel.tsx'
import { checkMarket, priceState, shownStatus, type BlockReason } from './preTradeCheck.ts'
import { Positions, RecentlyClosed } from './Positions.tsx'
import { PhoneHead, WideHead, type HeadProps } from './Heads.tsx'
import { MarketClosed } from './MarketClosed.tsx'
import { useNeighbour } from './switcher/useNeighbour.ts'
import { useSwitcher } from './switcher/useSwitcher.tsx'
import { Ticket } from './Ticket.tsx'
import styles from './Trading.module.css'
import { usePositions } from './usePositions.ts'
import { usePriceSheet } from './usePriceSheet.tsx'
import { useRepeatedOrder } from './useRepeatedOrder.ts'
import { useTicketFacts } from './useTicketFacts.ts'

const noOrders: readonly Order[] = []

/**
 * A product's page once the product is loaded: ticker, chart, positions and ticket. It renders every second, because the time
 * decides what the ticket allows; the parts that do not depend on it are memoised.
 */
export function Trading({ product }: { product: ProductDetail }) {
  const { short, wide, columns } = useLayout()
  const facts = useTicketFacts(product)
  const { open, isKnown, cards, fresh, newest, dismiss } = usePositions(product.id)
  const others = useOtherOrders(product.id)
  const { entry, review, reviewAgain } = useOrderEntry()
  const { sheets, opens } = useHeadSheets(product)
  const chart = useRef<HTMLElement>(null)
  const [full, setFull] = useFullScreen(chart)
  useRepeatedOrder(product, facts, reviewAgain)
  useVisit(product.id)
  const swipe = useSwipe(useNeighbour(product.id))
  const marketBlock = checkMarket(facts)
  const marketClosed = closedOf(marketBlock)
  const state = marketClosed ? 'closed' : priceState(marketBlock)
  const badged = marketClosed !== undefined
  const compact = !columns && hasStrip(open, cards)
  const [foot, footHeight] = useHeight(facts.member)
  const shown = { open, cards, fresh, newest, badged, others, wide: columns, onDismiss: dismiss }
  const positions = <Positions {...shown} />
  const Head = columns ? WideHead : PhoneHead
  const details = <ProductInfo product={product} ticker={product} />
  return (
    <main
      className={styles.page}
      data-ground="market"
      data-columns={columns || undefined}
      data-short={short || undefined}
      style={{ '--foot': `${footHeight}px` } as CSSProperties}
    >
      <div className={styles.screen}>
        <div className={styles.swiped} {...swipe}>
          <Head product={product} status={shownStatus(marketBlock)} {...opens} />
          {isKnown && (
            <ToastPlace>
              <TickerPanel {...{ product, state, compact }} dated={!columns} />
            </ToastPlace>
          )}
        </div>
        <Market
          {...{ isKnown, product, full, newest, panel: chart, onFull: setFull, onReview: review }}
          orders={open ?? noOrders}
          stale={state !== 'live'}
        />
        {wide && details}
        {!columns && positions}
      </div>
      {!columns && details}
      <div className={styles.foot} ref={columns ? undefined : foot}>
        {marketClosed === undefined ? (
          <Ticket {...{ product, facts }} layout={wide ? 'wide' : 'phone'} covered={full} onReview={review} />
        ) : (
          <MarketClosed {...marketClosed} isVenueOpen={facts.isVenueOpen} />
        )}
        {columns && facts.member && positions}
        {columns && facts.member && open !== undefined && (
          <RecentlyClosed productId={product.id} cards={cards} badged={badged} />
        )}
        {short && isKnown && details}
      </div>
      <OrderEntry
        ref={entry}
        product={product}
        blockReason={marketBlock}
        container={full ? chart : undefined}
      />
      {sheets}
    </main>
  )
}

/** Whether positions or results are between chart and ticket. Until that is known, a skeleton is above the ticket. */
const hasStrip = (open: readonly Order[] | undefined, cards: readonly unknown[]): boolean =>
  (open?.length ?? 0) + cards.length > 0

/** The chart; until it is known how the page is laid out, what it was before its product was loaded. */
function Market({ isKnown, ...chart }: ChartPanelProps & { isKnown: boolean }) {
  const format = useFormat()
  const { product } = chart
  if (isKnown) return <ChartPanel {...chart} />
  const price = <Stat tone="stale">{format.price(product.last, product.priceDecimals)}</Stat>
  return <MarketSkeleton price={price} dayLine={<DayLine product={product} />} />
}

function useLayout() {
  const short = useMedia(shortMedia)
  const wide = useMedia(wideMedia) && !short
  /** Chart and ticket side by side. */
  return { short, wide, columns: wide || short }
}

/** The sheets that a head opens. They stay open when another head takes its place, as when a phone is turned. */
function useHeadSheets(product: ProductDetail): {
  sheets: ReactNode
  opens: Omit<HeadProps, 'product' | 'status'>
} {
  const { switcher, openSwitcher } = useSwitcher(product.id)
  const { sheet, isLoading, openSheet } = usePriceSheet('alert', product)
  const openAlerts = useCallback(() => openSheet(), [openSheet])
  const isMember = useSession().token !== null
  const sheets = (
    <>
      {switcher}
      {isMember && sheet}
    </>
  )
  return { sheets, opens: { alertsAreLoading: isLoading, onAlerts: openAlerts, onSwitch: openSwitcher } }
}

/** What opens the confirmation of an order; both functions stay the same. */
function useOrderEntry() {
  const entry = useRef<OrderEntryHandle>(null)
  const review = useCallback<OrderEntryHandle['review']>((...order) => entry.current?.review(...order), [])
  const reviewAgain = useCallback<OrderEntryHandle['reviewAgain']>(
    (...order) => entry.current?.reviewAgain(...order),
    [],
  )
  return { entry, review, reviewAgain }
}

/** Why the market is closed, if it is. */
const closedOf = (block: BlockReason | undefined) =>
  block?.kind === 'closed' || block?.kind === 'maintenance'
    ? { status: block.kind, opensAt: block.opensAt }
    : undefined

/**
 * Notes that the product was seen. What was typed is discarded with the page: the next one starts with what fits its
 * product, limits and balance.
 */
function useVisit(id: string): void {
  useEffect(() => noteSeen(id), [id])
  useLayoutEffect(() => {
    return () => {
      ticket.amount = undefined
    }
  }, [])
}

/** The height of the ticket of the product before, by which the next page is laid out until its own is measured. */
let heightBefore: number | undefined
/** Of most tickets, so that most pages need no second render at first. */
const firstHeight = { member: 235, guest: 299 }

/**
 * Measures a node's height as it changes: the rest of the screen is sized by the ticket's height. The observer is called
 * between the layout and the paint, so that nothing moves; to measure it here would compute the layout twice.
 */
function useHeight(isMember: boolean): [(node: HTMLElement | null) => void, number] {
  const [height, setHeight] = useState(heightBefore ?? firstHeight[isMember ? 'member' : 'guest'])
  const observer = useRef<ResizeObserver>(undefined)
  useEffect(() => {
    return () => observer.current?.disconnect()
  }, [])
  const ref = useCallback((node: HTMLElement | null) => {
    observer.current?.disconnect()
    if (node === null) return
    observer.current = new ResizeObserver(() => {
      if (node.offsetHeight !== heightBefore) flushSync(() => setHeight((heightBefore = node.offsetHeight)))
    })
    observer.current.observe(node)
  }, [])
  return [ref, height]
}

/** What toasts may cover: not the chart, the positions and the buttons that they are about. */
function ToastPlace({ children }: { children: ReactNode }) {
  const node = useRef<HTMLDivElement>(null)
  useEffect(() => {
    setToastPlace(node.current ?? undefined)
    return () => setToastPlace(undefined)
  }, [])
  return <div ref={node}>{children}</div>
}
