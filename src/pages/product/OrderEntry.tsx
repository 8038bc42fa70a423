import {
  memo,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  type Ref,
  type RefObject,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { OrderDraft, ProductDetail } from '../../../streams/index.ts'
import { afterPaint } from '../../start/afterPaint.ts'
import { createLazy } from '../../start/lazy.ts'
import { loadFailureText } from '../../start/loadFailureText.ts'
import { useLazyValue } from '../../start/useLazyValue.ts'
import { toast } from '../../ui/index.ts'
import type { BlockReason } from './preTradeCheck.ts'
import { usePlacement } from './usePlacement.ts'

/** Loaded after the page's first paint, so that it is there before a tap needs it. */
const confirmSheet = createLazy(
  async () => {
    await afterPaint()
    return import('./ConfirmSheet.tsx')
  },
  { name: 'confirmSheet' },
)

/** How an order is asked for: of `key`, a shortcut, the confirmation takes the focus; `oneTap` needs none. */
export type Review = 'tap' | 'key' | 'oneTap'

export type OrderEntryHandle = {
  /** Opens the confirmation, or places the order at once. */
  review: (draft: OrderDraft, how: Review) => void
  /** Opens it with the terms of an earlier order, whose rate was `rateBpThen`. */
  reviewAgain: (draft: OrderDraft, rateBpThen: number) => void
}

export type OrderEntryProps = {
  ref: Ref<OrderEntryHandle>
  product: ProductDetail
  /** Why the market takes no order now. */
  blockReason: BlockReason | undefined
  /** The chart while it fills the screen. */
  container: RefObject<HTMLElement | null> | undefined
}

/**
 * The order from its review to the venue's answer. Its steps render nothing of the page behind it.
 */
export const OrderEntry = memo(function OrderEntry(props: OrderEntryProps) {
  const { ref, product, blockReason, container } = props
  const [isByKey, setByKey] = useState(false)
  const { placement, review, close, confirm, placeAtOnce } = usePlacement()
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
      review: (draft, how) =>
        how === 'oneTap' ? whenSheetLoaded(() => placeAtOnce(draft)) : open(how === 'key', draft),
      reviewAgain: (draft, rateBpThen) => open(false, draft, rateBpThen),
    }
  }, [review, placeAtOnce, whenSheetLoaded])
  if (sheet === undefined) return null
  return (
    <sheet.ConfirmSheet
      product={product}
      placement={placement}
      blockReason={blockReason}
      focusConfirm={isByKey}
      container={container}
      onClose={close}
      onConfirm={confirm}
    />
  )
})

/** A sheet that would open later than this after its tap, ms, does not open, because the member has moved on. */
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
        const result = await confirmSheet.getOrReload()
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
