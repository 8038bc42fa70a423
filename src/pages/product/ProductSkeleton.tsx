import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../../paths.ts'
import { goBack } from '../../router/scrollRestoration.ts'
import { FirstFigure } from '../../start/FirstFigure.tsx'
import { Skeleton, Sparkline, Stat, TitleBar, VisuallyHidden } from '../../ui/index.ts'
import dayLine from './DayLine.module.css'
import styles from './ProductSkeleton.module.css'
import ticker from './TickerPanel.module.css'

/**
 * The layout of a product's page until its code is loaded, and with what says the `status` of the connection until the product
 * is. It is prerendered too.
 */
export function ProductSkeleton({ status: Status }: { status?: ComponentType<{ children: ReactNode }> }) {
  const { t } = useTranslation()
  const subtitle = <Skeleton line={12} className={styles.subtitle} />
  return (
    <main className={styles.page} data-alone={Status === undefined || undefined} data-ground="market">
      <div className={styles.screen}>
        <div className={styles.head}>
          <TitleBar
            title={<Title />}
            subtitle={Status === undefined ? subtitle : <Status>{subtitle}</Status>}
            back={{ label: t('common.back'), onClick: () => goBack(paths.products) }}
          />
        </div>
        <MarketSkeleton price={<FirstPrice />} dayLine={<EmptyDayLine />} />
      </div>
      <div className={styles.ticket}>
        <div className={styles.cells}>
          <Skeleton className={styles.cell} />
          <Skeleton className={styles.cell} />
          <Skeleton className={styles.cell} />
          <Skeleton className={styles.cell} />
        </div>
        <Skeleton className={styles.field} />
        <Skeleton line={12} className={styles.note} />
        <div className={styles.cells}>
          <Skeleton className={styles.button} />
          <Skeleton className={styles.button} />
        </div>
      </div>
    </main>
  )
}

/** Where price, timeframes and chart will be. */
export function MarketSkeleton({ price, dayLine }: { price: ReactNode; dayLine: ReactNode }) {
  const { t } = useTranslation()
  return (
    <>
      <output className={styles.market} aria-label={t('common.loading')}>
        <Figures price={price} />
        <span className={styles.timeframes}>
          <Skeleton className={styles.timeframeNames} />
        </span>
      </output>
      <div className={styles.chart}>{dayLine}</div>
    </>
  )
}

/** The price may be old: it looks so until the app runs. */
const FirstPrice = () => (
  <FirstFigure name="lastPrice" placeholder={<Skeleton line={36} className={styles.pricePlaceholder} />}>
    {(price) => <Stat tone="stale">{price}</Stat>}
  </FirstFigure>
)

/** The heading takes the focus when the page opens, so it needs a text before the product is loaded. */
function Title() {
  const { t } = useTranslation()
  const placeholder = (
    <span>
      <Skeleton line={17} className={styles.title} />
      <VisuallyHidden>{t('title.product')}</VisuallyHidden>
    </span>
  )
  return (
    <FirstFigure name="productCode" placeholder={placeholder}>
      {(code) => code}
    </FirstFigure>
  )
}

/** As DayLine.tsx, which the start script draws once the venue has answered (firstFigures.ts). */
const EmptyDayLine = () => (
  <div className={dayLine.place} data-day-line="" hidden>
    <Sparkline values={noLine} movement="level" quiet />
  </div>
)

const noLine = [0]

const dayLabels = ['high', 'low', 'volume', 'amount'] as const

/** As TickerPanel.tsx lays them out. */
function Figures({ price }: { price: ReactNode }) {
  const { t } = useTranslation()
  return (
    <span className={ticker.figures}>
      <span className={ticker.price}>
        <span className={styles.price}>{price}</span>
        <Skeleton line={13} className={styles.change} />
      </span>
      <span className={ticker.day} aria-hidden="true">
        {dayLabels.map((name) => (
          <span key={name} className={ticker.cell} data-cell={name}>
            <span className={styles.label}>{t(`product.${name}`)}</span>
            <Skeleton line={12} className={styles.figure} />
          </span>
        ))}
      </span>
    </span>
  )
}
