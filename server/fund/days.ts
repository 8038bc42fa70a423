import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import { minor } from '../../contract/brand.ts'
import { dayEarnings } from '../../contract/fund.ts'
import { negate } from '../../contract/money.ts'
import { addDays } from '../../contract/time.ts'
import type { BusinessDay } from '../../contract/time.ts'
import type { DbTransaction } from '../db/database.ts'
import { fundEarning, fundRecord } from '../db/schema/fund.ts'
import type { FundAccountRow } from '../db/schema/fund.ts'
import type { Holds } from '../ledger/holds.ts'
import type { Ledger, Posted } from '../ledger/ledger.ts'
import type { Clock, Random } from '../ports.ts'
import { saveAccount } from './account.ts'
import { addEarnings, confirmLots } from './lots.ts'
import type { Rates } from './rates.ts'

export type DaysParts = {
  clock: Pick<Clock, 'now'>
  random: Pick<Random, 'uuid'>
  ledger: Ledger
  holds: Holds
  rates: Rates
}

/** What catching up came to: the share as it is now, and what is told after the commit. */
export type Begun = {
  account: FundAccountRow
  posted: Posted[]
  /** Deposits that became confirmed share, and withdrawals that were paid, in minor units. */
  confirmed: number[]
  paid: number[]
}

/**
 * Works through the start of every business day that a member's share has not seen yet, in order: the day that ended
 * is earned and credited, deposits due are confirmed, standard withdrawals due are paid. The account must be locked.
 */
export async function beginDays(
  parts: DaysParts,
  tx: DbTransaction,
  locked: FundAccountRow,
  today: BusinessDay,
): Promise<Begun> {
  const begun: Begun = { account: locked, posted: [], confirmed: [], paid: [] }
  if (locked.begunOn >= today) return begun
  for (let day = addDays(locked.begunOn, 1); day <= today; day = addDays(day, 1)) {
    const { confirmed, pending, owed } = begun.account
    // Nothing can change any more: an empty share waits for its next deposit.
    if (confirmed + pending + owed === 0) break
    await earn(parts, tx, begun, day)
    await confirmDue(tx, begun, day)
    await payDue(parts, tx, begun, day)
  }
  begun.account = await saveAccount(tx, { ...begun.account, begunOn: today })
  return begun
}

/** Credits the day before `day` on what was confirmed all through it. */
async function earn(parts: DaysParts, tx: DbTransaction, begun: Begun, day: BusinessDay): Promise<void> {
  const { account } = begun
  const { memberId, confirmed } = account
  if (confirmed === 0) return
  const onDay = addDays(day, -1)
  const at = parts.clock.now()
  const per10k = await parts.rates.settled(tx, onDay)
  const { earned, carried } = dayEarnings(minor(confirmed), per10k, account.carried)
  await tx.insert(fundEarning).values({ memberId, onDay, amount: earned, confirmed, per10k, carried, at })
  begun.account = {
    ...account,
    carried,
    confirmed: confirmed + earned,
    totalEarned: account.totalEarned + earned,
  }
  if (earned === 0) return
  const posted = await parts.ledger.post(tx, {
    memberId,
    type: 'fund_earning',
    amount: earned,
    pnl: earned,
    legs: { fund: earned, house: negate(earned) },
    ref: { kind: 'fund_earning', id: onDay },
  })
  if (!posted) throw new Error('An earning that the ledger did not take.')
  begun.posted.push(posted)
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

async function confirmDue(tx: DbTransaction, begun: Begun, day: BusinessDay): Promise<void> {
  const { account } = begun
  if (account.pending === 0) return
  const { ids, amount } = await confirmLots(tx, account.memberId, day)
  if (ids.length === 0) return
  await tx.update(fundRecord).set({ status: 'confirmed' }).where(inArray(fundRecord.id, ids))
  begun.account = {
    ...account,
    pending: account.pending - amount,
    confirmed: account.confirmed + amount,
  }
  begun.confirmed.push(amount)
}

async function payDue(
  { holds }: DaysParts,
  tx: DbTransaction,
  begun: Begun,
  day: BusinessDay,
): Promise<void> {
  const { memberId, owed } = begun.account
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
    const end = { outcome: 'posted', to: 'available', type: 'fund_out' } as const
    const posted = await holds.resolve(tx, holdId ?? '', end)
    if (!posted) throw new Error('A withdrawal of the fund was paid and not marked.')
    await tx.update(fundRecord).set({ status: 'successful' }).where(eq(fundRecord.id, id))
    begun.posted.push(posted)
    begun.paid.push(amount)
    begun.account = { ...begun.account, owed: begun.account.owed - amount }
  }
}
