import { randomInt } from 'node:crypto'
import { pino } from 'pino'
import { minor } from '../../contract/brand.ts'
import type { Minor } from '../../contract/brand.ts'
import { china } from '../../contract/phones.ts'
import type { PhoneCountry } from '../../contract/phones.ts'
import type { Database } from '../../server/db/open.ts'
import type { OrderRow } from '../../server/db/schema/order.ts'
import { member } from '../../server/db/schema/member.ts'
import { createDownloads } from '../../server/http/downloads.ts'
import { noRateLimits } from '../../server/http/rateLimiter.ts'
import { createHttpApp } from '../../server/http/httpApp.ts'
import { createIdempotencyKeys } from '../../server/idempotency/idempotencyKeys.ts'
import type { BusinessClock } from '../../server/calendar/businessClock.ts'
import { createZoneCalendar } from '../../server/ledger/businessCalendar.ts'
import { createLedger, practiceGrant } from '../../server/ledger/ledger.ts'
import { createSelfLimitPolicy } from '../../server/selfLimits/selfLimits.ts'
import { createMembers } from '../../server/members/members.ts'
import { createPasswords } from '../../server/members/passwords.ts'
import { createSessions } from '../../server/members/sessions.ts'
import { composeModules } from '../../server/module.ts'
import type { Market } from '../../server/ports.ts'
import { openVenueStatus } from '../../server/venueStatus/venueStatus.ts'
import { createOrderProcessor } from '../../server/trading/processor.ts'
import { createTrading } from '../../server/trading/trading.ts'
import { createMemberSockets } from '../../server/realtime/memberSockets.ts'
import { memberClient } from './apiCalls.ts'
import type { MemberClient } from './apiCalls.ts'
import { recordingBus } from './recordingBus.ts'
import { manualClock } from './manualClock.ts'
import { fakeMarket } from './fakeMarket.ts'
import type { FakeMarket } from './fakeMarket.ts'
import { seededRandom } from './random.ts'
import type { ManualClock } from './manualClock.ts'
import { testFence } from './testFence.ts'

export const zone = 'Asia/Shanghai'
export const practiceBalance = minor(1_000_000)

type SmallVenueSettings = {
  practiceBalance?: Minor | null
  clock?: ManualClock
  market?: FakeMarket
  /** The venue's own market instead of the test market. */
  realMarket?: Market
  secret?: Uint8Array
  phoneRules?: readonly PhoneCountry[]
  /** Whether failed log-ins are limited by address; general rate limits are off in either case. */
  rateLimits?: boolean
  /** Makes ids and keys repeatable. Venues on the same database need different seeds. */
  seed?: number
}

/**
 * The modules of a venue that members use, on one test database, with their routes on an app without a port. With the
 * clock and market of another venue it is the same venue after a restart, or a second process beside it.
 */
