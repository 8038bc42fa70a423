import * as z from 'zod/mini'
import { parsePer10k } from '../../../contract/fund.ts'
import { parseMoney } from '../../../contract/money.ts'
import { dayMs, isBusinessDay, type BusinessDay } from '../../../contract/time.ts'

const dayText = z.string().check(
  z.regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be days as YYYY-MM-DD' }),
  z.refine((day) => isBusinessDay(day), { error: 'must be days of the calendar' }),
)
const rateText = z.string().check(
  z.refine((text) => (parsePer10k(text) ?? Infinity) <= 1_000_000, {
    error: 'must be rates with four decimals, such as 0.5000',
  }),
)
const moneyText = z
  .string()
  .check(z.refine((text) => (parseMoney(text) ?? -1) > 0, { error: 'must be money such as 10000.00' }))
const perDay = z.int().check(z.gte(1, { error: 'must be at least 1' }), z.lte(1000))

/** The days, besides weekends, on which the fund does not trade. */
export const holidaysConfig = z.array(dayText).check(z.maxLength(2000))

/** The fund's part of CONFIG_FILE: limits and rates that the venue enforces and the rules page shows. */
export const fundConfig = z.strictObject({
  depositsPerDay: z._default(perDay, 5),
  withdrawalsPerDay: z._default(perDay, 3),
  fastCapPerDay: z._default(moneyText, '10000.00'),
  minDeposit: z._default(moneyText, '1.00'),
  /** Published rates: each applies from its day until the next one. */
  per10k: z._default(z.record(dayText, rateText), {}),
  /** Practice mode: the rates of days without a published one, repeated in a fixed cycle. */
  practicePer10k: z._default(z.array(rateText).check(z.minLength(1), z.maxLength(366)), ['0.5000']),
})
export type FundConfig = z.infer<typeof fundConfig>

/** The earnings of 10,000.00 on a day, in ten-thousandths; 0 if no rate is published for it. */
export function per10kOf(config: FundConfig, practice: boolean, day: BusinessDay): number {
  const publishedOn = Object.keys(config.per10k)
    .filter((from) => from <= day)
    .sort()
    .at(-1)
  if (publishedOn !== undefined) return per10kUnits(config.per10k[publishedOn])
  if (!practice) return 0
  const index = Math.floor(Date.parse(`${day}T00:00:00Z`) / dayMs) % config.practicePer10k.length
  return per10kUnits(config.practicePer10k[index])
}

/** Ten-thousandths of a rate's text; 0 if there is none. */
export const per10kUnits = (text: string | undefined): number => parsePer10k(text ?? '') ?? 0

/** Ten-thousandths in the contract's format with four decimals: 5678 → `"0.5678"`. */
export const formatPer10k = (value: number): string => (value / 10_000).toFixed(4)
