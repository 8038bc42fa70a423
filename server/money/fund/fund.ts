import { and, asc, eq, gt, lt, or } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Minor } from '../../../contract/units.ts'
import {
  cutoffHour,
  fundRoutes,
  type Fund as FundView,
  type FundRecord,
  type FundRules,
} from '../../../contract/fund.ts'
import { emptyFundAccount, hasMoney } from '../../../contract/fundAccount.ts'
import type { BusinessDay } from '../../../contract/time.ts'
import type { DailyJob } from '../calendar/dailyJobs.ts'
import type { Committed } from '../../platform/committed.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { Fence } from '../../platform/db/fence.ts'
import { fundAccount, type FundAccountRow } from '../schema.ts'
import { mount } from '../../platform/http/mount.ts'
import { mountIdempotent } from '../../platform/idempotency/idempotentRoute.ts'
import type { IdempotencyKeys } from '../../platform/idempotency/idempotencyKeys.ts'
import { createHolds } from '../ledger/holds.ts'
import type { Module } from '../../platform/module.ts'
import type { PagedList, PageRequest } from '../../platform/paging.ts'
import type { Confirmations } from '../../platform/http/confirmations.ts'
import { partyOf } from '../../platform/http/requestParty.ts'
import { parseAmount, smallestAmount } from '../../platform/amounts.ts'
import { lockFundAccount } from './account.ts'
import type { FundContext, LockAndRoll } from './context.ts'
import { rollDays } from './dayRoll.ts'
import { depositToFund, type FundDepositAnswer } from './deposit.ts'
import { per10kOf } from './fundConfig.ts'
import { fundSettingsOf, type FundSettings } from './fundSettings.ts'
import { listEarnings, listLots, listRates, listRecords } from './lists.ts'
import { recordDayRoll } from './notices.ts'
import { createRates, type Rates } from './rates.ts'
import { viewOf } from './view.ts'
import { withdrawFromFund, type FundWithdrawalAnswer, type FundWithdrawalRequest } from './withdraw.ts'

/** The balance fund. */
export type Fund = {
  readonly rates: Rates
  readonly rules: FundRules
  readonly today: () => BusinessDay
  view(memberId: string): Promise<FundView>
  /** Rolls a member's account to today; does nothing if it already is. */
  catchUp(memberId: string): Promise<void>
  /** Transfers and earnings, and earnings by day, newest first. */
  records(memberId: string, page: PageRequest): Promise<PagedList<FundRecord>>
  earnings(
    memberId: string,
    page: PageRequest & { month?: string | undefined },
  ): ReturnType<typeof listEarnings>
  deposit(tx: DbTransaction, memberId: string, amount: Minor): Promise<Committed<FundDepositAnswer>>
  withdraw(
    tx: DbTransaction,
    memberId: string,
    request: FundWithdrawalRequest,
  ): Promise<Committed<FundWithdrawalAnswer>>
  /** Confirms deposits, credits earnings and pays withdrawals at the start of each business day. */
  readonly job: DailyJob
}

const batchSize = 500

/** Runs work in a transaction: of a member's own request, or of the daily job with the fence of the leader's term. */
type RunTransaction = <T>(work: (tx: DbTransaction) => Promise<T>) => Promise<T>

export type FundParts = Omit<FundContext, 'settings' | 'rates' | 'holds' | 'lockAndRoll'> & {
  /** Used by the daily job. */
  fence: Fence
  idempotencyKeys: IdempotencyKeys
  confirmations: Pick<Confirmations, 'transaction'>
  settings: Parameters<typeof fundSettingsOf>[0]
}

