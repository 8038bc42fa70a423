import { createActLog, createMessages, createPush, createUploads } from './notices/index.ts'
import { lookers, createOffice, createContent } from './office/index.ts'
import {
  openBusinessClock,
  createDailyJobs,
  openFreezes,
  createFund,
  createLedger,
  createSelfLimitPolicy,
  createStatements,
  createWallet,
  createWithdrawalRests,
} from './money/index.ts'
import { createIdempotencyKeys } from './platform/idempotency/idempotencyKeys.ts'
import { createRefundReader, createMarketRoutes, openPublicLog } from './market/index.ts'
import {
  createLoginHistory,
  createMembers,
  createPasswordRecovery,
  createPasswordRequests,
  createSessions,
  createOwnData,
  createSecondFactors,
  createService,
  createVerifications,
} from './members/index.ts'
import { composeModules } from './platform/module.ts'
import type { VenueCore } from './start/venueCore.ts'
import { createNodeHealth, createPublicStatus, createNightlyChecks } from './checks/index.ts'
import {
  createPriceAlerts,
  createResults,
  createResultOutbox,
  createTrading,
  openVenueStatus,
} from './trading/index.ts'
import { createSettingWatch } from './platform/settingWatch.ts'

export type Modules = Awaited<ReturnType<typeof createModules>>

/**
 * Builds the venue's modules, each from those before it: what a module gets besides the core is named where it is made.
 * They are mounted and started in the order of the list.
 */
export async function createModules(parts: VenueCore) {
  const core = coreOf(parts)
  const shared = await createShared(core)
  const accounts = createAccounts(core, shared)
  const trades = createTrades(core, shared, accounts.members)
  const { actLog, business, freezes, health, publicLog, refunds, venueStatus, withdrawalRests } = shared
  const content = await createContent({ ...core, actLog })
  const nightlyChecks = createNightlyChecks({ ...core, actLog })
  const modules = {
    settingWatch: shared.settingWatch,
    venueStatus,
    marketRoutes: createMarketRoutes({ ...core, refunds }),
    idempotencyKeys: shared.idempotencyKeys,
    sessions: shared.sessions,
    loginHistory: shared.loginHistory,
    members: accounts.members,
    ledger: shared.ledger,
    statements: createStatements(core),
    // Before the engine, so that they stop later: what its last ticks and settlements cause is written too.
    resultOutbox: shared.resultOutbox,
    push: trades.push,
    priceAlerts: trades.priceAlerts,
    trading: trades.trading,
    results: createResults(core),
    wallet: trades.wallet,
    uploads: shared.uploads,
    engine: core.engine,
    publicLog,
    nightlyChecks,
    publicStatus: createPublicStatus({ ...core, freezes, publicLog, refunds, nightlyChecks, venueStatus }),
    verifications: accounts.verifications,
    selfLimits: shared.selfLimits,
    passwordRequests: accounts.passwordRequests,
    passwordRecovery: accounts.passwordRecovery,
    secondFactors: accounts.secondFactors,
    fund: trades.fund,
    dailyJobs: trades.dailyJobs,
    content,
    messages: shared.messages,
    service: accounts.service,
    ownData: ownDataOf(core, shared, accounts, trades),
    freezes,
    office: officeOf(core, shared, accounts, trades, content),
  }
  return {
    actLog,
    business,
    health,
    refunds,
    withdrawalRests,
    ...modules,
    ...composeModules(Object.values(modules)),
  }
}

type CoreParts = ReturnType<typeof coreOf>
type Shared = Awaited<ReturnType<typeof createShared>>
type Accounts = ReturnType<typeof createAccounts>
type Trades = ReturnType<typeof createTrades>

/** What every module may use: nothing in it is made here. */
const coreOf = (parts: VenueCore) => ({
  ...parts,
  db: parts.database.db,
  pool: parts.database.pool,
  market: parts.engine.market,
  processor: parts.engine.processor,
})