export async function openSmallVenue(database: Database, settings: SmallVenueSettings = {}) {
  const { db } = database
  const clock = settings.clock ?? manualClock()
  const market = settings.market ?? fakeMarket(clock)
  const random = seededRandom(settings.seed ?? randomInt(2 ** 31))
  const bus = recordingBus(createMemberSockets(clock))
  const secret = settings.secret ?? random.bytes(32)
  const reportedErrors: unknown[] = []
  const settledOrders: OrderRow[] = []
  let offsetMs = 0
  const calendar = createZoneCalendar(zone, () => offsetMs)
  const business: BusinessClock = {
    ...calendar,
    offsetMs: () => offsetMs,
    now: () => clock.now() + offsetMs,
    today: () => calendar.dayOf(clock.now()),
    toVenue: (instant) => instant - offsetMs,
    setOffset: async (ms) => void (offsetMs = ms),
    reload: async () => undefined,
  }
  const fence = testFence
  const report = (what: string, error: unknown): void => void reportedErrors.push(what, error)
  const secrets = { idempotencyKey: secret }
  const keys = createIdempotencyKeys({ db, fence, clock, random, secrets, settings: { rateLimits: false } })
  const sessions = createSessions({ db, fence, clock, random, bus })
  const openingBalance = settings.practiceBalance === undefined ? practiceBalance : settings.practiceBalance
  const memberSettings = {
    openingCode: 'UPTICK',
    mode: openingBalance === null ? ('live' as const) : ('practice' as const),
    practiceBalance: openingBalance ?? practiceBalance,
    rateLimits: settings.rateLimits === true,
    operatorConfig: { phoneRules: [...(settings.phoneRules ?? [china])] },
  }
  const ledger = createLedger({ db, clock, business, bus, idempotencyKeys: keys, settings: memberSettings })
  const members = createMembers({
    db,
    clock,
    random,
    ledger,
    sessions,
    passwords: await createPasswords(random),
    messages: { send: async () => () => undefined },
    secrets,
    settings: memberSettings,
  })
  const selfLimits = createSelfLimitPolicy({ db, business })
  const tradedMarket: Market = settings.realMarket ?? market
  const venueStatus = await openVenueStatus({ db, clock })
  const processor = createOrderProcessor({
    database,
    fence: testFence,
    clock,
    calendar,
    market: tradedMarket,
    report,
  })
  const { start, idle, stop } = processor
  processor.onSettled((rows) => void settledOrders.push(...rows))
  const placement = createTrading({
    ...database,
    fence,
    clock,
    random,
    business,
    market: tradedMarket,
    processor,
    venueStatus,
    bus,
    selfLimits,
    outbox: { add: () => undefined },
    idempotencyKeys: keys,
    report,
  })
  const trading = { ...placement, start, idle, stop }
  const app = await createHttpApp({
    requestContext: {
      clock,
      authenticator: sessions,
      idempotency: keys,
      rateLimiter: noRateLimits,
      downloads: createDownloads(),
      publicOrigin: null,
    },
    logger: pino({ level: 'silent' }),
    trustProxy: 1,
    imageBaseHost: '',
  })
  composeModules([members, placement, ledger]).mount(app)

  /** A member with a balance and a session, without the cost of hashing passwords. */
  const createMember = async (available: Minor = practiceBalance): Promise<MemberClient> => {
    const id = random.uuid()
    const account = `m${Buffer.from(random.bytes(5)).toString('hex')}`
    const openingCode = Buffer.from(random.bytes(4)).toString('hex').toUpperCase()
    const phoneSealed = new Uint8Array()
    await db.transaction(async (tx) => {
      await tx.insert(member).values({
        id,
        account,
        nickname: account,
        openingCode,
        openedWith: 'TEST',
        createdAt: clock.now(),
        phoneHash: id,
        phoneMasked: '138****0000',
        phoneSealed,
        passwordHash: '',
        transactionPasswordHash: '',
      })
      await ledger.openBalance(tx, id)
      if (available > 0) await ledger.post(tx, practiceGrant(id, available))
    })
    const { sid, token } = await sessions.open(id, { device: 'Test', ip: '127.0.0.1' })
    return memberClient(app, random, { id, sid, token })
  }

  return {
    database,
    db,
    clock,
    random,
    bus,
    secret,
    calendar,
    business,
    limits: selfLimits,
    ledger,
    keys,
    sessions,
    members,
    app,
    market,
    trading,
    reportedErrors,
    /** Orders that were reported as final, in order. */
    settledOrders,
    createMember,
    /** The client of a member who joined before a restart or in another process of the venue. */
    guest: (id: string, sid: string, token: string): MemberClient =>
      memberClient(app, random, { id, sid, token }),
    advanceCalendar: (ms: number) => {
      offsetMs += ms
    },
    close: async (): Promise<void> => {
      await app.close()
    },
  }
}
export type SmallVenue = Awaited<ReturnType<typeof openSmallVenue>>
