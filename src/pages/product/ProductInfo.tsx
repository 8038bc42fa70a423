import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Ticker, ProductDetail } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { KeyValues, TextLink } from '../../ui/index.ts'
import styles from './ProductInfo.module.css'
import { TimeZoneNote } from '../../features/lists/TimeZoneNote.tsx'
import { turnoverText, volumeText } from './TickerPanel.tsx'
import { replayAt, sourceName } from '../../features/market/source.ts'
import { durationText } from '../../features/orders/duration.ts'
import { useMirrored } from '../../features/market/useMirrored.ts'

/** The link to the chart library's authors, which its licence requires. */
const tradingView = 'https://www.tradingview.com/'

type ProductInfoProps = { product: ProductDetail; ticker: Ticker | ProductDetail }

/** The source of the prices. On small phones and in landscape also the stats that do not fit above. */
export const ProductInfo = memo(function ProductInfo({ product, ticker }: ProductInfoProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const config = useVenueConfig()
  const name = sourceName(product.source)
  return (
    <section className={styles.details} aria-label={t('product.details')}>
      <div className={styles.small}>
        <KeyValues
          items={[
            { key: 'volume', label: t('product.volume'), value: volumeText(format, product, ticker) },
            { key: 'amount', label: t('product.amount'), value: turnoverText(format, product, ticker) },
          ]}
        />
      </div>
      <p className={styles.source}>
        {name !== undefined && <span>{t('product.source', { name })}</span>}
        <span className={styles.by}>
          <TextLink href={tradingView}>{t('product.chartBy')}</TextLink>
        </span>
      </p>
      <PriceSourceNote product={product} />
      <p>
        <TimeZoneNote />
      </p>
      {product.refunds.orders > 0 && (
        <p>
          {t('product.refunds', {
            ...product.refunds,
            pnl: `${format.money(product.refunds.pnl, 'always')} ${config?.currency ?? ''}`.trim(),
          })}
        </p>
      )}
    </section>
  )
})

function PriceSourceNote({ product }: { product: ProductDetail }) {
  const { t } = useTranslation()
  const isMirrored = useMirrored(product)
  // The head of the page names the day.
  const isReplayed = replayAt(product.source) !== undefined
  const volumeIsTicks = product.sizeDecimals === 0 && product.category === 'forex'
  return (
    <>
      {product.source === 'synthetic' && <p>{t('product.synthetic')}</p>}
      {isReplayed && <p>{t(isMirrored ? 'product.replayedMirrored' : 'product.replayed')}</p>}
      {product.passes !== undefined && <p>{t('product.history')}</p>}
      {product.thin && (
        <p>{t('product.thin', { seconds: durationText(t, product.entryTimeoutMs / 1000) })}</p>
      )}
      {volumeIsTicks && <p>{t('product.tickNote')}</p>}
    </>
  )
}
