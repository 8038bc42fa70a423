import { memo, useEffect, useImperativeHandle, useState } from 'react'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import type { Order, OrderDraft, ProductDetail } from '../../../streams/index.ts'
import { afterPaint } from '../../afterPaint.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { createLazy } from '../../lazy/lazy.ts'
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
  useEffect(() => void confirmSheet.get(), [])
  useImperativeHandle(ref, () => {
    const open = async (byKey: boolean, draft: OrderDraft, rateBpThen?: number): Promise<void> => {
      const { ok } = await confirmSheet.get()
      if (!ok) {
        toast({ kind: 'problem', text: t(navigator.onLine ? 'page.other.text' : 'error.OFFLINE') })
        return
      }
      setByKey(byKey)
      review(draft, rateBpThen)
    }
    return {
      review: (draft, byKey) => void open(byKey, draft),
      reviewAgain: (draft, rateBpThen) => void open(false, draft, rateBpThen),
    }
  }, [review, t])
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
