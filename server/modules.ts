import { createAudit } from './audit/audit.ts'
import { createBackOffice } from './backOffice/backOffice.ts'
import { openBusinessClock } from './calendar/businessClock.ts'
import { createDailyJobs } from './calendar/dailyJobs.ts'
import { createContent } from './content/content.ts'
import { openFreezes } from './freezes/freezes.ts'
import { createFund } from './fund/fund.ts'
import { createIdempotencyKeys } from './idempotency/idempotencyKeys.ts'
import { createLedger } from './ledger/ledger.ts'
import { createRefundReader } from './market/read/refunds.ts'
import { createMarketRoutes } from './market/read/routes.ts'
import { createLoginHistory } from './members/loginHistory.ts'
import { createMembers } from './members/members.ts'
import { createPasswordRecovery } from './members/passwordRecovery.ts'
import { createPasswordRequests } from './members/passwordRequests.ts'
import { createSessions } from './members/sessions.ts'
import { createMessages } from './messages/messages.ts'
import { composeModules } from './module.ts'
import type { Core } from './module.ts'
import { createNodeHealth } from './nodeHealth.ts'
import { createOwnData } from './ownData/ownData.ts'
import { openPublicLog } from './publicLog/publicLog.ts'
import { createPriceAlerts } from './priceAlerts/priceAlerts.ts'
import { createPublicStatus } from './publicStatus/publicStatus.ts'
import { createPush } from './push/push.ts'
import { createSecondFactors } from './secondFactor/secondFactor.ts'
import { createSelfAudit } from './selfAudit/selfAudit.ts'
import { createSelfLimitPolicy } from './selfLimits/selfLimits.ts'
import { createService } from './service/service.ts'
import { createSettingWatch } from './settingWatch.ts'
import { createStatements } from './statements/statements.ts'
import { createResults } from './results/results.ts'
import { createResultOutbox } from './trading/resultOutbox.ts'
import { createTrading } from './trading/trading.ts'
import { createUploads } from './uploads/uploads.ts'
import { openVenueStatus } from './venueStatus/venueStatus.ts'
import { createVerifications } from './verification/verification.ts'
import { createWallet } from './wallet/wallet.ts'
import { createWithdrawalRests } from './withdrawalRest/withdrawalRest.ts'

export type Modules = Awaited<ReturnType<typeof createModules>>

/** Builds the venue's modules, each from those before it. They are mounted and started in the order of the list. */
export async function createModules(parts: Core) {
  const base = await createBase(parts)
  const { engine, messages, resultOutbox, sessions, idempotencyKeys, ledger } = base
  const members = createMembers(base)
  const { factors, confirmations, guard, phones, users } = members
  const selfLimits = createSelfLimitPolicy(base)
  const publicLog = await openPublicLog(base)
  const trading = createTrading({ ...base, selfLimits, publicLog })
  const uploads = createUploads(base)
  const wallet = createWallet({ ...base, confirmations, selfLimits, uploads })
  const push = createPush(base)
  const priceAlerts = createPriceAlerts({ ...base, push })
  const verifications = createVerifications({ ...base, uploads })
  const passwordRecovery = createPasswordRecovery({ ...base, guard, phones })
  const passwordRequests = createPasswordRequests({ ...base, ...members, recovery: passwordRecovery })
  const fund = createFund({ ...base, confirmations })
  const dailyJobs = createDailyJobs({ ...base, jobs: [fund.job] })
  const content = await createContent(base)
  const service = createService({ ...base, uploads })
  const selfAudit = createSelfAudit(base)
  const secondFactors = createSecondFactors({ ...base, factors, confirmations })
  const [refunds, health] = [createRefundReader(base.db, base.clock), createNodeHealth(base)]
  const own = { secondFactors, selfLimits, trading, fund, priceAlerts }
  const decided = { wallet, uploads, verifications, passwordRequests, dailyJobs, content, service }
  const modules = {
    settingWatch: base.settingWatch,
    venueStatus: base.venueStatus,
    marketRoutes: createMarketRoutes({ ...base, refunds }),
    idempotencyKeys,
    sessions,
    loginHistory: base.loginHistory,
    members,
    ledger,
    statements: createStatements(base),
    // Before the engine, so that they stop later: what its last ticks and settlements cause is written too.
    resultOutbox,
    push,
    priceAlerts,
    trading,
    results: createResults(base),
    wallet,
    uploads,
    engine,
    publicLog,
    selfAudit,
    publicStatus: createPublicStatus({ ...base, refunds, publicLog, selfAudit }),
    verifications,
    selfLimits,
    passwordRequests,
    passwordRecovery,
    secondFactors,
    fund,
    dailyJobs,
    content,
    messages,
    service,
    ownData: createOwnData({ ...base, ...members, ...decided, ...own }),
    freezes: base.freezes,
    backOffice: createBackOffice({ ...base, ...decided, trading, fund, phones, users, selfLimits }),
  }
  return {
    business: base.business,
    audit: base.audit,
    refunds,
    health,
    withdrawalRests: base.withdrawalRests,
    ...modules,
    ...composeModules(Object.values(modules)),
  }
}

/** What the modules share. */
async function createBase(parts: Core) {
  const { engine } = parts
  const core = { ...parts.database, ...parts, market: engine.market, processor: engine.processor }
  const settingWatch = createSettingWatch(core)
  const business = await openBusinessClock({ ...core, settingWatch })
  business.onOffset((ms) => engine.setCalendarOffset(ms))
  const venueStatus = await openVenueStatus({ ...core, settingWatch })
  const audit = createAudit(core)
  const idempotencyKeys = createIdempotencyKeys(core)
  const ledger = createLedger({ ...core, business, idempotencyKeys })
  const messages = createMessages(core)
  const resultOutbox = createResultOutbox({ ...core, messages })
  const sessions = createSessions(core)
  const withdrawalRests = createWithdrawalRests(core)
  const loginHistory = createLoginHistory({ ...core, messages, sessions, withdrawalRests })
  const freezes = await openFreezes({ ...core, audit, messages })
  return {
    ...core,
    settingWatch,
    business,
    venueStatus,
    audit,
    idempotencyKeys,
    ledger,
    messages,
    resultOutbox,
    sessions,
    withdrawalRests,
    loginHistory,
    freezes,
  }
}
