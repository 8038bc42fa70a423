import { randomInt } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { minor } from '../../contract/brand.ts'
import type { Minor } from '../../contract/brand.ts'
import { china } from '../../contract/phones.ts'
import type { PhoneCountry } from '../../contract/phones.ts'
import type { Database } from '../../server/db/open.ts'
import type { OrderRow } from '../../server/db/schema/order.ts'
import { member } from '../../server/db/schema/member.ts'
import { createDownloads } from '../../server/http/downloads.ts'
import { noLimits } from '../../server/http/limits.ts'
import { createShell } from '../../server/http/shell.ts'
import { createKeys } from '../../server/idempotency/keys.ts'
import type { BusinessClock } from '../../server/calendar/businessClock.ts'
import { zoneCalendar } from '../../server/ledger/calendar.ts'
import { createLedger, practiceGrant } from '../../server/ledger/ledger.ts'
import { mountLedger } from '../../server/ledger/mountLedger.ts'
import { createLimits } from '../../server/limits/limits.ts'
import { createMembers } from '../../server/members/members.ts'
import { mountMembers } from '../../server/members/mountMembers.ts'
import { createSessions } from '../../server/members/sessions.ts'
import type { Market } from '../../server/ports.ts'
import { openSite } from '../../server/site/siteStatus.ts'
import { createOrderProcessor } from '../../server/trading/processor.ts'
import { createTrading } from '../../server/trading/trading.ts'
import { mountTrading } from '../../server/trading/mountTrading.ts'
import { recordingBus } from './bus.ts'
import { manualClock } from './clock.ts'
import { testMarket } from './market.ts'
import type { TestMarket } from './market.ts'
import { seededRandom } from './random.ts'
import type { ManualClock } from './clock.ts'
import { testFence } from './fence.ts'

export const zone = 'Asia/Shanghai'
export const practiceBalance = minor(1_000_000)

type HouseSettings = {
  practiceBalance?: Minor | null
  clock?: ManualClock
  market?: TestMarket
  /** The venue's own market instead of the one made by hand. */
  ownMarket?: Market
  secret?: Uint8Array
  phoneRules?: readonly PhoneCountry[]
  /** Whether strangers wait by their address; the rates of calls are off in either case. */
  rateLimits?: boolean
}

/**
 * The members' rooms of a venue on one test database, with their calls on an app that listens nowhere. Given the clock
 * and market of another one it is the same venue after a restart, or a second process beside it.
 */
