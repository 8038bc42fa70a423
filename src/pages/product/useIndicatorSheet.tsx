import { useCallback, useState, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { formatUnits } from '../../../contract/price.ts'
import type { ProductDetail } from '../../../streams/index.ts'
import { createLazy } from '../../start/lazy.ts'
import { toast } from '../../ui/index.ts'

/** A separate chunk, loaded when it is first opened. */
const indicatorSheet = createLazy(
  () => import('./indicators/IndicatorSheet.tsx').then((module) => module.IndicatorSheet),
  { name: 'indicatorSheet' },
)

/**
 * The sheet of indicators and lines, and what opens it: with a price, as a decimal number, at the form of a line there.
 * `container` is the chart while it fills the screen.
 */
export function useIndicatorSheet(
  product: ProductDetail,
  container: RefObject<HTMLElement | null> | undefined,
): { sheet: ReactNode; openSheet: (price?: number) => void } {
  const { t } = useTranslation()
  const { priceDecimals } = product
  const [menu, setMenu] = useState<{ price: string | undefined }>()
  const failed = t('indicators.failed')
  const openSheet = useCallback(
    (price?: number) => {
      const open = async () => {
        const { ok } = await indicatorSheet.getOrReload()
        if (!ok) {
          toast({ kind: 'problem', text: failed })
          return
        }
        const isPrice = price !== undefined && price > 0
        const units = isPrice ? Math.round(price * 10 ** priceDecimals) : undefined
        setMenu({ price: units === undefined ? undefined : formatUnits(units, priceDecimals) })
      }
      void open()
    },
    [failed, priceDecimals],
  )
  const IndicatorSheet = indicatorSheet.value
  const sheet = IndicatorSheet && (
    <IndicatorSheet product={product} menu={menu} onClose={() => setMenu(undefined)} container={container} />
  )
  return { sheet, openSheet }
}
