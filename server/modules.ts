import type { FastifyInstance } from 'fastify'
import { hourMs, minuteMs, secondMs } from '../contract/time.ts'
import { openBusinessClock } from './calendar/businessClock.ts'
import type { BusinessClock } from './calendar/businessClock.ts'
import { createDailyJobs } from './calendar/dailyJobs.ts'
import type { DailyJobs } from './calendar/dailyJobs.ts'
import type { Settings } from './config.ts'
import { createContent } from './content/content.ts'
import type { Content } from './content/content.ts'
import { mountContent } from './content/mountContent.ts'
import type { Database } from './db/database.ts'
import type { Fence } from './db/fence.ts'
import { mountBackOffice } from './backOffice/mountBackOffice.ts'
import { createFund } from './fund/fund.ts'
import type { Fund } from './fund/fund.ts'
import { mountFund } from './fund/mountFund.ts'
import type { Engine } from './engine/engine.ts'
import { createIdempotencyKeys } from './idempotency/idempotencyKeys.ts'
import type { IdempotencyKeys } from './idempotency/idempotencyKeys.ts'
import type { Job } from './jobs.ts'
import { createLedger } from './ledger/ledger.ts'
import type { Ledger } from './ledger/ledger.ts'
import { mountLedger } from './ledger/mountLedger.ts'
import { createSelfLimitPolicy } from './selfLimits/selfLimits.ts'
import type { SelfLimitPolicy } from './selfLimits/selfLimits.ts'
import { mountMarket } from './market/routes.ts'
import { createMembers } from './members/members.ts'
import type { Members } from './members/members.ts'
import { mountMembers } from './members/mountMembers.ts'
import { createPasswordGuard } from './members/passwordGuard.ts'
import type { PasswordGuard } from './members/passwordGuard.ts'
import type { Passwords } from './members/passwords.ts'
import { createPhones } from './members/phone.ts'
import { createSessions } from './members/sessions.ts'
import type { Sessions } from './members/sessions.ts'
import { createUsers } from './members/user.ts'
import { createMessages } from './messages/messages.ts'
import type { Messages } from './messages/messages.ts'
import { mountMessages } from './messages/mountMessages.ts'
import { createOutbox } from './messages/outbox.ts'
import type { Outbox } from './messages/outbox.ts'
import type { Authenticator, Clock, Idempotency, MemberBus, Random } from './ports.ts'
import type { Secrets } from './secrets.ts'
import { mountService } from './service/mountService.ts'
import { createService } from './service/service.ts'
import type { Service } from './service/service.ts'
import { openVenueStatus } from './venueStatus/venueStatus.ts'
import type { VenueStatusStore } from './venueStatus/venueStatus.ts'
import { mountRecordings } from './market/recordingRoutes.ts'
import { createRefundReader } from './market/refunds.ts'
import type { RefundReader } from './market/refunds.ts'
import { mountTrading } from './trading/mountTrading.ts'
import { toResultMessage } from './trading/resultMessage.ts'
import { createTrading } from './trading/trading.ts'
import type { Trading } from './trading/trading.ts'
import { createVault } from './vault.ts'
import { createWallet } from './wallet/wallet.ts'
import type { Wallet } from './wallet/wallet.ts'

export type ModulesParts = {
  database: Pick<Database, 'db' | 'pool'>
  /** Guards everything that only the leader may do. */
  fence: Fence
  clock: Clock
  random: Random
  passwords: Passwords
  bus: MemberBus
  engine: Engine
  settings: Settings
  secrets: Secrets
  /** Reports failures that a module survives. */
  report: (message: string, error: unknown) => void
}

/** The venue's modules behind HTTP: built in the order of their dependencies, mounted in one place. */
export type Modules = {
  /** Each module by its name, for tests: in the venue they are reached by their routes. */
  built: {
    business: BusinessClock
    content: Content
    dailyJobs: DailyJobs
    fund: Fund
    idempotencyKeys: IdempotencyKeys
    ledger: Ledger
    members: Members
    messages: Messages
    outbox: Outbox
    passwordGuard: PasswordGuard
    selfLimits: SelfLimitPolicy
    service: Service
    sessions: Sessions
    trading: Trading
    wallet: Wallet
  }
  authenticator: Authenticator
  idempotency: Idempotency
  venueStatus: VenueStatusStore
  /** What gaps and changes of source refunded; public. */
  refunds: RefundReader
  /** How far the business calendar is ahead of the venue's clock. */
  businessOffsetMs: () => number
  mount(app: FastifyInstance): void
  /** Resumes the work that the run before left; call it before the first request is served. */
  start(): Promise<void>
  /** Waits until the settlement in progress is done. */
  stop(): Promise<void>
  jobs: readonly Job[]
}

