import type { BusinessDay } from '../../contract/time.ts'
import type { Settings } from '../config.ts'
import type { OperatorSettings } from '../operatorConfig.ts'
import type { FundConfig } from './fundConfig.ts'

export type FundSettings = FundConfig & {
  zone: string
  holidays: ReadonlySet<BusinessDay>
  practice: boolean
}

export function fundSettingsOf({
  mode,
  zone,
  operatorConfig,
}: Pick<Settings, 'mode' | 'zone'> & OperatorSettings<'fund' | 'holidays'>): FundSettings {
  return {
    ...operatorConfig.fund,
    zone,
    holidays: new Set(operatorConfig.holidays),
    practice: mode === 'practice',
  }
}
