import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { addMoney, moneyOf, negate } from '../../../contract/money.ts'
import { changeBp } from '../../../contract/price.ts'
import type { Assets } from '../../../streams/index.ts'
import { failedText } from '../../api/failureText.ts'
import { hiddenAmount, noValue } from '../../text/format.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useLoadable, valueOf } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { usePreferences } from '../../state/preferences.ts'
import { Card, Cells, Change, Stat, Skeleton, TextLink, type Movement } from '../../ui/index.ts'
import { AssetLabel, AssetsHead, TodayPnlSkeleton, TotalSkeleton, type AssetStat } from './AssetsHead.tsx'
import { HideAmounts } from './HideAmounts.tsx'
import { PracticeBadge } from './PracticeBadge.tsx'
import styles from './AssetsCard.module.css'

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
      <AssetsHead
        label={<AssetLabel stat="total" onExplain={onExplain} />}
        badges={
          <>
            <PracticeBadge />
            {showHideToggle && (
              <span className={styles.eye}>
                <HideAmounts />
              </span>
            )}
          </>
        }
        total={
          assets ? (
            <Stat unit={currency}>{amountsHidden ? hiddenAmount : format.money(assets.total)}</Stat>
          ) : failed ? (
            <Stat>{noValue}</Stat>
          ) : (
            <TotalSkeleton />
          )
        }
        actions={actions}
      >
        {showTodayPnl &&
          !failed &&
          (assets ? <TodayPnl assets={assets} hide={amountsHidden} /> : <TodayPnlSkeleton />)}
        {loadable.state === 'failed' && failed && (
          <p className={styles.failed}>
            {failedText(t, format, t('home.assetsFailed'), loadable.failure)}{' '}
            <TextLink onClick={refresh}>{t('common.retry')}</TextLink>
          </p>
        )}
      </AssetsHead>
      {cells.length > 0 && (
        <Cells
          items={cells.map((name) => ({
            key: name,
            label: <AssetLabel stat={name} onExplain={onExplain} />,
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
