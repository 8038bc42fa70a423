import { useRef } from 'react'
import { moneyOf } from '../../../contract/money.ts'
import type { Order } from '../../../streams/index.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { Stat } from '../../ui/index.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { pnlText, toneOf } from '../../features/orders/pnl.ts'
import { useShownResults } from '../../features/orders/shownOutcomes.ts'
import styles from './SettledResult.module.css'

const statTone = { up: 'up', down: 'down', level: 'ink', none: 'stale' } as const

/** The P&L of a settled order: the page's large number. */
export function SettledResult({ order }: { order: Order }) {
  const format = useFormat()
  const config = useVenueConfig()
  const result = useRef<HTMLDivElement>(null)
  useShownResults([order], result)
  const pnl = order.pnl === null ? undefined : moneyOf(order.pnl)
  return (
    <div ref={result} className={styles.result}>
      <Stat unit={config?.currency} tone={statTone[toneOf(pnl)]}>
        {pnlText(format, pnl)}
      </Stat>
      <span className={styles.badge}>
        <PracticeBadge />
      </span>
    </div>
  )
}
