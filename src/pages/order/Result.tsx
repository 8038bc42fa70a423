import { moneyOf } from '../../../contract/money.ts'
import type { Order } from '../../../streams/index.ts'
import { useConfig } from '../../hooks/useConfig.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { Figure } from '../../ui/index.ts'
import { PracticeBadge } from '../money/PracticeBadge.tsx'
import { pnlText, toneOf } from './pnl.ts'
import styles from './Result.module.css'

const figureTone = { up: 'up', down: 'down', level: 'ink', none: 'stale' } as const

/** What the order brought: the one large figure of its page. */
export function Result({ order }: { order: Order }) {
  const format = useFormat()
  const config = useConfig()
  const pnl = order.pnl === null ? undefined : moneyOf(order.pnl)
  return (
    <div className={styles.result}>
      <Figure unit={config?.currency} tone={figureTone[toneOf(pnl)]}>
        {pnlText(format, pnl)}
      </Figure>
      <span className={styles.badge}>
        <PracticeBadge />
      </span>
    </div>
  )
}
