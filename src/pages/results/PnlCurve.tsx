import { useTranslation } from 'react-i18next'
import { moneyOf } from '../../../contract/money.ts'
import type { CurvePoint } from '../../../contract/results.ts'
import { minor } from '../../../contract/units.ts'
import { extentOf, linearScale, linePath } from '../../chart/scale.ts'
import { useMaskedMoney } from '../../features/account/useMaskedMoney.ts'
import { toneOf } from '../../features/orders/pnl.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import styles from './PnlCurve.module.css'

/** View box units; CSS sets the size, and strokes do not scale. */
const width = 100
const height = 40
const padding = 1

/** The lowest and the highest sum, with the zero that every curve begins at. */
const boundsOf = (curve: readonly CurvePoint[]) => extentOf([0, ...curve.map(({ pnl }) => moneyOf(pnl))])

/** The line through zero and the sums after so many orders, and the height of zero; 0 is at the top. */
export function pnlLine(curve: readonly CurvePoint[]): { path: string; zeroY: number } {
  const [low, high] = boundsOf(curve)
  const xOf = linearScale([0, curve.at(-1)?.orders ?? 0], [0, width])
  const yOf = linearScale([high, low], [padding, height - padding])
  const points = curve.map(({ orders, pnl }) => ({ x: xOf(orders), y: yOf(moneyOf(pnl)) }))
  return { path: linePath([{ x: xOf(0), y: yOf(0) }, ...points]), zeroY: yOf(0) }
}

/** The P&L as it grew from order to order, over the dashed line at zero, with its highest and its lowest sum. */
export function PnlCurve({ curve }: { curve: readonly CurvePoint[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const money = useMaskedMoney()
  const [first, last] = [curve[0], curve.at(-1)]
  if (first === undefined || last === undefined) return null
  const [low, high] = boundsOf(curve).map(minor)
  const { path, zeroY } = pnlLine(curve)
  const lowText = money(minor(low ?? 0), 'always')
  const highText = money(minor(high ?? 0), 'always')
  const isOneDay = format.date(first.at) === format.date(last.at)
  const [from, to] = [first.at, last.at].map(isOneDay ? format.time : format.date)
  const label = t('results.curve', {
    from,
    to,
    low: lowText,
    high: highText,
    last: money(last.pnl, 'always'),
  })
  return (
    <figure className={styles.curve}>
      <div className={styles.plot}>
        <svg
          className={styles.line}
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={label}
          data-tone={toneOf(moneyOf(last.pnl))}
        >
          <path className={styles.zero} d={`M0 ${zeroY.toFixed(1)}H${width}`} />
          <path className={styles.path} d={path} />
        </svg>
        <span className={styles.levels} aria-hidden="true">
          <span>{highText}</span>
          <span>{lowText}</span>
        </span>
      </div>
      <p className={styles.days} aria-hidden="true">
        <span>{from}</span>
        <span>{to}</span>
      </p>
    </figure>
  )
}
