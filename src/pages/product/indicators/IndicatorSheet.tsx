import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { indicatorKinds, isOverlay } from '../../../chart/indicators/kinds.ts'
import { Section, Sheet } from '../../../ui/index.ts'
import type { PriceSheetProps } from '../usePriceSheet.tsx'
import { IndicatorRow } from './IndicatorRow.tsx'
import { Lines } from './Lines.tsx'

/**
 * Which indicators the chart has, their parameters, and its horizontal lines. Every change applies at once. With a price it
 * opens at the form of a line there.
 */
export function IndicatorSheet({ product, open, price, onClose, container }: PriceSheetProps) {
  const { t } = useTranslation()
  const priceField = useRef<HTMLInputElement>(null)
  const groups = [
    { title: t('indicators.onChart'), overlay: true },
    { title: t('indicators.below'), overlay: false },
  ]
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('indicators.title')}
      closeLabel={t('common.close')}
      container={container}
      {...(price === undefined ? {} : { initialFocus: priceField })}
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
      <Lines product={product} price={price} priceField={priceField} />
    </Sheet>
  )
}
