import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Product, Quote } from '../../../streams/index.ts'
import { noValue } from '../../text/format.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useNow } from '../../hooks/useNow.ts'
import { useQuotePart } from '../../hooks/useQuote.ts'
import { Change, Icon } from '../../ui/index.ts'
import { hasPrice, movementOf } from './productDisplay.ts'
import { useTicker, useStale } from './useTicker.ts'
import styles from './ProductRow.module.css'

/** The 24-hour change, or the age of the price if that is stale. */
export function LiveChange({ product }: { product: Product }) {
  const format = useFormat()
  const ticker = useTicker(product)
  const { change24hBp, status } = ticker
  const stale = useStale(product.id)
  if (!hasPrice(ticker)) return <Change movement="level">{noValue}</Change>
  if (stale && status === 'open') return <PriceAge id={product.id} />
  return (
    <Change movement={movementOf(change24hBp)} quiet={status !== 'open'}>
      {format.percent(change24hBp, 'always')}
    </Change>
  )
}

const lastAt = (quote: Quote | undefined): number => quote?.at ?? 0

function PriceAge({ id }: { id: string }) {
  const { t } = useTranslation()
  const at = useQuotePart(id, lastAt)
  const now = useNow()
  return (
    <span className={styles.age}>
      <Icon name="clock" size={14} />
      {now === 0 ? noValue : ageText(t, Math.max(0, Math.round((now - at) / 1000)))}
    </span>
  )
}

const ageText = (t: TFunction, seconds: number): string =>
  seconds < 120
    ? t('products.ageSeconds', { seconds: String(seconds) })
    : t('products.ageMinutes', { minutes: String(Math.floor(seconds / 60)) })
