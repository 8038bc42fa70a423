import type { TFunction } from 'i18next'
import { memo, useCallback, useEffect, useRef, useState } from 'react'
import type { CSSProperties } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { Order, ProductDetail } from '../../../streams/index.ts'
import { useLanguage } from '../../hooks/useFormat.ts'
import { shortMedia, useMedia, wideMedia } from '../../hooks/useMedia.ts'
import { goBack } from '../../router/scrollRestoration.ts'
import { paths } from '../../paths.ts'
import { ConnectionStatus } from '../../shell/ConnectionStatus.tsx'
import { toggleFavourite, usePreferences } from '../../state/preferences.ts'
import { IconButton, setToastClearance, TitleBar } from '../../ui/index.ts'
import { ReplayDate } from '../../features/market/ReplayDate.tsx'
import { productName } from '../../features/market/productDisplay.ts'
import { AlertButton } from './AlertButton.tsx'
import { ChartPanel } from './ChartPanel.tsx'
import { OrderEntry } from './OrderEntry.tsx'
import type { OrderEntryHandle } from './OrderEntry.tsx'
import { ProductInfo } from './ProductInfo.tsx'
import { TickerPanel } from './TickerPanel.tsx'
import type { ShownStatus } from './preTradeCheck.ts'
import { checkMarket, priceState, shownStatus } from './preTradeCheck.ts'
import { Positions, RecentlyClosed } from './Positions.tsx'
import { MarketClosed } from './MarketClosed.tsx'
import { Ticket } from './Ticket.tsx'
import styles from './Trading.module.css'
import { usePositions } from './usePositions.ts'
import { useRepeatedOrder } from './useRepeatedOrder.ts'
import { useTicketFacts } from './useTicketFacts.ts'

/** The height of the strip of positions, without its hairline. */
const positionsHeight = 96

const noOrders: readonly Order[] = []

/**
 * A product's page once the product is loaded: ticker, chart, positions and ticket. It renders every second, because the time
 * decides what the ticket allows; the parts that do not depend on it are memoised.
 */
export function Trading({ product }: { product: ProductDetail }) {
  const short = useMedia(shortMedia)
  const wide = useMedia(wideMedia) && !short
  /** Chart and ticket side by side. */
  const columns = wide || short
  const facts = useTicketFacts(product)
  const { open, settled, dismiss } = usePositions(product.id)
  const entry = useRef<OrderEntryHandle>(null)
  const review = useCallback<OrderEntryHandle['review']>((...order) => entry.current?.review(...order), [])
  const reviewAgain = useCallback<OrderEntryHandle['reviewAgain']>(
    (...order) => entry.current?.reviewAgain(...order),
    [],
  )
  useRepeatedOrder(product, facts, reviewAgain)
  const marketBlock = checkMarket(facts)
  const marketClosed =
    marketBlock?.kind === 'closed' || marketBlock?.kind === 'maintenance' ? marketBlock : undefined
  const badged = marketClosed !== undefined
  const state = badged ? 'closed' : priceState(marketBlock)
  const [foot, footHeight] = useHeight()
  useToastOver(columns ? 0 : footHeight + ((open?.length ?? 0) + settled.length > 0 ? positionsHeight : 0))

  const positions = <Positions {...{ open, settled, badged }} onDismiss={dismiss} wide={columns} />
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
        <Head product={product} status={shownStatus(marketBlock)} />
        <ConnectionStatus />
        <TickerPanel product={product} state={state} dated={!columns} />
        <ChartPanel product={product} orders={open ?? noOrders} stale={state !== 'live'} />
        {wide && details}
        {!columns && positions}
      </div>
      {!columns && details}
      <div className={styles.foot} ref={columns ? undefined : foot}>
        {marketClosed === undefined ? (
          <Ticket product={product} facts={facts} wide={wide} onReview={review} />
        ) : (
          <MarketClosed
            status={marketClosed.kind}
            opensAt={marketClosed.opensAt}
            isVenueOpen={facts.isVenueOpen}
          />
        )}
        {columns && facts.member && (
          <>
            {positions}
            <RecentlyClosed productId={product.id} excluding={settled} badged={badged} />
          </>
        )}
        {short && details}
      </div>
      <OrderEntry ref={entry} product={product} blockReason={marketBlock} />
    </main>
  )
}

type HeadProps = { product: ProductDetail; status: ShownStatus }

const statusText = (t: TFunction, status: ShownStatus): string =>
  status === 'paused' ? t('ticket.note.paused') : t(`product.status.${status}`)

const PhoneHead = memo(function PhoneHead({ product, status }: HeadProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <TitleBar
      title={product.code}
      subtitle={
        <span className={styles.subtitle}>
          <span className={styles.name}>{productName(product, language)}</span>
          <span className={styles.category}> · {t(`product.category.${product.category}`)}</span>
          <span> · {statusText(t, status)}</span>
        </span>
      }
      back={{ label: t('common.back'), onClick: () => goBack(paths.products) }}
      actions={
        <>
          <AlertButton product={product} />
          <Favourite id={product.id} />
        </>
      }
    />
  )
})

const WideHead = memo(function WideHead({ product, status }: HeadProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <header className={styles.wideHead}>
      <IconButton
        icon="caret-left"
        size={20}
        label={t('common.back')}
        onClick={() => goBack(paths.products)}
        className={styles.wideBack}
      />
      <h1 tabIndex={-1}>{product.code}</h1>
      <Favourite id={product.id} size={20} />
      <AlertButton product={product} size={20} />
      <p className={styles.wideSubtitle}>
        {productName(product, language)}
        <span className={styles.category}> · {t(`product.category.${product.category}`)}</span> ·{' '}
        <b>{statusText(t, status)}</b>
        <ReplayDate product={product} className={styles.wideDate} />
      </p>
    </header>
  )
})

function Favourite({ id, size = 24 }: { id: string; size?: number }) {
  const { t } = useTranslation()
  const isFavourite = usePreferences().favourites.includes(id)
  return (
    <IconButton
      icon={isFavourite ? 'star-fill' : 'star'}
      size={size}
      label={t(isFavourite ? 'product.removeFavourite' : 'product.addFavourite')}
      pressed={isFavourite}
      onClick={() => toggleFavourite(id)}
    />
  )
}

/**
 * The height of the ticket of the product before, by which the next page is laid out until its own is measured; at first that
 * of most tickets, so that most pages need no second render.
 */
let heightBefore = 235

/**
 * Measures a node's height as it changes: the rest of the screen is sized by the ticket's height. The observer is called
 * between the layout and the paint, so that nothing moves; to measure it here would compute the layout twice.
 */
function useHeight(): [(node: HTMLElement | null) => void, number] {
  const [height, setHeight] = useState(heightBefore)
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

/** Keeps toasts from covering their subject: a just placed order shows in the strip above the ticket. */
function useToastOver(height: number): void {
  useEffect(() => {
    setToastClearance(height)
    return () => setToastClearance(undefined)
  }, [height])
}
