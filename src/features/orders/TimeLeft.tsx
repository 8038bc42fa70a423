import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Order } from '../../../streams/index.ts'
import { noValue } from '../../text/format.ts'
import { formatTimeLeft, VisuallyHidden } from '../../ui/index.ts'
import { useCountdown, writeText } from './useLiveOrder.ts'

/** An order's time left in digits, for lists without rings. */
export function TimeLeft({ order }: { order: Order }) {
  const { t } = useTranslation()
  const digits = useRef<HTMLSpanElement>(null)
  const bind = useCountdown(order)
  const settling = t('order.settling')
  useEffect(
    () =>
      bind((remainingMs) =>
        writeText(digits, remainingMs > 0 ? formatTimeLeft(remainingMs, 'row') : settling),
      ),
    [bind, settling],
  )
  // The line above already shows that it is settling.
  if (order.status === 'settling') return null
  return (
    <>
      <VisuallyHidden>{t('order.timeLeft')} </VisuallyHidden>
      <span ref={digits}>{noValue}</span>
    </>
  )
}
