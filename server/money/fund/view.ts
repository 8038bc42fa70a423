import { and, eq } from 'drizzle-orm'
import { minor, epochMs } from '../../../contract/units.ts'
import {
  cutoffOf,
  depositDates,
  isTradingDay,
  nextTradingDay,
  type Fund as FundView,
} from '../../../contract/fund.ts'
import { usageOn } from '../../../contract/fundAccount.ts'
import { formatMoney, moneyOf } from '../../../contract/money.ts'
import { addDays, type BusinessDay } from '../../../contract/time.ts'
import type { BusinessClock } from '../calendar/businessClock.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import { fundEarning, type FundAccountRow } from '../schema.ts'
import { formatPer10k } from './fundConfig.ts'
import type { FundSettings } from './fundSettings.ts'
import { weekDays, weekRateBp, type Rates } from './rates.ts'
import { resetAt } from './transfersUsed.ts'

type ViewParts = { business: BusinessClock; settings: FundSettings; rates: Rates }

/** A member's fund as sent to the client. `per10k` and the week's rate are those of past days. */
export async function viewOf(
  { business, settings, rates }: ViewParts,
  db: Db | DbTransaction,
  account: FundAccountRow,
): Promise<FundView> {
  const today = business.today()
  const yesterday = addDays(today, -1)
  const [earning] = await db
    .select({ amount: fundEarning.amount })
    .from(fundEarning)
    .where(and(eq(fundEarning.memberId, account.memberId), eq(fundEarning.onDay, yesterday)))
  const week = await rates.until(db, yesterday, weekDays)
  const used = usageOn(account, today)
  const { confirmOn, firstEarningOn, firstCreditOn } = depositDates(
    business.now(),
    settings.zone,
    settings.holidays,
  )
  return {
    total: formatMoney(minor(account.confirmed + account.pending)),
    confirmed: formatMoney(minor(account.confirmed)),
    pending: formatMoney(minor(account.pending)),
    yesterdayEarnings: formatMoney(minor(earning?.amount ?? 0)),
    totalEarnings: formatMoney(minor(account.totalEarned)),
    per10k: formatPer10k(week[0] ?? 0),
    rate7dBp: weekRateBp(week),
    depositsLeft: Math.max(0, settings.depositsPerDay - used.depositsUsed),
    withdrawalsLeft: Math.max(0, settings.withdrawalsPerDay - used.withdrawalsUsed),
    fastLeft: formatMoney(minor(Math.max(0, moneyOf(settings.fastCapPerDay) - used.fastUsed))),
    cutoffAt: epochMs(business.toVenue(nextCutoff(business, settings))),
    resetAt: epochMs(resetAt(business)),
    nextConfirmOn: confirmOn,
    nextEarningOn: firstEarningOn,
    nextCreditOn: firstCreditOn,
    version: account.version,
  }
}

/** The business time at which the dates of a new deposit next change: 15:00 of the next trading day. */
function nextCutoff(business: BusinessClock, { zone, holidays }: FundSettings): number {
  const today: BusinessDay = business.today()
  const cutoff = cutoffOf(today, zone)
  if (isTradingDay(today, holidays) && business.now() < cutoff) return cutoff
  return cutoffOf(nextTradingDay(today, holidays), zone)
}
