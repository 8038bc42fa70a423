import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Order } from '../../../streams/index.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { dismissToast, toast } from '../../ui/index.ts'

/** Placements interrupted by a reload are looked up; this reports the outcome of those on this product. */
export function useResumedPlacements(productId: string, accepted: (order: Order) => void): void {
  const { t } = useTranslation()
  const { orders } = useStreams()
  const latest = useRef({ t, accepted })
  useEffect(() => {
    latest.current = { t, accepted }
  })
  useEffect(() => {
    const reported = new Set<string>()
    const checking = new Map<string, number>()
    const subscription = orders.resumed$.subscribe((placement) => {
      const { key, productId: placedOn } = placement.intent
      const reportKey = `${key} ${placement.state}`
      if (placedOn !== productId || reported.has(reportKey)) return
      reported.add(reportKey)
      const { t, accepted } = latest.current
      if (placement.state === 'unknown') {
        checking.set(key, toast({ text: t('ticket.resumed') }))
        return
      }
      const checkingToast = checking.get(key)
      checking.delete(key)
      // Orders that are checked at the same time share one toast.
      if (checkingToast !== undefined && ![...checking.values()].includes(checkingToast)) {
        dismissToast(checkingToast)
      }
      if (placement.state === 'expired') toast({ kind: 'problem', text: t('ticket.resumedGone') })
      if (placement.state === 'accepted') accepted(placement.order)
    })
    return () => subscription.unsubscribe()
  }, [orders, productId])
}
