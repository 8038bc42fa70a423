import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { addMoney, moneyOf, negate } from '../../../contract/money.ts'
import { changeBp } from '../../../contract/price.ts'
import type { Assets } from '../../../streams/index.ts'
import { failedText } from '../../api/failureText.ts'
import { noValue } from '../../format.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useLoadable, valueOf } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { usePreferences } from '../../state/preferences.ts'
import { Card, Cells, Change, cx, Stat, Skeleton, TextLink } from '../../ui/index.ts'
import type { Movement } from '../../ui/index.ts'
import { HideAmounts } from './HideAmounts.tsx'
import { PracticeBadge } from './PracticeBadge.tsx'
import { hiddenAmount } from './useMaskedMoney.ts'
import styles from './AssetsCard.module.css'

export type AssetStat = 'total' | 'available' | 'todayPnl' | 'accountPnl'

const noCells: readonly Exclude<AssetStat, 'total'>[] = []

export type AssetsCardProps = {
  /** Stats at the bottom of the card. */
  cells?: readonly Exclude<AssetStat, 'total'>[]
  /** Shows today's profit and loss below the total. */
  showTodayPnl?: boolean
  /** Shows the button that hides all amounts. */
  showHideToggle?: boolean
  /** Buttons between the total and the cells. */
  actions?: ReactNode
  /** Makes each stat a button that explains it; called with the stat that was tapped. */
  onExplain?: (stat: AssetStat) => void
}

/** The member's assets: the total, today's profit and loss, and further stats. */
export function AssetsCard({
  cells = noCells,
  showTodayPnl = false,
  showHideToggle = false,
  actions,
  onExplain,
}: AssetsCardProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { assets$, refresh } = useStreams()
  const loadable = useLoadable(assets$)
  const assets = valueOf(loadable)
  const failed = loadable.state === 'failed' && !assets
  const { amountsHidden } = usePreferences()
  const currency = useVenueConfig()?.currency
  return (
    <Card>
      <div className={styles.top}>
        <div className={styles.figure}>
          <div className={styles.labelLine}>
            <Label stat="total" onExplain={onExplain} />
            <PracticeBadge />
            {showHideToggle && (
              <span className={styles.eye}>
                <HideAmounts />
              </span>
            )}
          </div>
          {assets ? (
            <Stat unit={currency}>{amountsHidden ? hiddenAmount : format.money(assets.total)}</Stat>
          ) : failed ? (
            <Stat>{noValue}</Stat>
          ) : (
            <Skeleton line={36} width={200} />
          )}
        </div>
        {showTodayPnl &&
          !failed &&
          (assets ? <TodayPnl assets={assets} hide={amountsHidden} /> : <Skeleton line={13} width={150} />)}
        {loadable.state === 'failed' && failed && (
          <p className={styles.failed}>
            {failedText(t, format, t('home.assetsFailed'), loadable.failure)}{' '}
            <TextLink onClick={refresh}>{t('common.retry')}</TextLink>
          </p>
        )}
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      {cells.length > 0 && (
        <Cells
          items={cells.map((name) => ({
            key: name,
            label: <Label stat={name} onExplain={onExplain} />,
            value: assets ? (
              <CellStat name={name} assets={assets} hide={amountsHidden} />
            ) : failed ? (
              noValue
            ) : (
              <Skeleton line={15} width={72} />
            ),
          }))}
        />
      )}
    </Card>
  )
}

const labels = {
  total: 'home.totalAssets',
  available: 'home.available',
  todayPnl: 'home.todayPnl',
  accountPnl: 'me.accountPnl',
} as const

type LabelProps = { stat: AssetStat; onExplain: ((stat: AssetStat) => void) | undefined }

/** A stat's name; with `onExplain` it is a button that covers the value too. */
function Label({ stat, onExplain }: LabelProps) {
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

const movement = (text: string): Movement => (moneyOf(text) > 0 ? 'up' : moneyOf(text) < 0 ? 'down' : 'level')

function CellStat({
  name,
  assets,
  hide,
}: {
  name: NonNullable<AssetsCardProps['cells']>[number]
  assets: Assets
  hide: boolean
}) {
  const format = useFormat()
  if (hide) return hiddenAmount
  if (name === 'available') return format.money(assets[name])
  return (
    <Change movement={movement(assets[name])} bare strong>
      {format.money(assets[name], 'always')}
    </Change>
  )
}

function TodayPnl({ assets, hide }: { assets: Assets; hide: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const total = moneyOf(assets.total)
  const base = addMoney(total, negate(moneyOf(assets.todayPnl)))
  return (
    <p className={styles.today}>
      <span className={styles.label}>{t('home.todayPnl')}</span>
      {hide ? (
        hiddenAmount
      ) : (
        <>
          <Change movement={movement(assets.todayPnl)} strong>
            {format.money(assets.todayPnl, 'always')}
          </Change>
          <Change movement={movement(assets.todayPnl)} bare>
            {format.percent(changeBp(total, base), 'always')}
          </Change>
        </>
      )}
    </p>
  )
}
