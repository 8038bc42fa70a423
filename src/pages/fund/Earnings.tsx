import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fundRoutes } from '../../../contract/fund.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { addMoney, moneyOf } from '../../../contract/money.ts'
import { addMonths, type BusinessDay } from '../../../contract/time.ts'
import { useBusinessToday, useDayFormat } from '../../hooks/useDays.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useReloadOn } from '../../hooks/useReloadOn.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'
import { Skeleton } from '../../ui/index.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { useMaskedMoney } from '../../features/account/useMaskedMoney.ts'
import { MonthCard } from '../../features/lists/MonthCard.tsx'
import { MonthHead } from '../../features/lists/MonthHead.tsx'
import { MonthTable, shortAmount } from '../../features/lists/MonthTable.tsx'
import { usePreferences } from '../../state/preferences.ts'
import styles from './Earnings.module.css'
import { LoadFailed } from '../../shell/Loaded.tsx'

/** What one day has earned. */
type DayEarning = RouteAnswer<typeof fundRoutes.fundEarnings>['items'][number]

/** More than a month has days. */
const pageSize = '40'
/** The oldest month shown is this many months ago. */
const monthsMax = 36

/**
 * Earnings by day, one month at a time. The selected day, initially the last, shows its calculation. `?month=YYYY-MM`.
 */
export function Earnings({ version }: { version: number | undefined }) {
  return (
    <MonthCard today={useBusinessToday()}>
      {({ month, today, newest, onMonth }) => (
        <>
          <MonthHead month={month} oldest={addMonths(newest, -monthsMax)} newest={newest} onMonth={onMonth} />
          <Month key={month} month={month} today={today} version={version} />
        </>
      )}
    </MonthCard>
  )
}

type MonthProps = { month: string; today: BusinessDay; version: number | undefined }

function Month({ month, today, version }: MonthProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const money = useMaskedMoney()
  const days = useDayFormat()
  const { amountsHidden } = usePreferences()
  const [picked, setPicked] = useState<BusinessDay>()
  const source = useMemo(
    (): ResourceSource<RouteAnswer<typeof fundRoutes.fundEarnings>> => ({
      fetch: (call, signal) =>
        call(fundRoutes.fundEarnings, { query: { month, limit: pageSize } }, { signal }),
    }),
    [month],
  )
  const { loadable, reload } = useResource(source)
  useReloadOn(version, reload)
  const earnings = valueOf(loadable)?.items
  if (earnings === undefined && loadable.state === 'failed') {
    return <LoadFailed failed={t('fund.listFailed')} failure={loadable.failure} retry={reload} />
  }
  const selected = earnings?.find(({ on }) => on === picked) ?? lastOf(earnings ?? [])
  const sum = addMoney(...(earnings ?? []).map(({ amount }) => moneyOf(amount)))
  return (
    <>
      <MonthTable
        month={month}
        today={today}
        figures={
          new Map(earnings?.map(({ on, amount }) => [on, amountsHidden ? '••' : shortAmount(format, amount)]))
        }
        loading={earnings === undefined}
        picked={selected?.on}
        onPick={setPicked}
      />
      <p className={styles.total}>
        <span className={styles.of}>
          {t('fund.month', { month: days.month(month) })} <PracticeBadge />
        </span>
        {earnings === undefined ? <Skeleton line={15} width={44} /> : <strong>{money(sum, 'always')}</strong>}
      </p>
      <div className={styles.day} aria-live="polite">
        {selected !== undefined ? (
          <Day earning={selected} />
        ) : earnings === undefined ? (
          <>
            <Skeleton line={13} width={96} />
            <Skeleton line={13} width={160} />
            <Skeleton line={13} width={240} />
          </>
        ) : (
          <p>{t('fund.noEarnings')}</p>
        )}
      </div>
    </>
  )
}

/** The latest day, independent of the order in the response. */
const lastOf = (earnings: readonly DayEarning[]): DayEarning | undefined =>
  earnings.reduce<DayEarning | undefined>(
    (last, earning) => (last && last.on > earning.on ? last : earning),
    undefined,
  )

/** How one day's earnings were calculated. */
function Day({ earning }: { earning: DayEarning }) {
  const { t } = useTranslation()
  const format = useFormat()
  const money = useMaskedMoney()
  const days = useDayFormat()
  return (
    <>
      <p className={styles.dayHead}>
        <strong>{days.long(earning.on)}</strong>
        <strong>{money(earning.amount, 'always')}</strong>
      </p>
      <p className={styles.formula}>
        {t('fund.dayFormula', {
          confirmed: money(earning.confirmed),
          per10k: format.decimal(earning.per10k),
        })}
      </p>
      <p>{t('fund.dayCarry')}</p>
    </>
  )
}
