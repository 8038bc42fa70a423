import { useRef, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProductDetail } from '../../../../streams/index.ts'
import { indicatorKinds, isOverlay } from '../../../chart/indicators/kinds.ts'
import { Section, Sheet } from '../../../ui/index.ts'
import { IndicatorRow } from './IndicatorRow.tsx'
import { Lines } from './Lines.tsx'

export type IndicatorSheetProps = {
  product: ProductDetail
  /** Closed if undefined. With a price, in the product's decimals, it opens at the form of a line there. */
  menu: { price: string | undefined } | undefined
  onClose: () => void
  /** What it is shown in: the chart, if that fills the screen. */
  container: RefObject<HTMLElement | null> | undefined
}

/** Which indicators the chart has, their parameters, and its horizontal lines. Every change applies at once. */
export function IndicatorSheet({ product, menu, onClose, container }: IndicatorSheetProps) {
  const { t } = useTranslation()
  const priceField = useRef<HTMLInputElement>(null)
  const groups = [
    { title: t('indicators.onChart'), overlay: true },
    { title: t('indicators.below'), overlay: false },
  ]
  return (
    <Sheet
      open={menu !== undefined}
      onClose={onClose}
      title={t('indicators.title')}
      closeLabel={t('common.close')}
      container={container}
      {...(menu?.price === undefined ? {} : { initialFocus: priceField })}
    >
      {groups.map(({ title, overlay }) => (
        <Section key={title} title={title} head="label">
          {indicatorKinds
            .filter((kind) => isOverlay(kind) === overlay)
            .map((kind) => (
              <IndicatorRow key={kind} kind={kind} />
            ))}
        </Section>
      ))}
      <Lines product={product} price={menu?.price ?? ''} priceField={priceField} />
    </Sheet>
  )
}
