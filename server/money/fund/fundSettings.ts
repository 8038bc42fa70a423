import type { BusinessDay } from '../../../contract/time.ts'
import { per10kUnits, type FundConfig } from './fundConfig.ts'
import type { MoneyConfig, MoneySettings } from '../settings.ts'
import type { OperatorSettings } from '../../platform/settings.ts'

export type FundSettings = FundConfig & {
  zone: string
  holidays: ReadonlySet<BusinessDay>
  practice: boolean
}

export function fundSettingsOf({
  mode,
  zone,
  operatorConfig,
}: Pick<MoneySettings, 'mode' | 'zone'> & OperatorSettings<MoneyConfig, 'fund' | 'holidays'>): FundSettings {
  return {
    ...operatorConfig.fund,
    zone,
    holidays: new Set(operatorConfig.holidays),
    practice: mode === 'practice',
  }
}

/** The rates that the operator publishes, in ten-thousandths for 10,000.00: the database computes those of days from them. */
export type PublishedRates = {
  /** Each from its day until the next one. */
  from: Record<BusinessDay, number>
  /** Of the days before the first one, repeated from 1970-01-01 on; empty in live mode. */
  cycle: number[]
}

export function publishedRatesOf(settings: Parameters<typeof fundSettingsOf>[0]): PublishedRates {
  const { per10k, practicePer10k, practice } = fundSettingsOf(settings)
  return {
    from: Object.fromEntries(Object.entries(per10k).map(([day, rate]) => [day, per10kUnits(rate)])),
    cycle: practice ? practicePer10k.map(per10kUnits) : [],
  }
}
