import { useCallback, useState, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { createLazy } from '../../start/lazy.ts'
import { useLazyValue } from '../../start/useLazyValue.ts'
import type { ProductDetail } from '../../../streams/index.ts'
import { toast } from '../../ui/index.ts'

const alertSheet = createLazy(() => import('./AlertSheet.tsx'), { name: 'alertSheet' })

/**
 * The sheet of price alerts on a product, and what opens it: with a price, as a decimal number, with that in its form.
 * `container` is the chart while it fills the screen.
 */
export function useAlertSheet(
  product: ProductDetail,
  container?: RefObject<HTMLElement | null>,
): { sheet: ReactNode; isLoading: boolean; openAlerts: (price?: number) => void } {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<{ price: number | undefined }>()
  const module = useLazyValue(alertSheet)
  const failed = t('alert.failed')
  const openAlerts = useCallback(
    (price?: number) => {
      const open = async (): Promise<void> => {
        setOpened({ price })
        const loaded = await alertSheet.getOrReload()
        if (loaded.ok) return
        setOpened(undefined)
        toast({ kind: 'problem', text: failed })
      }
      void open()
    },
    [failed],
  )
  const close = () => setOpened(undefined)
  const sheet = module && (
    <module.AlertSheet
      product={product}
      open={opened !== undefined}
      price={opened?.price}
      onClose={close}
      container={container}
    />
  )
  return { sheet, isLoading: opened !== undefined && !module, openAlerts }
}
