import { memo, useEffect, useRef, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { PriceUnits } from '../../../contract/units.ts'
import { businessDay } from '../../../contract/time.ts'
import { changeBp, formatUnits, parsePrice } from '../../../contract/price.ts'
import { hasVolume } from '../../../contract/products.ts'
import type { ProductDetail, Quote, Ticker } from '../../../streams/index.ts'
import { noValue, type Format } from '../../text/format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { narrowMedia, shortMedia, useMedia } from '../../hooks/useMedia.ts'
import { useQuote } from '../../hooks/useQuote.ts'
import { useVenueZone } from '../../hooks/useVenue.ts'
import { Change, Stat, flash, Icon, type Movement } from '../../ui/index.ts'
import { ReplayDate } from '../../features/market/ReplayDate.tsx'
import { useToday } from '../../hooks/useDays.ts'
import { useNow } from '../../hooks/useNow.ts'
import { ageText } from '../../features/orders/duration.ts'
import styles from './TickerPanel.module.css'
import { useReferencePrice } from './useReferencePrice.ts'

export type TickerPanelProps = {
  product: ProductDetail
  /** `waiting`: no price has come over the socket yet. `stale`: the price is too old to trade on. `closed`: the market is closed. */
  state: 'live' | 'waiting' | 'stale' | 'closed'
  /** Shows the replayed day; if not, the page's header does. */
  dated?: boolean
  /** The price and its change alone, in one line: the chart needs the height. */
  compact?: boolean
}

/** The price, its 24-hour change, and the four 24-hour stats. */
export const TickerPanel = memo(function TickerPanel(props: TickerPanelProps) {
  const { product, state, dated = false, compact = false } = props
  const { t } = useTranslation()
  const format = useFormat()
  const quote = useQuote(product.id)
  const ticker = quote?.ticker ?? product
  const price = quote?.price || parsePrice(product.last, product.priceDecimals)
  const narrow = useMedia(narrowMedia)
  const short = useMedia(shortMedia)
  const node = useRef<HTMLSpanElement>(null)
  useFlash(node, quote, state === 'live')
  const cells = [
    { key: 'high', label: t('product.high'), value: format.price(ticker.high24h, product.priceDecimals) },
    { key: 'low', label: t('product.low'), value: format.price(ticker.low24h, product.priceDecimals) },
    { key: 'volume', label: t('product.volume'), value: volumeText(format, product, ticker) },
    { key: 'amount', label: t('product.amount'), value: turnoverText(format, product, ticker) },
  ]
  return (
    <div className={styles.figures} data-compact={compact || undefined}>
      <div className={styles.price}>
        <Stat
          uncovered
          size={narrow || short || compact ? 28 : 36}
          tone={state === 'live' ? 'ink' : 'stale'}
          valueRef={node}
        >
          {price === undefined ? noValue : format.price(price, product.priceDecimals)}
        </Stat>
        {price !== undefined && (
          <PriceState product={product} state={state} price={price} tickerBp={ticker.change24hBp} />
        )}
        {dated && !compact && <ReplayDate product={product} className={styles.replay} />}
      </div>
      <dl className={styles.day}>
        {cells.map(({ key, label, value }) => (
          <div key={key} className={styles.cell} data-cell={key}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
})

/** In full up to six digits, shortened above. */
export function volumeText(
  format: Format,
  product: ProductDetail,
  { volume24h }: Pick<Ticker, 'volume24h'>,
): string {
  if (!hasVolume(product)) return noValue
  return Number(volume24h) < 1_000_000 && Number(volume24h) >= 100
    ? format.decimal(Math.floor(Number(volume24h)).toString())
    : format.compact(volume24h)
}

export const turnoverText = (
  format: Format,
  product: ProductDetail,
  { amount24h }: Pick<Ticker, 'amount24h'>,
): string => (hasVolume(product) ? format.compact(amount24h) : noValue)

type PriceStateProps = TickerPanelProps & { price: PriceUnits; tickerBp: number }

/** From this age on the price that a page was loaded with has its age beside it. */
const loadedAgeMs = 10_000

function PriceState({ product, state, price, tickerBp }: PriceStateProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useNow()
  const quote = useQuote(product.id)
  const referencePrice = useReferencePrice(product.id, product.priceDecimals, now)
  const at = quote?.at ?? product.lastAt
  const zone = useVenueZone()
  const today = useToday()
  // Without the venue's clock the age is not known, only the time of the price: of today, as it was just loaded.
  if (state === 'closed' || (state === 'stale' && now === 0)) {
    const isToday = today === undefined ? state === 'stale' : businessDay(at, zone) === today
    const time = isToday ? format.timeShort(at) : format.dateTimeShort(at)
    return <p className={styles.last}>{t('product.lastPrice', { time })}</p>
  }
  // For a thin product the price that was loaded may be minutes old before the first one comes over the socket.
  if (state === 'stale' || (state === 'waiting' && now - at > loadedAgeMs)) {
    return (
      <p className={styles.age}>
        <Icon name="clock" size={16} />
        {t('product.age', { age: ageText(t, now - at) })}
      </p>
    )
  }
  // Of the same price: the ticker's percentage comes once a second.
  const [change, bp] =
    referencePrice === undefined
      ? [undefined, tickerBp]
      : [price - referencePrice, changeBp(price, referencePrice)]
  return (
    <p className={styles.change}>
      <Change movement={movementOf(change ?? bp)} steady>
        <span className={styles.moves}>
          {(change === undefined ? '' : signedText(format, change, product.priceDecimals) + betweenMoves) +
            format.percent(bp, 'always')}
        </span>
      </Change>
    </p>
  )
}

/**
 * A gap or, where a line break is preserved, the end of the line. Within one text, so that a wider change does not count as
 * a move of the percentage.
 */
const betweenMoves = '\u2004\n'

const signedText = (format: Format, units: number, priceDecimals: number): string =>
  format.decimal(formatUnits(units, priceDecimals), 'always')

const movementOf = (change: number): Movement => (change === 0 ? 'level' : change > 0 ? 'up' : 'down')

/** Flashes the price when it changed. An unchanged price does not flash. */
function useFlash(node: RefObject<HTMLElement | null>, quote: Quote | undefined, on: boolean): void {
  const before = useRef<number>(undefined)
  const price = quote?.price
  useEffect(() => {
    const last = before.current
    before.current = price
    if (!on || node.current === null || price === undefined || last === undefined || price === last) return
    flash(node.current, price > last ? 'up' : 'down')
  }, [node, price, on])
}
