import { and, asc, eq, gt, lt, or } from 'drizzle-orm'
import type { Minor } from '../../contract/brand.ts'
import type { Fund as FundView, FundRules } from '../../contract/fund.ts'
import { cutoffHour } from '../../contract/fund.ts'
import type { BusinessDay } from '../../contract/time.ts'
import type { StandingJob } from '../calendar/standingJobs.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import { withRetry } from '../db/retry.ts'
import { fundAccount } from '../db/schema/fund.ts'
import type { FundAccountRow } from '../db/schema/fund.ts'
import { createHolds } from '../ledger/holds.ts'
import { emptyAccount, lockAccount } from './account.ts'
import type { Begin, FundChange, FundContext, FundParts, FundSettings } from './context.ts'
import { beginDays } from './days.ts'
import { fundDeposit } from './deposit.ts'
import type { DepositAnswer } from './deposit.ts'
import { per10kOf } from './fundConfig.ts'
import { noteBegun } from './notices.ts'
import { createRates } from './rates.ts'
import type { Rates } from './rates.ts'
import { viewOf } from './view.ts'
import { fundWithdraw } from './withdraw.ts'
import type { WithdrawalAnswer, WithdrawalRequest } from './withdraw.ts'

/** The balance fund. */
export type Fund = {
  readonly rates: Rates
  readonly rules: FundRules
  readonly today: () => BusinessDay
  view(memberId: string): Promise<FundView>
  /** Does a member's days that are still missing; nothing where there are none. */
  catchUp(memberId: string): Promise<void>
  deposit(tx: DbTransaction, memberId: string, amount: Minor): Promise<FundChange<DepositAnswer>>
  withdraw(
    tx: DbTransaction,
    memberId: string,
    request: WithdrawalRequest,
  ): Promise<FundChange<WithdrawalAnswer>>
  /** Confirms, earns and pays at the start of each business day. */
  readonly job: StandingJob
}

const membersAtOnce = 500

/** A transaction that a member's own call opens, or the standing job under the leader's term. */
type Transaction = <T>(work: (tx: DbTransaction) => Promise<T>) => Promise<T>

export function createFund(parts: FundParts): Fund {
  const { db, fence, clock, random, ledger, business, settings } = parts
  const holds = createHolds({ ledger, clock, random })
  const rates = createRates((day) => per10kOf(settings, settings.practice, day))
  const begin: Begin = async (tx, memberId) => {
    const locked = await lockAccount(tx, memberId, business.today())
    // One instant for the whole change, taken once nobody else can change this share: midnight may pass meanwhile.
    const at = clock.now()
    const today = business.dayOf(at)
    const begun = await beginDays({ clock, random, ledger, holds, rates }, tx, locked, today)
    const tell = await noteBegun(parts, tx, begun)
    return { ...begun, now: at + business.offsetMs(), today, tell }
  }
  const context: FundContext = { ...parts, rates, holds, begin }

  /** Brings one member up to today and tells them; nothing happens where another process was first. */
  const bringUp = async (memberId: string, transaction: Transaction): Promise<void> => {
    const { tell, view } = await withRetry(() =>
      transaction(async (tx) => {
        const begun = await begin(tx, memberId)
        return { tell: begun.tell, view: await viewOf(context, tx, begun.account) }
      }),
    )
    tell()
    parts.bus.emit(memberId, 'fund', view)
  }

  const read = async (memberId: string): Promise<FundAccountRow> => {
    const [row] = await db.select().from(fundAccount).where(eq(fundAccount.memberId, memberId))
    return row ?? emptyAccount(memberId, business.today())
  }
  const catchUp = async (memberId: string): Promise<FundAccountRow> => {
    const row = await read(memberId)
    if (!isBehind(row, business.today())) return row
    await bringUp(memberId, (work) => db.transaction(work))
    return read(memberId)
  }

  return {
    rates,
    rules: rulesOf(settings),
    today: () => business.today(),
    view: async (memberId) => viewOf(context, db, await catchUp(memberId)),
    catchUp: async (memberId) => void (await catchUp(memberId)),
    deposit: (tx, memberId, amount) => fundDeposit(context, tx, memberId, amount),
    withdraw: (tx, memberId, request) => fundWithdraw(context, tx, memberId, request),
    job: {
      room: 'fund',
      run: async (today) => {
        const transaction: Transaction = (work) => fence.transaction(db, work)
        await transaction((tx) => rates.settleUntil(tx, today))
        await eachBehind(db, today, (memberId) => bringUp(memberId, transaction))
      },
    },
  }
}

function rulesOf(settings: FundSettings): FundRules {
  const { zone, depositsPerDay, withdrawalsPerDay, fastCapPerDay, minDeposit, holidays, practice } = settings
  return {
    zone,
    cutoffHour,
    depositsPerDay,
    withdrawalsPerDay,
    fastCapPerDay,
    minDeposit,
    practice,
    holidays: [...holidays].sort(),
  }
}

const isBehind = (row: FundAccountRow, today: BusinessDay): boolean =>
  row.begunOn < today && row.confirmed + row.pending + row.owed > 0

/** Every member with a share that has not seen today. One that fails does not hold up the others, but fails the run. */
async function eachBehind(
  db: Db,
  today: BusinessDay,
  run: (memberId: string) => Promise<void>,
): Promise<void> {
  const { memberId, begunOn, confirmed, pending, owed } = fundAccount
  const faults: unknown[] = []
  let after = ''
  for (;;) {
    const behind = await db
      .select({ memberId })
      .from(fundAccount)
      .where(and(lt(begunOn, today), or(gt(confirmed, 0), gt(pending, 0), gt(owed, 0)), gt(memberId, after)))
      .orderBy(asc(memberId))
      .limit(membersAtOnce)
    for (const member of behind) await run(member.memberId).catch((fault: unknown) => faults.push(fault))
    const last = behind.at(-1)
    if (!last) break
    after = last.memberId
  }
  if (faults.length > 0) throw new AggregateError(faults, 'members that were not brought up to today')
}
