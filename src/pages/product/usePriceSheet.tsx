import { useCallback, useMemo, useState, type ComponentType, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { PriceUnits } from '../../../contract/units.ts'
import type { ProductDetail } from '../../../streams/index.ts'
import { createLazy, type Lazy } from '../../start/lazy.ts'
import { useLazyValue } from '../../start/useLazyValue.ts'
import { toast } from '../../ui/index.ts'

export type PriceSheetProps = {
  product: ProductDetail
  open: boolean
  /** What its form starts with when it opens. */
  price: PriceUnits | undefined
  onClose: () => void
  /** What it is shown in: the chart, if that fills the screen. */
  container: RefObject<HTMLElement | null> | undefined
}

/** Separate chunks, loaded when they are first opened. */
const sheets: Record<'alert' | 'indicators', Lazy<{ Sheet: ComponentType<PriceSheetProps> }>> = {
  alert: createLazy(() => import('./AlertSheet.tsx').then(({ AlertSheet: Sheet }) => ({ Sheet })), {
    name: 'alertSheet',
  }),
  indicators: createLazy(
    () => import('./indicators/IndicatorSheet.tsx').then(({ IndicatorSheet: Sheet }) => ({ Sheet })),
    { name: 'indicatorSheet' },
  ),
}

/**
 * A sheet with a form for a price of the product, of alerts or of indicators and lines, and what opens it: at a price or
 * without one. `container` is the chart while it fills the screen.
 */
export function usePriceSheet(
  kind: keyof typeof sheets,
  product: ProductDetail,
  container?: RefObject<HTMLElement | null>,
): { sheet: ReactNode; isLoading: boolean; openSheet: (price?: PriceUnits) => void } {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<{ price: PriceUnits | undefined }>()
  const module = useLazyValue(sheets[kind])
  const failed = t(`${kind}.failed`)
  const openSheet = useCallback(
    (price?: PriceUnits) => {
      const open = async (): Promise<void> => {
        setOpened({ price })
        const { ok } = await sheets[kind].getOrReload()
        if (ok) return
        setOpened(undefined)
        toast({ kind: 'problem', text: failed })
      }
      void open()
    },
    [kind, failed],
  )
  // The page renders every second, the sheet only when it changes.
  const sheet = useMemo(
    () =>
      module && (
        <module.Sheet
          product={product}
          open={opened !== undefined}
          price={opened?.price}
          onClose={() => setOpened(undefined)}
          container={container}
        />
      ),
    [module, product, opened, container],
  )
  return { sheet, isLoading: opened !== undefined && !module, openSheet }
}