export async function createModules(parts: ModulesParts): Promise<Modules> {
  const { database, fence, clock, random, passwords, bus, engine, settings, secrets, report } = parts
  const { market, processor } = engine
  const { db } = database
  const business = await openBusinessClock({
    db,
    clock,
    zone: settings.zone,
    onOffset: (ms) => engine.setCalendarOffset(ms),
  })
  const venueStatus = await openVenueStatus({ db, clock })
  const practiceBalance = settings.mode === 'practice' ? settings.practiceBalance : null
  const secret = secrets.idempotencyKey

  const ledger = createLedger({ db, clock, calendar: business, bus })
  const idempotencyKeys = createIdempotencyKeys({ db, clock, secret, limitStoredErrors: settings.rateLimits })
  const messages = createMessages({ db, clock, random, bus })
  const outbox = createOutbox({ db, fence, messages })
  const sessions = createSessions({ db, clock, random, bus })
  const members = createMembers({
    db,
    clock,
    random,
    ledger,
    sessions,
    passwords,
    secret,
    settings: {
      openingCode: settings.openingCode,
      practiceBalance,
      phoneRules: settings.operatorConfig.phoneRules,
      rateLimits: settings.rateLimits,
    },
    sendWelcome: (tx, memberId) => messages.send(tx, { memberId, key: 'welcome', params: {} }),
  })
  const passwordGuard = createPasswordGuard({ db, clock, passwords })
  const selfLimits = createSelfLimitPolicy({ db, business })
  const trading = createTrading({
    database,
    fence,
    clock,
    random,
    calendar: business,
    market,
    processor,
    venueStatus,
    bus,
    selfLimits,
    onFinal: (rows) => outbox.add(...rows.map(toResultMessage)),
    report,
  })
  const wallet = createWallet({
    db,
    fence,
    clock,
    random,
    business,
    bus,
    idempotencyKeys,
    ledger,
    selfLimits,
    messages,
    sessions,
    passwords,
    guard: passwordGuard,
    memberSecret: secret,
    uploadKey: secrets.uploadKey,
    dataDir: settings.dataDir,
    settings: {
      practice: practiceBalance !== null,
      currency: settings.currency,
      depositMethods: settings.operatorConfig.depositMethods,
      passwordSelfService: settings.operatorConfig.passwordSelfService,
      phoneRules: settings.operatorConfig.phoneRules,
      rejectedPhotosKeptDays: settings.operatorConfig.rejectedPhotosKeptDays,
      uploadsFreeMinBytes: settings.uploadsFreeMinBytes,
    },
  })
  const fundSettings = {
    ...settings.operatorConfig.fund,
    zone: settings.zone,
    holidays: new Set(settings.operatorConfig.holidays),
    practice: practiceBalance !== null,
  }
  const fund = createFund({
    db,
    fence,
    clock,
    business,
    random,
    ledger,
    bus,
    messages,
    settings: fundSettings,
  })
  const dailyJobs = createDailyJobs({
    clock,
    business,
    jobs: [fund.job],
    practice: practiceBalance !== null,
    onError: (module, error) => report(`the business day of ${module} failed`, error),
  })
  const { audit, uploads } = wallet
  const content = await createContent({
    db,
    clock,
    random,
    audit,
    templateParts: {
      name: settings.operatorConfig.name,
      currency: settings.currency,
      practice: practiceBalance !== null,
      practiceBalance: settings.practiceBalance,
      fund: fundSettings,
    },
  })
  const service = createService({
    db,
    clock,
    random,
    bus,
    messages,
    uploads,
    audit,
    vault: createVault(secrets.uploadKey, 'service messages', random),
  })
  const refunds = createRefundReader(db, clock)
  return {
    built: {
      business,
      content,
      dailyJobs,
      fund,
      idempotencyKeys,
      ledger,
      members,
      messages,
      outbox,
      passwordGuard,
      selfLimits,
      service,
      sessions,
      trading,
      wallet,
    },
    refunds,
    authenticator: sessions,
    idempotency: idempotencyKeys,
    venueStatus,
    businessOffsetMs: () => business.offsetMs(),
    mount: (app) => {
      mountMarket(app, { market, clock, refunds })
      mountRecordings(app, market, settings.recordingsDir)
      mountMembers(app, members)
      mountLedger(app, { db, idempotencyKeys, ledger, practiceBalance })
      mountTrading(app, { db, idempotencyKeys, market, trading })
      wallet.mount(app)
      mountFund(app, { db, idempotencyKeys, fund, guard: passwordGuard })
      mountContent(app, {
        content,
        reportClientError: (kind, suppressedCount) =>
          app.log.warn(
            `a client could not load a resource: ${kind}; ${suppressedCount} more since the last entry`,
          ),
      })
      mountMessages(app, messages)
      mountService(app, service)
      mountBackOffice(app, {
        db,
        clock,
        random,
        ledger,
        business,
        market,
        dailyJobs,
        venueStatus,
        content,
        messages,
        service,
        wallet,
        phones: createPhones(secret, random),
        users: createUsers(secret, random),
        backOfficeKey: secrets.backOfficeKey,
        allowsRemote: settings.backOfficeRemote,
        requiresActor: settings.mode === 'live',
        zone: settings.zone,
      })
    },
    start: async () => {
      await wallet.start()
      await engine.start()
      await dailyJobs.start()
    },
    stop: async () => {
      venueStatus.stop()
      await dailyJobs.stop()
      // Before the outbox is flushed, so that the messages of the last settlements are written too.
      await engine.stop()
      await outbox.flush().catch((error: unknown) => report('sending result messages failed', error))
    },
    jobs: [
      { name: 'end expired sessions', everyMs: minuteMs, run: () => sessions.endExpired(fence) },
      { name: 'prune idempotency keys', everyMs: hourMs, run: () => idempotencyKeys.prune(fence) },
      { name: 'send result messages', everyMs: secondMs, run: () => outbox.flush() },
      { name: 'prune messages', everyMs: hourMs, run: () => messages.prune(fence) },
      ...wallet.jobs,
    ],
  }
}
