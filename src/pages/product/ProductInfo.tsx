import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '../../../contract/constants.ts'
import type { Ticker, ProductDetail } from '../../../streams/index.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { KeyValues, TextLink } from '../../ui/index.ts'
import styles from './ProductInfo.module.css'
import { TimeZoneNote } from '../../features/lists/TimeZoneNote.tsx'
import { volumeText } from './TickerPanel.tsx'
import { replayAt, sourceName } from '../../features/market/source.ts'
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
  const gap = sentenceGap(format.language)
  return (
    <section className={styles.details} aria-label={t('product.details')}>
      <div className={styles.small}>
        <KeyValues
          items={[
            { key: 'volume', label: t('product.volume'), value: volumeText(format, ticker.volume24h) },
            { key: 'amount', label: t('product.amount'), value: format.compact(ticker.amount24h) },
          ]}
        />
      </div>
      <p>
        {name !== undefined && t('product.source', { name }) + gap}
        <PriceSourceNote product={product} />
        {gap}
        <span className={styles.by}>
          <TextLink href={tradingView}>{t('product.chartBy')}</TextLink>
        </span>
      </p>
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

/** Chinese and Japanese have no space between sentences. */
const sentenceGap = (language: Language): string =>
  language === 'zh-CN' || language === 'zh-TW' || language === 'ja' ? '' : ' '

function PriceSourceNote({ product }: { product: ProductDetail }) {
  const { t } = useTranslation()
  const format = useFormat()
  const ticks =
    product.sizeDecimals === 0 && product.category === 'forex'
      ? sentenceGap(format.language) + t('product.tickNote')
      : ''
  const isMirrored = useMirrored(product)
  if (product.source === 'synthetic') return <>{t('product.synthetic') + ticks}</>
  const at = replayAt(product.source)
  if (at === undefined) return <>{ticks}</>
  return <>{t(isMirrored ? 'product.replayMirrored' : 'product.replay', { date: format.date(at) }) + ticks}</>
}
