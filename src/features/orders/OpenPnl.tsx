import { useTranslation } from 'react-i18next'
import type { Order } from '../../../streams/index.ts'
import { usePreferences } from '../../state/preferences.ts'
import { hiddenAmount, noValue } from '../../text/format.ts'
import { VisuallyHidden } from '../../ui/index.ts'
import { useOpenPnlRef } from './useOpenPnlRef.ts'

export type OpenPnlProps = {
  /** Only these instead of all; a new array starts over. */
  orders?: readonly Order[]
  className: string | undefined
}

/** The P&L of the member's open orders if they ended now, hidden with the other amounts. */
export function OpenPnl({ orders, className }: OpenPnlProps) {
  const { t } = useTranslation()
  const { amountsHidden } = usePreferences()
  const pnlRef = useOpenPnlRef(orders)
  return (
    <span className={className}>
      <VisuallyHidden>{t('orders.ifEndedNow')} </VisuallyHidden>
      {amountsHidden ? (
        hiddenAmount
      ) : (
        <span ref={pnlRef} data-tone="none">
          {noValue}
        </span>
      )}
    </span>
  )
}
