import { useTranslation } from 'react-i18next'
import type { FundLot } from '../../../contract/fund.ts'
import type { BusinessDay } from '../../../contract/time.ts'
import { useBusinessToday, useDayFormat } from '../../hooks/useDays.ts'
import { cx } from '../../ui/index.ts'
import styles from './LotTimeline.module.css'

/** A lot's three dates on a timeline; past steps are filled. */
export function LotTimeline({ lot }: { lot: FundLot }) {
  const { t } = useTranslation()
  const days = useDayFormat()
  const today = useBusinessToday()
  const isPast = (on: BusinessDay): boolean => today !== undefined && on <= today
  const steps = [
    { key: 'stepIn', on: lot.depositedOn, done: true },
    { key: 'stepConfirmed', on: lot.confirmOn, done: lot.status === 'confirmed' },
    {
      key: 'stepCredited',
      on: lot.firstCreditOn,
      done: lot.status === 'confirmed' && isPast(lot.firstCreditOn),
    },
  ] as const
  return (
    <ol className={styles.steps}>
      {steps.map(({ key, on, done }) => (
        <li key={key} className={cx(styles.step, done && styles.done)}>
          <span className={styles.day}>{days.short(on)}</span>
          <span className={styles.name}>{t(`fund.${key}`)}</span>
        </li>
      ))}
    </ol>
  )
}
