import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { hasVolume } from '../../../contract/products.ts'
import type { Ticker, Product } from '../../../streams/index.ts'
import { noValue } from '../../text/format.ts'
import { useFormat, useLanguage } from '../../hooks/useFormat.ts'
import { useMarketClosedText } from '../../hooks/useMarketClosedText.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { toggleFavourite } from '../../state/preferences.ts'
import { cx, IconButton, Sparkline, VisuallyHidden } from '../../ui/index.ts'
import { movementOf, productName } from './productDisplay.ts'
import { LiveChange } from './LiveChange.tsx'
import { LivePrice } from './LivePrice.tsx'
import { ReplayDate } from './ReplayDate.tsx'
import { useTicker, useStale } from './useTicker.ts'
import styles from './ProductRow.module.css'

export type ProductRowProps = {
  product: Product
  /** The 12 px line under the code on a phone: the local name, or the 24-hour volume. */
  caption: 'name' | 'volume'
  /** Whether it is a favourite; if undefined, there is no star button. */
  favourite?: boolean
}

/** One product: code and name, sparkline of the day, price and change. A wide window has a column for volume. */
export const ProductRow = memo(function ProductRow({ product, caption, favourite }: ProductRowProps) {
  const { t } = useTranslation()
  return (
    <li className={cx(styles.row, favourite !== undefined && styles.starred)}>
      {favourite !== undefined && (
        <IconButton
          icon={favourite ? 'star-fill' : 'star'}
          size={20}
          pressed={favourite}
          className={styles.star}
          label={t(favourite ? 'products.removeFavourite' : 'products.addFavourite', { name: product.code })}
          onClick={() => toggleFavourite(product.id)}
        />
      )}
      <a className={styles.link} href={hrefTo(paths.product, { id: product.id })}>
        <span className={styles.names}>
          <span className={styles.code}>{product.code}</span>
          <Caption product={product} kind={caption} />
          <ReplayDate product={product} className={styles.caption} />
        </span>
        <DayLine product={product} />
        <span className={styles.figures}>
          <VisuallyHidden>{t('products.last')}</VisuallyHidden>
          <Price product={product} />
          <VisuallyHidden>{t('products.change')}</VisuallyHidden>
          <span className={styles.change}>
            <LiveChange product={product} />
          </span>
        </span>
        <DayColumns product={product} />
      </a>
    </li>
  )
})

function Price({ product }: { product: Product }) {
  const stale = useStale(product.id)
  return (
    <LivePrice
      id={product.id}
      last={product.last}
      flashing
      className={cx(styles.price, stale && styles.stale)}
    />
  )
}

/** Below the code: when a closed market opens, otherwise the name or the volume. */
function Caption({ product, kind }: { product: Product; kind: 'name' | 'volume' }) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const ticker = useTicker(product)
  const name = productName(product, language)
  if (ticker.status !== 'open') return <MarketClosedText ticker={ticker} />
  const described = product.thin ? t('products.thinName', { name }) : name
  if (kind === 'name') return <span className={cx(styles.caption, styles.wraps)}>{described}</span>
  return (
    <>
      <span className={cx(styles.caption, styles.narrow)}>
        {t('products.vol', { volume: hasVolume(product) ? format.compact(ticker.volume24h) : noValue })}
      </span>
      <span className={cx(styles.caption, styles.wide)}>{described}</span>
    </>
  )
}

function MarketClosedText({ ticker: { status, opensAt } }: { ticker: Ticker }) {
  const text = useMarketClosedText(status === 'maintenance' ? status : 'closed', opensAt)
  return <span className={cx(styles.caption, styles.wraps, styles.shut)}>{text}</span>
}

function DayLine({ product }: { product: Product }) {
  const { change24hBp, status } = useTicker(product)
  const stale = useStale(product.id)
  return (
    <DaySparkline
      values={product.spark ?? noValues}
      change={Math.sign(change24hBp)}
      quiet={status !== 'open' || stale}
    />
  )
}

const noValues: readonly number[] = []

/** Separate from its row, so that a price change does not redraw the sparkline. */
const DaySparkline = memo(function DrawnLine(props: {
  values: readonly number[]
  change: number
  quiet: boolean
}) {
  return (
    <Sparkline
      className={styles.line}
      values={props.values}
      movement={movementOf(props.change)}
      quiet={props.quiet}
    />
  )
})

/** The 24-hour high, low and volume, in a wide list. */
function DayColumns({ product }: { product: Product }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { high24h, low24h, volume24h } = useTicker(product)
  return (
    <>
      <span className={styles.extreme}>
        <VisuallyHidden>{t('products.high')}</VisuallyHidden>
        {format.price(high24h, product.priceDecimals)}
      </span>
      <span className={styles.extreme}>
        <VisuallyHidden>{t('products.low')}</VisuallyHidden>
        {format.price(low24h, product.priceDecimals)}
      </span>
      <span className={styles.volume}>
        <VisuallyHidden>{t('products.volume')}</VisuallyHidden>
        {hasVolume(product) ? format.compact(volume24h) : noValue}
      </span>
    </>
  )
}