/** What modules of several areas use. */
async function createShared(core: CoreParts) {
  const settingWatch = createSettingWatch(core)
  const business = await openBusinessClock({ ...core, settingWatch })
  business.onOffset((ms) => core.engine.setCalendarOffset(ms))
  const actLog = createActLog({ ...core, lookers })
  const idempotencyKeys = createIdempotencyKeys(core)
  const messages = createMessages(core)
  const sessions = createSessions(core)
  const withdrawalRests = createWithdrawalRests(core)
  return {
    actLog,
    business,
    freezes: await openFreezes({ ...core, actLog, messages }),
    health: createNodeHealth(core),
    idempotencyKeys,
    ledger: createLedger({ ...core, business, idempotencyKeys }),
    loginHistory: createLoginHistory({ ...core, messages, sessions, withdrawalRests }),
    messages,
    publicLog: await openPublicLog({ ...core, settingWatch }),
    refunds: createRefundReader(core.db, core.clock),
    resultOutbox: createResultOutbox({ ...core, messages }),
    selfLimits: createSelfLimitPolicy({ ...core, business, settingWatch }),
    sessions,
    settingWatch,
    uploads: createUploads({ ...core, actLog }),
    venueStatus: await openVenueStatus({ ...core, settingWatch }),
    withdrawalRests,
  }
}

/** Members' accounts. */
function createAccounts(core: CoreParts, shared: Shared) {
  const { actLog, ledger, loginHistory, messages, sessions, uploads, withdrawalRests } = shared
  const members = createMembers({ ...core, ledger, loginHistory, messages, sessions })
  const { allowances, confirmations, devices, factors, guard, phones, works } = members
  const passwordRecovery = createPasswordRecovery({
    ...core,
    allowances,
    guard,
    messages,
    phones,
    sessions,
    withdrawalRests,
    works,
  })
  return {
    members,
    passwordRecovery,
    passwordRequests: createPasswordRequests({
      ...core,
      actLog,
      confirmations,
      devices,
      factors,
      guard,
      messages,
      phones,
      recovery: passwordRecovery,
      sessions,
    }),
    secondFactors: createSecondFactors({
      ...core,
      confirmations,
      factors,
      messages,
      sessions,
      withdrawalRests,
    }),
    service: createService({ ...core, actLog, messages, uploads }),
    verifications: createVerifications({ ...core, actLog, messages, uploads }),
  }
}

/** Orders, and what members do with their money. */
function createTrades(core: CoreParts, shared: Shared, { confirmations }: Accounts['members']) {
  const { actLog, business, freezes, idempotencyKeys, ledger, messages, publicLog, resultOutbox } = shared
  const { selfLimits, sessions, uploads, venueStatus, withdrawalRests } = shared
  const push = createPush(core)
  const fund = createFund({ ...core, business, confirmations, idempotencyKeys, ledger, messages })
  return {
    dailyJobs: createDailyJobs({ ...core, business, jobs: [fund.job] }),
    fund,
    priceAlerts: createPriceAlerts({ ...core, idempotencyKeys, messages, push }),
    push,
    trading: createTrading({
      ...core,
      business,
      freezes,
      idempotencyKeys,
      publicLog,
      resultOutbox,
      selfLimits,
      sessions,
      venueStatus,
    }),
    wallet: createWallet({
      ...core,
      actLog,
      business,
      confirmations,
      freezes,
      idempotencyKeys,
      ledger,
      messages,
      selfLimits,
      uploads,
      withdrawalRests,
    }),
  }
}

/** An account's archive and its end: both reach into every area. */
function ownDataOf(core: CoreParts, shared: Shared, accounts: Accounts, trades: Trades) {
  const { actLog, freezes, ledger, loginHistory, messages, selfLimits, sessions, uploads } = shared
  const { secondFactors, service, verifications } = accounts
  const { confirmations, devices, user } = accounts.members
  const { fund, priceAlerts, trading, wallet } = trades
  return createOwnData({
    ...core,
    actLog,
    confirmations,
    devices,
    freezes,
    fund,
    ledger,
    loginHistory,
    messages,
    priceAlerts,
    secondFactors,
    selfLimits,
    service,
    sessions,
    trading,
    uploads,
    user,
    verifications,
    wallet,
  })
}

function officeOf(
  core: CoreParts,
  shared: Shared,
  accounts: Accounts,
  trades: Trades,
  content: Awaited<ReturnType<typeof createContent>>,
) {
  const { actLog, business, freezes, ledger, messages, selfLimits, sessions, uploads, venueStatus } = shared
  const { members, passwordRequests, service, verifications } = accounts
  const { dailyJobs, fund, trading, wallet } = trades
  return createOffice({
    ...core,
    actLog,
    business,
    content,
    dailyJobs,
    freezes,
    fund,
    ledger,
    messages,
    passwordRequests,
    phones: members.phones,
    selfLimits,
    service,
    sessions,
    trading,
    uploads,
    users: members.users,
    venueStatus,
    verifications,
    wallet,
  })
}