export function createFund(parts: FundParts): Fund & Module {
  const { db, fence, clock, random, ledger, business } = parts
  const settings = fundSettingsOf(parts.settings)
  const holds = createHolds({ ledger, clock, random })
  const rates = createRates((day) => per10kOf(settings, settings.practice, day))
  const lockAndRoll: LockAndRoll = async (tx, memberId) => {
    const locked = await lockFundAccount(tx, memberId, business.today())
    // One time for the whole change, taken after the lock: midnight may pass while waiting for it.
    const at = clock.now()
    const today = business.dayOf(at)
    const roll = await rollDays({ clock, random, ledger, holds, rates }, tx, locked, today)
    const notify = await recordDayRoll(parts, tx, roll)
    return { ...roll, now: at + business.offsetMs(), today, notify }
  }
  const context: FundContext = { ...parts, settings, rates, holds, lockAndRoll }

  /** Rolls one member's account to today and notifies the member; changes nothing if another process has done so. */
  const rollMember = async (memberId: string, transaction: RunTransaction): Promise<void> => {
    const { notify, view } = await transaction(async (tx) => {
      const rolled = await lockAndRoll(tx, memberId)
      return { notify: rolled.notify, view: await viewOf(context, tx, rolled.account) }
    })
    notify()
    parts.bus.emit(memberId, 'fund', view)
  }

  const readAccount = async (memberId: string): Promise<FundAccountRow> => {
    const [row] = await db.select().from(fundAccount).where(eq(fundAccount.memberId, memberId))
    return row ?? { memberId, version: 0, ...emptyFundAccount(business.today()) }
  }
  const catchUp = async (memberId: string): Promise<FundAccountRow> => {
    const row = await readAccount(memberId)
    if (!isBehind(row, business.today())) return row
    await rollMember(memberId, (work) => db.transaction(work))
    return readAccount(memberId)
  }

  const fund: Fund = {
    rates,
    rules: rulesOf(settings),
    today: () => business.today(),
    view: async (memberId) => viewOf(context, db, await catchUp(memberId)),
    catchUp: async (memberId) => void (await catchUp(memberId)),
    records: async (memberId, page) => {
      await catchUp(memberId)
      return listRecords(db, memberId, page)
    },
    earnings: async (memberId, page) => {
      await catchUp(memberId)
      return listEarnings(db, memberId, page)
    },
    deposit: (tx, memberId, amount) => depositToFund(context, tx, memberId, amount),
    withdraw: (tx, memberId, request) => withdrawFromFund(context, tx, memberId, request),
    job: {
      module: 'fund',
      run: async (today) => {
        const transaction: RunTransaction = (work) => fence.transaction(db, work)
        await transaction((tx) => rates.recordUntil(tx, today))
        await forEachBehind(db, today, (memberId) => rollMember(memberId, transaction))
      },
    },
  }
  return { ...fund, mount: (app) => mountRoutes(app, parts, fund) }
}

/** The routes of the balance fund. */
function mountRoutes(
  app: FastifyInstance,
  { db, idempotencyKeys, confirmations }: FundParts,
  fund: Fund,
): void {
  mount(app, fundRoutes.fund, ({ member }) => fund.view(member.memberId))

  mountIdempotent(app, { db, idempotencyKeys }, fundRoutes.depositIntoFund, (tx, { member, body }) =>
    fund.deposit(tx, member.memberId, parseAmount(body.amount, fund.rules.minDeposit)),
  )
  mountIdempotent(
    app,
    { db, idempotencyKeys },
    fundRoutes.withdrawFromFund,
    (tx, { member, body: { amount, mode } }) =>
      fund.withdraw(tx, member.memberId, { amount: parseAmount(amount, smallestAmount), mode }),
    async ({ member: { memberId }, body, request }) => {
      parseAmount(body.amount, smallestAmount)
      await confirmations.transaction(memberId, 'fundWithdrawal', body, () => partyOf(request))
    },
  )

  mount(app, fundRoutes.fundLots, async ({ member, query }) => {
    await fund.catchUp(member.memberId)
    return listLots(db, member.memberId, query)
  })
  mount(app, fundRoutes.fundRecords, ({ member, query }) => fund.records(member.memberId, query))
  mount(app, fundRoutes.fundEarnings, ({ member, query }) => fund.earnings(member.memberId, query))
  mount(app, fundRoutes.fundRates, ({ query }) =>
    listRates({ db, rates: fund.rates, today: fund.today() }, query),
  )
  mount(app, fundRoutes.fundRules, async () => fund.rules)
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

const isBehind = (row: FundAccountRow, today: BusinessDay): boolean => row.begunOn < today && hasMoney(row)

/** Runs for every member whose account is not rolled to today. An error does not stop the others, but fails the run. */
async function forEachBehind(
  db: Db,
  today: BusinessDay,
  run: (memberId: string) => Promise<void>,
): Promise<void> {
  const { memberId, begunOn, confirmed, pending, owed } = fundAccount
  const errors: unknown[] = []
  let after = ''
  for (;;) {
    const behind = await db
      .select({ memberId })
      .from(fundAccount)
      .where(and(lt(begunOn, today), or(gt(confirmed, 0), gt(pending, 0), gt(owed, 0)), gt(memberId, after)))
      .orderBy(asc(memberId))
      .limit(batchSize)
    for (const member of behind) await run(member.memberId).catch((error: unknown) => errors.push(error))
    const last = behind.at(-1)
    if (!last) break
    after = last.memberId
  }
  if (errors.length > 0) throw new AggregateError(errors, 'the day roll of some fund accounts failed')
}
