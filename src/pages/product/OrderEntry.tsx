import { memo, useCallback, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import type { Order, OrderDraft, ProductDetail } from '../../../streams/index.ts'
import { afterPaint } from '../../afterPaint.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { createLazy } from '../../lazy/lazy.ts'
import { loadFailureText } from '../../lazy/loadFailureText.ts'
import { useLazyValue } from '../../lazy/useLazyValue.ts'
import { toast } from '../../ui/index.ts'
import type { BlockReason } from './preTradeCheck.ts'
import { usePlacement } from './usePlacement.ts'
import { useResumedPlacements } from './useResumedPlacements.ts'

/** Loaded after the page's first paint, so that it is there before a tap needs it. */
const confirmSheet = createLazy(
  async () => {
    await afterPaint()
    return import('./ConfirmSheet.tsx')
  },
  { name: 'confirmSheet' },
)

export type OrderEntryHandle = {
  /** Opens the confirmation. `byKey`: requested by a shortcut, so the confirmation takes the focus. */
  review: (draft: OrderDraft, byKey: boolean) => void
  /** Opens it with the terms of an earlier order, whose rate was `rateBpThen`. */
  reviewAgain: (draft: OrderDraft, rateBpThen: number) => void
}

export type OrderEntryProps = {
  ref: Ref<OrderEntryHandle>
  product: ProductDetail
  /** Why the market takes no order now. */
  blockReason: BlockReason | undefined
}

/**
 * The order from its review to the venue's answer, with a toast when one is accepted. Its steps render nothing of the page
 * behind it.
 */
export const OrderEntry = memo(function OrderEntry({ ref, product, blockReason }: OrderEntryProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isByKey, setByKey] = useState(false)
  const showAccepted = (order: Order) => {
    const direction = t(order.direction === 'up' ? 'ticket.buyUp' : 'ticket.buyDown')
    const what = t('order.what', { direction, amount: format.money(order.amount) })
    toast({ kind: 'success', text: t('ticket.accepted', { what }) })
  }
  const { placement, review, close, confirm } = usePlacement(showAccepted)
  useResumedPlacements(product.id, showAccepted)
  const sheet = useLazyValue(confirmSheet)
  const whenSheetLoaded = useSheet()
  useImperativeHandle(ref, () => {
    const open = (byKey: boolean, draft: OrderDraft, rateBpThen?: number): void => {
      whenSheetLoaded(() => {
        setByKey(byKey)
        review(draft, rateBpThen)
      })
    }
    return {
      review: (draft, byKey) => open(byKey, draft),
      reviewAgain: (draft, rateBpThen) => open(false, draft, rateBpThen),
    }
  }, [review, whenSheetLoaded])
  if (sheet === undefined) return null
  return (
    <sheet.ConfirmSheet
      product={product}
      placement={placement}
      blockReason={blockReason}
      focusConfirm={isByKey}
      onClose={close}
      onConfirm={confirm}
    />
  )
})

/** A sheet that would open later than this after its tap, ms, does not open: the member has gone on. */
const sheetWaitMaxMs = 2000

/** Loads the sheet, and runs what opens it: at once if it is there. Of several taps before that the last one counts. */
function useSheet(): (open: () => void) => void {
  const { t } = useTranslation()
  const latest = useRef<() => void>(undefined)
  useEffect(() => {
    void confirmSheet.get()
    return () => {
      latest.current = undefined
    }
  }, [])
  return useCallback(
    (open) => {
      if (confirmSheet.value !== undefined) {
        open()
        return
      }
      latest.current = open
      const tappedAt = performance.now()
      const openOnceLoaded = async (): Promise<void> => {
        const result = await confirmSheet.get()
        if (latest.current !== open) return
        latest.current = undefined
        if (!result.ok) toast({ kind: 'problem', text: loadFailureText(t, result.failure) })
        else if (performance.now() - tappedAt <= sheetWaitMaxMs) open()
      }
      void openOnceLoaded()
    },
    [t],
  )
}
