import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { cx, Skeleton } from '../../ui/index.ts'
import styles from './AssetsCard.module.css'

export type AssetStat = 'total' | 'available' | 'todayPnl' | 'accountPnl'

const labels = {
  total: 'home.totalAssets',
  available: 'home.available',
  todayPnl: 'home.todayPnl',
  accountPnl: 'me.accountPnl',
} as const

type AssetLabelProps = { stat: AssetStat; onExplain?: ((stat: AssetStat) => void) | undefined }

/** A stat's name; with `onExplain` it is a button that covers the value too. */
export function AssetLabel({ stat, onExplain }: AssetLabelProps) {
  const { t } = useTranslation()
  const className = stat === 'total' ? styles.label : undefined
  if (onExplain === undefined) return <span className={className}>{t(labels[stat])}</span>
  return (
    <button
      type="button"
      className={cx(styles.explain, className)}
      aria-haspopup="dialog"
      onClick={() => onExplain(stat)}
    >
      {t(labels[stat])}
    </button>
  )
}

export type AssetsHeadProps = {
  label: ReactNode
  /** Beside the label. */
  badges?: ReactNode
  total: ReactNode
  /** Below the total: today's profit and loss, or why there are no figures. */
  children?: ReactNode
  /** Buttons at the bottom. */
  actions?: ReactNode
}

/** The layout of the total assets, without data. */
export const AssetsHead = ({ label, badges, total, children, actions }: AssetsHeadProps) => (
  <div className={styles.top}>
    <div className={styles.figure}>
      <div className={styles.labelLine}>
        {label}
        {badges}
      </div>
      {total}
    </div>
    {children}
    {actions !== undefined && <div className={styles.actions}>{actions}</div>}
  </div>
)

export const TotalSkeleton = () => <Skeleton line={36} className={styles.totalSkeleton} />
export const TodayPnlSkeleton = () => <Skeleton line={13} className={styles.todaySkeleton} />