export async function openHouse(database: Database, settings: HouseSettings = {}) {
  const { db } = database
  const clock = settings.clock ?? manualClock()
  const market = settings.market ?? testMarket(clock)
  const random = seededRandom(randomInt(2 ** 31))
  const bus = recordingBus()
  const secret = settings.secret ?? random.bytes(32)
  const faults: unknown[] = []
  const finals: OrderRow[] = []
  let offsetMs = 0
  const calendar = zoneCalendar(zone, () => offsetMs)
  const business: BusinessClock = {
    ...calendar,
    offsetMs: () => offsetMs,
    now: () => clock.now() + offsetMs,
    today: () => calendar.dayOf(clock.now()),
    toVenue: (instant) => instant - offsetMs,
    setOffset: async (ms) => void (offsetMs = ms),
    reload: async () => undefined,
  }
  const ledger = createLedger({ db, clock, calendar, bus })
  const keys = createKeys({ db, clock, secret })
  const sessions = createSessions({ db, clock, random, bus })
  const opening = settings.practiceBalance === undefined ? practiceBalance : settings.practiceBalance
  const memberSettings = {
    openingCode: 'UPTICK',
    practiceBalance: opening,
    phoneRules: settings.phoneRules ?? [china],
    rateLimits: settings.rateLimits === true,
  }
  const members = await createMembers({
    db,
    clock,
    random,
    ledger,
    sessions,
    secret,
    settings: memberSettings,
  })
  const report = (what: string, error: unknown): void => void faults.push(what, error)
  const limits = createLimits({ db, business })
  const traded: Market = settings.ownMarket ?? market
  const site = await openSite({ db, clock })
  const processor = createOrderProcessor({
    database,
    fence: testFence,
    clock,
    calendar,
    market: traded,
    report,
  })
  const { start, idle, stop } = processor
  const placing = createTrading({
    database,
    fence: testFence,
    clock,
    random,
    calendar,
    market: traded,
    processor,
    site,
    bus,
    limits,
    onFinal: (rows) => void finals.push(...rows),
    report,
  })
  const trading = { ...placing, start, idle, stop }
  const app = await createShell({
    gate: {
      clock,
      authenticator: sessions,
      idempotency: keys,
      limits: noLimits,
      downloads: createDownloads(),
      publicOrigin: null,
    },
    logger: pino({ level: 'silent' }),
    trustProxy: 1,
    imageBaseHost: '',
  })
  mountMembers(app, members)
  mountTrading(app, { db, keys, market: traded, trading })
  mountLedger(app, { db, keys, ledger, practiceBalance: opening })

  /** A member with a balance and a session, without the cost of hashing passwords. */
  const join = async (available: Minor = practiceBalance): Promise<Guest> => {
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
      await ledger.open(tx, id)
      if (available > 0) await ledger.post(tx, practiceGrant(id, available))
    })
    const { sid, token } = await sessions.open(id, { device: 'Test', ip: '127.0.0.1' })
    return guest(app, random, id, sid, token)
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
    limits,
    ledger,
    keys,
    sessions,
    members,
    app,
    market,
    trading,
    faults,
    /** Orders that were reported as final, in order. */
    finals,
    join,
    /** A member's calls here, for one who joined in another life of the venue or in another process of it. */
    guest: (id: string, sid: string, token: string): Guest => guest(app, random, id, sid, token),
    advanceCalendar: (ms: number) => {
      offsetMs += ms
    },
    close: async (): Promise<void> => {
      await app.close()
    },
  }
}
export type House = Awaited<ReturnType<typeof openHouse>>

export type Reply<T = unknown> = {
  status: number
  body: T
  code: string | undefined
  fields: Record<string, string> | undefined
  params: Record<string, unknown> | undefined
  replayed: boolean
  text: string
  headers: Record<string, unknown>
}
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Call = { body?: unknown; headers?: Record<string, string>; ip?: string }

/** One call on an app, as its answer's status, body and refusal. */
export async function call<T = unknown>(
  app: FastifyInstance,
  method: Method,
  path: string,
  { body, headers = {}, ip }: Call = {},
): Promise<Reply<T>> {
  const answer = await app.inject({
    method,
    url: `/api${path}`,
    headers: { ...(ip !== undefined && { 'x-forwarded-for': ip }), ...headers },
    ...(body !== undefined && { payload: body as object }),
  })
  const json = answer.headers['content-type']?.toString().startsWith('application/json') === true
  const parsed = json && answer.body !== '' ? JSON.parse(answer.body) : undefined
  return {
    status: answer.statusCode,
    body: parsed as T,
    code: parsed?.error?.code,
    fields: parsed?.error?.fields,
    params: parsed?.error?.params,
    replayed: answer.headers['idempotent-replayed'] === 'true',
    text: answer.body,
    headers: answer.headers,
  }
}

export type Guest = {
  id: string
  sid: string
  token: string
  get<T = unknown>(path: string): Promise<Reply<T>>
  /** With a new key, unless one is given. */
  post<T = unknown>(path: string, body?: unknown, key?: string): Promise<Reply<T>>
  send<T = unknown>(method: Method, path: string, body?: unknown): Promise<Reply<T>>
}

export function guest(
  app: FastifyInstance,
  random: { uuid(): string },
  id: string,
  sid: string,
  token: string,
): Guest {
  const headers = { cookie: `sid=${sid}`, 'x-csrf-token': token }
  return {
    id,
    sid,
    token,
    get: (path) => call(app, 'GET', path, { headers: { cookie: `sid=${sid}` } }),
    post: (path, body, key = random.uuid()) =>
      call(app, 'POST', path, { body, headers: { ...headers, 'idempotency-key': key } }),
    send: (method, path, body) => call(app, method, path, { body, headers }),
  }
}
