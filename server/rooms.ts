import type { FastifyInstance } from 'fastify'
import { openBusinessClock } from './calendar/businessClock.ts'
import { createStandingJobs } from './calendar/standingJobs.ts'
import type { Settings } from './config.ts'
import { createContent } from './content/content.ts'
import { mountContent } from './content/mountContent.ts'
import type { Database } from './db/database.ts'
import type { Fence } from './db/fence.ts'
import { mountDesk } from './desk/mountDesk.ts'
import { createFund } from './fund/fund.ts'
import { mountFund } from './fund/mountFund.ts'
import type { Engine } from './engine/engine.ts'
import { createKeys } from './idempotency/keys.ts'
import type { Job } from './jobs.ts'
import { createLedger } from './ledger/ledger.ts'
import { mountLedger } from './ledger/mountLedger.ts'
import { createLimits } from './limits/limits.ts'
import { mountMarket } from './market/routes.ts'
import { createMembers } from './members/members.ts'
import { mountMembers } from './members/mountMembers.ts'
import { createPasswordGuard } from './members/passwordGuard.ts'
import { createPhones } from './members/phone.ts'
import { createSessions } from './members/sessions.ts'
import { createUsers } from './members/user.ts'
import { createMessages } from './messages/messages.ts'
import { mountMessages } from './messages/mountMessages.ts'
import { createOutbox } from './messages/outbox.ts'
import type { Authenticator, Clock, Idempotency, MemberBus, Random } from './ports.ts'
import type { Secrets } from './secrets.ts'
import { mountService } from './service/mountService.ts'
import { createService } from './service/service.ts'
import { openSite } from './site/siteStatus.ts'
import type { Site } from './site/siteStatus.ts'
import { mountRecordings } from './market/recordings.ts'
import { refundReader } from './market/refunds.ts'
import type { RefundReader } from './market/refunds.ts'
import { mountTrading } from './trading/mountTrading.ts'
import { resultMessage } from './trading/resultMessage.ts'
import { createTrading } from './trading/trading.ts'
import { createVault } from './vault.ts'
import { createWallet } from './wallet/wallet.ts'

export type RoomsParts = {
  database: Pick<Database, 'db' | 'pool'>
  /** Held by everything that the leader alone does. */
  fence: Fence
  clock: Clock
  random: Random
  bus: MemberBus
  engine: Engine
  settings: Settings
  secrets: Secrets
  /** Told of failures that a room survives. */
  report: (what: string, error: unknown) => void
}

/** The venue's rooms behind HTTP: built in order of who needs whom, mounted in one place. */
export type Rooms = {
  authenticator: Authenticator
  idempotency: Idempotency
  site: Site
  /** What gaps and changes of source refunded, in public. */
  refunds: RefundReader
  /** How far the business calendar is ahead of the venue's clock. */
  businessOffsetMs: () => number
  mount(app: FastifyInstance): void
  /** Picks up what the run before left; before the first call is answered. */
  start(): Promise<void>
  /** Waits for what is being decided. */
  stop(): Promise<void>
  jobs: readonly Job[]
}

const secondMs = 1000
const minuteMs = 60_000
const hourMs = 3_600_000

