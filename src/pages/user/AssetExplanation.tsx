import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { fundRoutes } from '../../../contract/fund.ts'
import { moneyOf } from '../../../contract/money.ts'
import type { Minor } from '../../../contract/units.ts'
import { failedText } from '../../api/failureText.ts'
import { minusSign } from '../../text/formatNumber.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useBusinessToday, useDayFormat } from '../../hooks/useDays.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useLoadable, valueOf } from '../../hooks/useObservable.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { Stat, KeyValues, Skeleton, TextLink } from '../../ui/index.ts'
import type { AssetStat } from '../../features/account/AssetsHead.tsx'
import { inputsOf, type AssetInput, type InputName } from './assetInputs.ts'
import styles from './ExplanationSheet.module.css'

const inputLabels: Record<InputName, 'home.totalAssets' | 'home.available' | `me.explain.${InputKey}`> = {
  total: 'home.totalAssets',
  available: 'home.available',
  held: 'me.explain.held',
  openStakes: 'me.explain.openStakes',
  fund: 'me.explain.fund',
  orders: 'me.explain.orders',
  fundEarnings: 'me.explain.fundEarnings',
}
type InputKey = 'held' | 'openStakes' | 'fund' | 'orders' | 'fundEarnings'

/** An amount, its formula in words, and its inputs. */
export function AssetExplanation({ stat }: { stat: AssetStat }) {
  const { t } = useTranslation()
  const format = useFormat()
  const days = useDayFormat()
  const today = useBusinessToday()
  const currency = useVenueConfig()?.currency
  const { assets$ } = useStreams()
  const assets = valueOf(useLoadable(assets$))
  const isPnl = stat === 'todayPnl' || stat === 'accountPnl'
  const { loadable, reload } = useFundEarnings(stat)
  if (!assets) return <Skeleton height={180} />
  const inputs = inputsOf(stat, assets, valueOf(loadable) ?? undefined)
  return (
    <>
      <Stat size={28} unit={currency}>
        {format.money(assets[stat], isPnl ? 'always' : 'never')}
      </Stat>
      <p className={styles.text}>
        {t(`me.explain.${stat}`, { date: today === undefined ? '' : days.long(today) })}
      </p>
      <div className={styles.formula}>
        <h3>{t('me.explain.formula')}</h3>
        <p>{t(`me.explain.${stat}Formula`)}</p>
      </div>
      {loadable.state === 'failed' && loadable.value === undefined ? (
        <p className={styles.failed}>
          {failedText(t, format, t('me.explain.failed'), loadable.failure)}{' '}
          <TextLink onClick={reload}>{t('common.retry')}</TextLink>
        </p>
      ) : (
        <KeyValues
          items={inputs.map((input) => ({
            key: input.name,
            label: t(inputLabels[input.name]),
            value: <InputValue input={input} />,
          }))}
        />
      )}
    </>
  )
}

function InputValue({ input: { value, minus, moved } }: { input: AssetInput }) {
  const format = useFormat()
  if (value === undefined) return <Skeleton line={15} width={72} />
  if (moved) return format.money(value, 'always')
  return minus && value > 0 ? `${minusSign}${format.money(value)}` : format.money(value)
}

/**
 * The fund's earnings in a stat: all of them, or those of yesterday, which were credited at the start of today. Null
 * for the other stats.
 */
function useFundEarnings(stat: AssetStat) {
  const source = useMemo(
    (): ResourceSource<Minor | null> => ({
      fetch: async (call, signal) => {
        if (stat !== 'todayPnl' && stat !== 'accountPnl') return { ok: true, value: null, at: 0 }
        const fund = await call(fundRoutes.fund, {}, { signal })
        if (!fund.ok) return fund
        const { yesterdayEarnings, totalEarnings } = fund.value
        return { ...fund, value: moneyOf(stat === 'todayPnl' ? yesterdayEarnings : totalEarnings) }
      },
    }),
    [stat],
  )
  return useResource(source)
}
