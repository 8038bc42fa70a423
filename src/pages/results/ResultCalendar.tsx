import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { moneyOf } from '../../../contract/money.ts'
import { resultRoutes } from '../../../contract/results.ts'
import type { ResultDay, ResultDays } from '../../../contract/results.ts'
import type { BusinessDay } from '../../../contract/time.ts'
import { failureText } from '../../api/failureText.ts'
import { useMaskedMoney } from '../../features/account/useMaskedMoney.ts'
import { MonthCard } from '../../features/lists/MonthCard.tsx'
import type { ShownMonth } from '../../features/lists/MonthCard.tsx'
import { MonthHead } from '../../features/lists/MonthHead.tsx'
import { MonthTable, shortAmount } from '../../features/lists/MonthTable.tsx'
import { toneOf } from '../../features/orders/pnl.ts'
import { useDayFormat, useToday } from '../../hooks/useDays.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { useResource } from '../../hooks/useResource.ts'
import type { ResourceSource } from '../../hooks/useResource.ts'
import { usePreferences } from '../../state/preferences.ts'
import { ErrorState, Skeleton } from '../../ui/index.ts'
import styles from './Results.module.css'

/** A calendar of days with what settled on them, one month at a time. */
export function ResultCalendar() {
  return <MonthCard today={useToday()}>{(shown) => <Month key={shown.month} {...shown} />}</MonthCard>
}

function Month({ month, today, newest, onMonth }: ShownMonth) {
  const { t } = useTranslation()
  const format = useFormat()
  const { amountsHidden } = usePreferences()
  const [picked, setPicked] = useState<BusinessDay>()
  const source = useMemo(
    (): ResourceSource<ResultDays> => ({
      fetch: (call, signal) => call(resultRoutes.resultDays, { query: { month } }, { signal }),
    }),
    [month],
  )
  const { loadable, reload } = useResource(source)
  const value = valueOf(loadable)
  const oldest = value?.firstMonth ?? month
  const head = <MonthHead {...{ month, oldest, newest, onMonth }} />
  if (value === undefined && loadable.state === 'failed')
    return (
      <>
        {head}
        <ErrorState title={t('results.failed')} retryLabel={t('common.retry')} onRetry={reload}>
          {failureText(t, format, loadable.failure)}
        </ErrorState>
      </>
    )
  const days = value?.days ?? []
  const selected = days.find(({ on }) => on === picked) ?? days.at(-1)
  const figures = new Map(
    days.map(({ on, pnl }) => [on, amountsHidden ? '••' : shortAmount(format, pnl)] as const),
  )
  return (
    <>
      {head}
      <MonthTable
        month={month}
        today={today}
        figures={figures}
        loading={value === undefined}
        picked={selected?.on}
        onPick={setPicked}
      />
      <div className={styles.day} aria-live="polite">
        {value === undefined ? (
          <Skeleton line={13} width={200} />
        ) : selected === undefined ? (
          <p>{t('results.noDay')}</p>
        ) : (
          <Day day={selected} />
        )}
      </div>
    </>
  )
}

/** What settled on one day. */
function Day({ day: { on, orders, stake, pnl } }: { day: ResultDay }) {
  const { t } = useTranslation()
  const money = useMaskedMoney()
  const days = useDayFormat()
  return (
    <>
      <p className={styles.dayHead}>
        <strong>{days.long(on)}</strong>
        <strong className={styles.pnl} data-tone={toneOf(moneyOf(pnl))}>
          {money(pnl, 'always')}
        </strong>
      </p>
      <p>
        {t('results.orders', { count: orders })} · {t('results.staked', { stake: money(stake) })}
      </p>
    </>
  )
}