export async function createRooms(parts: RoomsParts): Promise<Rooms> {
  const { database, fence, clock, random, bus, engine, settings, secrets, report } = parts
  const { market, processor } = engine
  const { db } = database
  const business = await openBusinessClock({
    db,
    clock,
    zone: settings.zone,
    onOffset: (ms) => engine.setCalendarOffset(ms),
  })
  const site = await openSite({ db, clock })
  const practiceBalance = settings.mode === 'practice' ? settings.practiceBalance : null
  const secret = secrets.idempotencyKey

  const ledger = createLedger({ db, clock, calendar: business, bus })
  const keys = createKeys({ db, clock, secret, boundRefusals: settings.rateLimits })
  const messages = createMessages({ db, clock, random, bus })
  const outbox = createOutbox({ db, fence, messages })
  const sessions = createSessions({ db, clock, random, bus })
  const members = await createMembers({
    db,
    clock,
    random,
    ledger,
    sessions,
    secret,
    settings: {
      openingCode: settings.openingCode,
      practiceBalance,
      phoneRules: settings.site.phoneRules,
      rateLimits: settings.rateLimits,
    },
    greet: (tx, memberId) => messages.send(tx, { memberId, key: 'welcome', params: {} }),
  })
  const { passwords } = members
  const guard = createPasswordGuard({ db, clock, passwords })
  const limits = createLimits({ db, business })
  const trading = createTrading({
    database,
    fence,
    clock,
    random,
    calendar: business,
    market,
    processor,
    site,
    bus,
    limits,
    onFinal: (rows) => outbox.add(...rows.map(resultMessage)),
    report,
  })
  const wallet = createWallet({
    db,
    fence,
    clock,
    random,
    business,
    bus,
    keys,
    ledger,
    limits,
    messages,
    sessions,
    passwords,
    guard,
    memberSecret: secret,
    uploadKey: secrets.uploadKey,
    dataDir: settings.dataDir,
    settings: {
      practice: practiceBalance !== null,
      currency: settings.currency,
      depositMethods: settings.site.depositMethods,
      passwordSelfService: settings.site.passwordSelfService,
      phoneRules: settings.site.phoneRules,
      rejectedPhotosKeptDays: settings.site.rejectedPhotosKeptDays,
      uploadsFreeMinBytes: settings.uploadsFreeMinBytes,
    },
  })
  const fundSettings = {
    ...settings.site.fund,
    zone: settings.zone,
    holidays: new Set(settings.site.holidays),
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
  const standingJobs = createStandingJobs({
    clock,
    business,
    jobs: [fund.job],
    practice: practiceBalance !== null,
    onFault: (room, error) => report(`the business day of ${room} failed`, error),
  })
  const { audit, uploads } = wallet
  const content = await createContent({
    db,
    clock,
    random,
    audit,
    facts: {
      name: settings.site.name,
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
  const refunds = refundReader(db, clock)
  return {
    refunds,
    authenticator: sessions,
    idempotency: keys,
    site,
    businessOffsetMs: () => business.offsetMs(),
    mount: (app) => {
      mountMarket(app, { market, clock, refunds })
      mountRecordings(app, market, settings.recordingsDir)
      mountMembers(app, members)
      mountLedger(app, { db, keys, ledger, practiceBalance })
      mountTrading(app, { db, keys, market, trading })
      wallet.mount(app)
      mountFund(app, { db, keys, fund, guard })
      mountContent(app, {
        content,
        clientFailed: (kind, unsaid) =>
          app.log.warn(`a client could not load a resource: ${kind}; ${unsaid} more since the last line`),
      })
      mountMessages(app, messages)
      mountService(app, service)
      mountDesk(app, {
        db,
        clock,
        random,
        ledger,
        business,
        market,
        standingJobs,
        site,
        content,
        messages,
        service,
        wallet,
        phones: createPhones(secret, random),
        users: createUsers(secret, random),
        deskKey: secrets.deskKey,
        remote: settings.deskRemote,
        nameRequired: settings.mode === 'live',
        zone: settings.zone,
      })
    },
    start: async () => {
      await wallet.start()
      await engine.start()
      await standingJobs.start()
    },
    stop: async () => {
      site.stop()
      await standingJobs.stop()
      // Before the outbox is emptied: what is settled last is written too.
      await engine.stop()
      await outbox.flush().catch((error: unknown) => report('telling results failed', error))
    },
    jobs: [
      { name: 'end expired sessions', everyMs: minuteMs, run: () => sessions.endExpired(fence) },
      { name: 'forget old keys', everyMs: hourMs, run: () => keys.prune(fence) },
      { name: 'tell results', everyMs: secondMs, run: () => outbox.flush() },
      { name: 'forget old messages', everyMs: hourMs, run: () => messages.prune(fence) },
      ...wallet.jobs,
    ],
  }
}
