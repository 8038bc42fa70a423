import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { moneyOf } from '../../../contract/money.ts'
import { resultRoutes, type ResultDay, type ResultDays } from '../../../contract/results.ts'
import { useMaskedMoney } from '../../features/account/useMaskedMoney.ts'
import { MonthCard, type ShownMonth } from '../../features/lists/MonthCard.tsx'
import { MonthHead } from '../../features/lists/MonthHead.tsx'
import { toneOf } from '../../features/orders/pnl.ts'
import { useDayFormat, useToday } from '../../hooks/useDays.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'
import { Loaded } from '../../shell/Loaded.tsx'
import { ListRow, Skeleton } from '../../ui/index.ts'
import styles from './Results.module.css'

/** The days on which orders settled, newest first, one month at a time. */
export function ResultCalendar() {
  return <MonthCard today={useToday()}>{(shown) => <Month key={shown.month} {...shown} />}</MonthCard>
}

function Month({ month, newest, onMonth }: ShownMonth) {
  const { t } = useTranslation()
  const source = useMemo(
    (): ResourceSource<ResultDays> => ({
      fetch: (call, signal) => call(resultRoutes.resultDays, { query: { month } }, { signal }),
    }),
    [month],
  )
  const { loadable, reload } = useResource(source)
  const oldest = valueOf(loadable)?.firstMonth ?? month
  return (
    <>
      <MonthHead {...{ month, oldest, newest, onMonth }} />
      <Loaded
        of={loadable}
        failed={t('results.failed')}
        retry={reload}
        skeleton={
          <output className={styles.waiting} aria-label={t('common.loading')}>
            <Skeleton line={15} width="80%" />
            <Skeleton line={15} width="70%" />
          </output>
        }
      >
        {({ days }) =>
          days.length === 0 ? (
            <p className={styles.none}>{t('results.noDay')}</p>
          ) : (
            [...days].reverse().map((day) => <Day key={day.on} day={day} />)
          )
        }
      </Loaded>
    </>
  )
}

/** What settled on one day. */
function Day({ day: { on, orders, stake, pnl } }: { day: ResultDay }) {
  const { t } = useTranslation()
  const money = useMaskedMoney()
  const days = useDayFormat()
  return (
    <ListRow
      label={days.long(on)}
      caption={`${t('results.orders', { count: orders })} · ${t('results.staked', { stake: money(stake) })}`}
      value={
        <span className={styles.pnl} data-tone={toneOf(moneyOf(pnl))}>
          {money(pnl, 'always')}
        </span>
      }
    />
  )
}
