import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import { afterConfirmation, afterEarning, afterPayment, hasMoney } from '../../../contract/fundAccount.ts'
import { addDays, type BusinessDay } from '../../../contract/time.ts'
import type { DbTransaction } from '../../platform/db/database.ts'
import { fundEarning, fundRecord, type FundAccountRow } from '../schema.ts'
import type { Holds } from '../ledger/holds.ts'
import { transactionOf, type Ledger, type Posted } from '../ledger/ledger.ts'
import type { Clock, Random } from '../../platform/ports.ts'
import { saveFundAccount } from './account.ts'
import { addEarnings, confirmLots } from './lots.ts'
import type { Rates } from './rates.ts'

export type DayRollParts = {
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'uuid'>
  ledger: Ledger
  holds: Holds
  rates: Rates
}

/** The result of a day roll: the new state of the account, and what to publish after the commit. */
export type DayRoll = {
  account: FundAccountRow
  posted: Posted[]
  /** Amounts of deposits that were confirmed and withdrawals that were paid, in minor units. */
  confirmed: number[]
  paid: number[]
}

/**
 * Processes the start of every business day since the account's last day roll, in order: credits the earnings of the day
 * that ended, confirms deposits that are due, pays standard withdrawals that are due. The account must be locked.
 */
export async function rollDays(
  parts: DayRollParts,
  tx: DbTransaction,
  locked: FundAccountRow,
  today: BusinessDay,
): Promise<DayRoll> {
  const roll: DayRoll = { account: locked, posted: [], confirmed: [], paid: [] }
  if (locked.begunOn >= today) return roll
  for (let day = addDays(locked.begunOn, 1); day <= today; day = addDays(day, 1)) {
    if (!hasMoney(roll.account)) break
    await creditEarnings(parts, tx, roll, day)
    await confirmDue(tx, roll, day)
    await payDue(parts, tx, roll, day)
  }
  roll.account = await saveFundAccount(tx, { ...roll.account, begunOn: today })
  return roll
}

/** Credits the earnings of the day before `day` on what was confirmed during the whole of it. */
async function creditEarnings(
  parts: DayRollParts,
  tx: DbTransaction,
  roll: DayRoll,
  day: BusinessDay,
): Promise<void> {
  const { memberId, confirmed } = roll.account
  if (confirmed === 0) return
  const onDay = addDays(day, -1)
  const at = parts.clock.now()
  const per10k = await parts.rates.recorded(tx, onDay)
  const { account, earned } = afterEarning(roll.account, per10k)
  const { carried } = account
  await tx.insert(fundEarning).values({ memberId, onDay, amount: earned, confirmed, per10k, carried, at })
  roll.account = account
  if (earned === 0) return
  const posted = await parts.ledger.post(tx, transactionOf('fund_earning', memberId, earned, { id: onDay }))
  if (!posted) throw new Error('The ledger did not accept an earning.')
  roll.posted.push(posted)
  await addEarnings(tx, memberId, earned, at, day)
  await tx.insert(fundRecord).values({
    id: parts.random.uuid(),
    memberId,
    kind: 'earning',
    amount: earned,
    status: 'successful',
    at,
    onDay,
    madeOn: day,
  })
}

async function confirmDue(tx: DbTransaction, roll: DayRoll, day: BusinessDay): Promise<void> {
  const { account } = roll
  if (account.pending === 0) return
  const { ids, amount } = await confirmLots(tx, account.memberId, day)
  if (ids.length === 0) return
  await tx.update(fundRecord).set({ status: 'confirmed' }).where(inArray(fundRecord.id, ids))
  roll.account = afterConfirmation(account, amount)
  roll.confirmed.push(amount)
}

async function payDue(
  { holds }: DayRollParts,
  tx: DbTransaction,
  roll: DayRoll,
  day: BusinessDay,
): Promise<void> {
  const { memberId, owed } = roll.account
  if (owed === 0) return
  const due = await tx
    .select()
    .from(fundRecord)
    .where(
      and(
        eq(fundRecord.memberId, memberId),
        eq(fundRecord.status, 'under_review'),
        lte(fundRecord.onDay, day),
      ),
    )
    .orderBy(asc(fundRecord.no))
  for (const { id, holdId, amount } of due) {
    const posted = await holds.resolve(tx, holdId ?? '', { kind: 'fund_out_paid' })
    if (!posted) throw new Error('The hold of a due fund withdrawal is already resolved.')
    await tx.update(fundRecord).set({ status: 'successful' }).where(eq(fundRecord.id, id))
    roll.posted.push(posted)
    roll.paid.push(amount)
    roll.account = afterPayment(roll.account, amount)
  }
}
