import * as z from 'zod/mini'
import type { Minor } from '../../contract/units.ts'
import { restHoursDefault } from '../../contract/constants.ts'
import { parseMoney } from '../../contract/money.ts'
import { hourMs } from '../../contract/time.ts'
import { SettingsError } from '../platform/settingsError.ts'
import { threshold, wholeNumber } from '../platform/settingSchemas.ts'
import type { Mode, PlatformConfig, PlatformSettings } from '../platform/settings.ts'
import { fundConfig, holidaysConfig } from './fund/fundConfig.ts'
import { depositMethodSetting } from './wallet/depositMethodSetting.ts'

/** The fields of CONFIG_FILE about deposits, withdrawals and the fund. */
export const moneyConfig = z.object({
  /** Deposit methods in live mode; practice mode has its own. */
  depositMethods: z._default(z.array(depositMethodSetting), []),
  /** The smallest amount of one withdrawal. */
  withdrawalMin: z._default(
    threshold.check(z.refine((value) => (parseMoney(value) ?? 0) > 0, { error: 'must be above 0.00' })),
    '0.01',
  ),
  /** What one member may put into a queue: requests under review at once, and in 24 hours. */
  requestLimits: z.prefault(
    z.strictObject({
      openDeposits: z._default(wholeNumber(1, 10_000), 5),
      depositsPerDay: z._default(wholeNumber(1, 10_000), 20),
      openWithdrawals: z._default(wholeNumber(1, 10_000), 10),
      withdrawalsPerDay: z._default(wholeNumber(1, 10_000), 20),
    }),
    {},
  ),
  /** Days other than weekends that are not trading days of the fund. */
  holidays: z._default(holidaysConfig, []),
  fund: z.prefault(fundConfig, {}),
  /** How long withdrawals are paused after a security change; by default 24, in practice mode 0. */
  withdrawalRestHours: z.optional(wholeNumber(0, 30 * 24)),
})
export type MoneyConfig = PlatformConfig & z.infer<typeof moneyConfig>

/** The same under `practice`. */
export const moneyPractice = z.object({
  /** The first balance of a practice account. */
  balance: z._default(
    z.string({ error: 'must be money with two decimals, such as "10000.00"' }).check(
      z.refine((value) => (parseMoney(value) ?? -1) >= 0, {
        error: 'must be money with two decimals, such as 10000.00',
      }),
    ),
    '10000.00',
  ),
})

export type MoneySettings = PlatformSettings & {
  practiceBalance: Minor
  /** How long withdrawals are paused after a security change; 0 for no pause. */
  withdrawalRestMs: number
  operatorConfig: MoneyConfig
}

/** The opening balance of an account in practice mode; null in live mode. */
export const practiceBalanceOf = ({
  mode,
  practiceBalance,
}: Pick<MoneySettings, 'mode' | 'practiceBalance'>): Minor | null =>
  mode === 'practice' ? practiceBalance : null

/** @throws SettingsError for a practice balance that is no money */
export function readMoneySettings(
  { MODE }: { MODE: Mode },
  config: z.infer<typeof moneyConfig> & { practice: z.infer<typeof moneyPractice> },
): Omit<MoneySettings, keyof PlatformSettings> {
  const practiceBalance = parseMoney(config.practice.balance)
  if (practiceBalance === undefined) throw new SettingsError('practice.balance is not money')
  return {
    practiceBalance,
    withdrawalRestMs: (config.withdrawalRestHours ?? (MODE === 'practice' ? 0 : restHoursDefault)) * hourMs,
  }
}
