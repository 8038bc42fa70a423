/**
 * Money: the ledger, which alone moves it, and what members do with it besides trading: deposits and withdrawals, the
 * fund, statements, their own limits, and what stops a withdrawal (freezes, rests). It owns the business calendar and
 * the tables of balances, postings, holds, requests, the fund and limits.
 *
 * Read `ledger/ledger.ts` first: every other folder posts through it. Then `wallet/wallet.ts`, `fund/fund.ts` and
 * `calendar/businessClock.ts`.
 */
export { isExcluded, isFrozen } from './pauses.ts'
export { type BusinessClock, openBusinessClock } from './calendar/businessClock.ts'
export { createDailyJobs, type DailyJobs } from './calendar/dailyJobs.ts'
export { type Freezes, openFreezes } from './freezes/freezes.ts'
export { createFund, type Fund } from './fund/fund.ts'
export {
  type FundSettings,
  fundSettingsOf,
  type PublishedRates,
  publishedRatesOf,
} from './fund/fundSettings.ts'
export { toAssets, toLedgerEntry } from './ledger/assets.ts'
export { type BusinessCalendar, createZoneCalendar } from './ledger/businessCalendar.ts'
export { createLedger, type Ledger, transactionOf } from './ledger/ledger.ts'
export { checkLedger, type LedgerCheck } from './ledger/ledgerCheck.ts'
export { movementsCsv } from './ledger/movementsCsv.ts'
export {
  balance,
  type BalanceRow,
  deposit,
  fundAccount,
  fundEarning,
  fundLot,
  fundRate,
  fundRecord,
  hold,
  holdResolution,
  memberLimit,
  posting,
  type PostingRow,
  withdrawal,
  withdrawalAccount,
} from './schema.ts'
export { createSelfLimitPolicy, type SelfLimitPolicy } from './selfLimits/selfLimits.ts'
export { createStatements } from './statements/statements.ts'
export { readMemberTotals, readRecentRequests, readSumInDay } from './wallet/memberTotals.ts'
export { hasReference } from './wallet/bankReferences.ts'
export { createWallet, type Wallet } from './wallet/wallet.ts'
export { withdrawalState } from './wallet/withdrawalState.ts'
export { createWithdrawalRests, type WithdrawalRests } from './withdrawalRest/withdrawalRest.ts'
