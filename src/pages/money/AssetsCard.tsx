import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { addMoney, moneyOf, negate } from '../../../contract/money.ts'
import { changeBp } from '../../../contract/price.ts'
import type { Assets } from '../../../streams/index.ts'
import { failedText } from '../../api/failureText.ts'
import { noFigure } from '../../format.ts'
import { useConfig } from '../../hooks/useConfig.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useLoadable } from '../../hooks/useObservable.ts'
import { valueOf } from '../../hooks/useRequest.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { usePreferences } from '../../state/preferences.ts'
import { Card, Cells, Change, cx, Figure, Skeleton, TextLink } from '../../ui/index.ts'
import type { Movement } from '../../ui/index.ts'
import { HideAmounts } from './HideAmounts.tsx'
import { PracticeBadge } from './PracticeBadge.tsx'
import { hiddenAmount } from './useOwnMoney.ts'
import styles from './AssetsCard.module.css'

export type AssetFigure = 'total' | 'available' | 'todayPnl' | 'accountPnl'

const noCells: readonly Exclude<AssetFigure, 'total'>[] = []

export type AssetsCardProps = {
  /** Figures at the foot of the card. */
  cells?: readonly Exclude<AssetFigure, 'total'>[]
  /** Draws today's profit and loss under the total. */
  today?: boolean
  /** Draws the eye that hides all amounts. */
  eye?: boolean
  /** Buttons between the figure and the foot. */
  actions?: ReactNode
  /** Makes each figure explain itself: called with the one that was tapped. */
  onExplain?: (figure: AssetFigure) => void
}

/** All the member has: one large figure, with what moved and what is free. */
export function AssetsCard({
  cells = noCells,
  today = false,
  eye = false,
  actions,
  onExplain,
}: AssetsCardProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { assets$, wake } = useStreams()
  const loadable = useLoadable(assets$)
  const assets = valueOf(loadable)
  const failed = loadable.state === 'failed' && !assets
  const { amountsHidden } = usePreferences()
  const currency = useConfig()?.currency
  return (
    <Card>
      <div className={styles.top}>
        <div className={styles.figure}>
          <div className={styles.labelLine}>
            <Label figure="total" onExplain={onExplain} />
            <PracticeBadge />
            {eye && (
              <span className={styles.eye}>
                <HideAmounts />
              </span>
            )}
          </div>
          {assets ? (
            <Figure unit={currency}>{amountsHidden ? hiddenAmount : format.money(assets.total)}</Figure>
          ) : failed ? (
            <Figure>{noFigure}</Figure>
          ) : (
            <Skeleton line={36} width={200} />
          )}
        </div>
        {today &&
          !failed &&
          (assets ? <Today assets={assets} hide={amountsHidden} /> : <Skeleton line={13} width={150} />)}
        {loadable.state === 'failed' && failed && (
          <p className={styles.failed}>
            {failedText(t, format, t('home.assetsFailed'), loadable.failure)}{' '}
            <TextLink onClick={wake}>{t('common.retry')}</TextLink>
          </p>
        )}
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      {cells.length > 0 && (
        <Cells
          items={cells.map((name) => ({
            key: name,
            label: <Label figure={name} onExplain={onExplain} />,
            value: assets ? (
              <CellFigure name={name} assets={assets} hide={amountsHidden} />
            ) : failed ? (
              noFigure
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

type LabelProps = { figure: AssetFigure; onExplain: ((figure: AssetFigure) => void) | undefined }

/** A figure's name; where it explains itself, a button over the figure too. */
function Label({ figure, onExplain }: LabelProps) {
  const { t } = useTranslation()
  const className = figure === 'total' ? styles.label : undefined
  if (onExplain === undefined) return <span className={className}>{t(labels[figure])}</span>
  return (
    <button
      type="button"
      className={cx(styles.explain, className)}
      aria-haspopup="dialog"
      onClick={() => onExplain(figure)}
    >
      {t(labels[figure])}
    </button>
  )
}

const movement = (text: string): Movement => (moneyOf(text) > 0 ? 'up' : moneyOf(text) < 0 ? 'down' : 'level')

function CellFigure({
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

function Today({ assets, hide }: { assets: Assets; hide: boolean }) {
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
