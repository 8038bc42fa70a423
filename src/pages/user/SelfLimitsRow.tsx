import { useTranslation } from 'react-i18next'
import { useSelfLimits } from '../../features/account/useSelfLimits.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { ListRow } from '../../ui/index.ts'

const longerFields = ['maxWeeklyLoss', 'maxMonthlyLoss', 'maxWeeklyDeposit', 'maxMonthlyDeposit'] as const

/** The member's own limits in a line, with a link to them. */
export function SelfLimitsRow() {
  const { t } = useTranslation()
  const format = useFormat()
  const active = valueOf(useSelfLimits().loadable)?.active
  const longer = longerFields.filter((field) => active !== undefined && active[field] !== null).length
  const limitTexts = active && [
    ...(active.maxStake === null
      ? []
      : [t('settings.limitStake', { amount: format.money(active.maxStake) })]),
    ...(active.maxDailyLoss === null
      ? []
      : [t('settings.limitLoss', { amount: format.money(active.maxDailyLoss) })]),
    ...(active.maxDailyDeposit === null
      ? []
      : [t('settings.limitDeposit', { amount: format.money(active.maxDailyDeposit) })]),
    ...(longer === 0 ? [] : [t('settings.limitLonger', { count: longer })]),
  ]
  // Always two lines: the row keeps its size when the limits are loaded.
  const caption =
    active === undefined || limitTexts === undefined
      ? '\u00a0'
      : active.excludedUntil !== null
        ? t('settings.limitsPaused', { date: format.dateTimeShort(active.excludedUntil) })
        : limitTexts.length > 0
          ? limitTexts.join(' · ')
          : t('settings.limitsNone')
  return <ListRow label={t('settings.tradingLimits')} caption={caption} href={hrefTo(paths.limits)} />
}
