import { hash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { buildVenue } from '../../server/app.ts'
import { readSettings, type Settings } from '../../server/start/config.ts'
import type { Fence } from '../../server/platform/db/fence.ts'
import type { Database } from '../../server/platform/db/open.ts'
import { createLocalEngine } from '../../server/start/engine/localEngine.ts'
import { asCalls, asOffice } from '../../server/platform/db/roles/roleContext.ts'
import { createListener } from '../../server/platform/http/listener.ts'
import type { RunningMarket } from '../../server/market/market.ts'
import { createPasswords, type Passwords } from '../../server/members/accounts/passwords.ts'
import type { OperatorConfig } from '../../server/start/operatorConfig.ts'
import type { Clock } from '../../server/platform/ports.ts'
import type { ProductSettings } from '../../server/market/ports.ts'
import { publishedSettingsOf, publishSettings } from '../../server/start/publishedSettings.ts'
import type { PushTransport } from '../../server/notices/push/webPush.ts'
import { createMemberSockets } from '../../server/market/realtime/memberSockets.ts'
import type { Secrets } from '../../server/platform/secrets.ts'
import { officeCall, type OfficeCall, type Reply } from './apiCalls.ts'
import { fakePush } from './fakePush.ts'
import { fakeMarket, testProduct, type FakeMarket } from './fakeMarket.ts'
import { manualClock, type ManualClock } from './manualClock.ts'
import { seededRandom } from './random.ts'
import { recordingBus } from './recordingBus.ts'
import { createSocketClients } from './socketClients.ts'
import { bankMethod, coinMethod } from './payments.ts'
import { testFence } from './testFence.ts'
import { openRoleView } from './roleView.ts'
import { createTestMembers } from './testMembers.ts'

export const zone = 'Asia/Shanghai'
export const deskKey = 'desk-key-for-tests-alone'

export type TestVenueOptions<M extends RunningMarket = FakeMarket, C extends Clock = ManualClock> = {
  clock?: C
  market?: M
  /** The products of the fake market, all like the test product; by default it has the test product alone. */
  productIds?: readonly string[]
  /** In live mode the office decides deposits and issues opening codes. */
  live?: boolean
  /** Settings of the environment and of the operator's file that differ from the defaults. */
  settings?: Partial<Settings>
  operatorConfig?: Partial<OperatorConfig>
  /** Passwords are hashed as in production; otherwise in a way that costs no time. */
  argon2?: boolean
  /** Of a venue on the same database, with its clock and market: this one is that venue after a restart, or beside it. */
  secrets?: Secrets
  fence?: Fence
  /**
   * The venue has only the rights of its roles: calls of members and of the office, and the
   * engine. What a test does through `database` or `db` has the owner's.
   */
  asRoles?: boolean
  /** What the engine works on, if not on the venue's database as the venue does. */
  engineDatabase?: Database
  /** Makes ids and keys repeatable. Venues on one database need different seeds; each has its own by default. */
  seed?: number
  /** Of a node that does not lead, or of one that does. */
  cluster?: Parameters<typeof buildVenue>[0]['cluster']
  /** A folder that outlives the venue; by default it has its own, removed when it closes. */
  dataDir?: string
  /** The built client; none by default. */
  clientDir?: string
  /** How notifications reach devices; default: none does. */
  pushTransport?: PushTransport
  /** Unsent bytes at which a socket is terminated; as in production by default. */
  bufferedMaxBytes?: number
}

/** Argon2id is tested with the members module; in other tests its cost shows nothing. */
const quickPasswords = (): Passwords => {
  const digest = (text: string): string => hash('sha256', text)
  return {
    hash: async (text) => digest(text),
    matches: async (stored, text) => stored === digest(text),
  }
}

let venueCount = 0

/**
 * The whole venue, built as production builds it (`buildVenue`), on a test database: with a clock that only the test
 * moves, a market whose ticks come from the test, seeded randomness and quick password hashes. It opens no port until
 * `listen`.
 */
export async function openTestVenue<M extends RunningMarket = FakeMarket, C extends Clock = ManualClock>(
  database: Database,
  options: TestVenueOptions<M, C> = {},
) {
  const { fence = testFence } = options
  const clock = (options.clock ?? manualClock()) as C
  const market = (options.market ?? fakeMarket(clock, options.productIds?.map(productLike))) as M
  const random = seededRandom(options.seed ?? (venueCount += 1))
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'uptick-test-')))
  const secrets: Secrets = options.secrets ?? {
    deskKey,
    idempotencyKey: random.bytes(32),
    uploadKey: random.bytes(32),
    logKey: random.bytes(32),
  }
  await writeFile(join(dataDir, 'desk.key'), `${secrets.deskKey}\n`, { mode: 0o600 })
  const settings = testSettings(dataDir, options)
  const reportedErrors: unknown[] = []
  const report = (what: string, error: unknown): void => void reportedErrors.push(what, error)
  const logger = pino({
    level: 'error',
    hooks: { logMethod: (args) => void reportedErrors.push(...args) },
  })
  const bus = recordingBus(createMemberSockets(clock))
  const passwords = options.argon2 === true ? createPasswords(random) : quickPasswords()
  const view = options.asRoles === true ? await openRoleView(database) : null
  const engine = createLocalEngine({
    database: options.engineDatabase ?? view?.engine ?? database,
    fence,
    clock,
    market,
    zone: settings.zone,
    report,
  })
  if (options.cluster?.isLeading() !== false) {
    const { db } = options.engineDatabase ?? view?.engine ?? database
    await publishSettings({ db, fence, now: clock.now() }, publishedSettingsOf(settings))
  }
  const listener = createListener(clock, { gracePeriodMs: 100 })
  const venue = await buildVenue({
    database: view?.venue ?? database,
    fence,
    clock,
    random,
    passwords,
    engine,
    settings,
    secrets,
    logger,
    listener,
    memberSockets: bus,
    ...(options.cluster && { cluster: options.cluster }),
    clientDir: options.clientDir ?? join(dataDir, 'no client'),
    bufferedMaxBytes: options.bufferedMaxBytes,
    pushTransport: options.pushTransport ?? fakePush(),
  })
  const { app } = venue
  if (view !== null) sendAsCalls(app)
  const { modules } = venue
  const { wallet, ledger, sessions, members } = modules

  const office = <T = Record<string, never>>(
    method: 'GET' | 'POST',
    path: string,
    request: OfficeCall = {},
  ): Promise<Reply<T>> => officeCall(app, secrets.deskKey, method, path, request)
  const issueOpeningCode = async (): Promise<string> =>
    (await office<{ code: string }>('POST', '/codes', { body: {} })).body.code

  let address: Promise<{ url: string; port: number }> | null = null
  const listen = (): Promise<{ url: string; port: number }> => {
    address ??= listener
      .listen(0, '127.0.0.1')
      .then(({ port }) => ({ port, url: `http://127.0.0.1:${port}` }))
    return address
  }
  const socketClients = createSocketClients(async () => (await listen()).url)
  const testMembers = createTestMembers({
    app,
    db: database.db,
    clock,
    random,
    ledger,
    sessions,
    passwords,
    openingCode: async () => settings.openingCode ?? (await issueOpeningCode()),
  })

  const close = async (): Promise<void> => {
    socketClients.close()
    await venue.close()
    await view?.close()
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
  }
  let closed: Promise<void> | undefined

  return {
    ...modules,
    modules,
    /** Of the wallet. */
    accounts: wallet.accounts,
    deposits: wallet.deposits,
    withdrawals: wallet.withdrawals,
    passwords,
    guard: members.guard,
    /** Begins to lead, on a node that does not. */
    lead: () => venue.lead(),
    trading: {
      ...modules.trading,
      /** Resolves when every entry and settlement in progress is done. */
      idle: engine.processor.idle,
      stop: engine.processor.stop,
    },
    app,
    realtime: venue.realtime,
    database,
    db: database.db,
    clock,
    market,
    random,
    /** What was published to members, in order. */
    bus,
    secrets,
    settings,
    dataDir,
    /** What the venue logged as an error. */
    reportedErrors,
    ...testMembers,
    office,
    issueOpeningCode,
    /** Moves the business calendar ahead of the clock, without the jobs of the days between. */
    advanceCalendar: (ms: number) => modules.business.setOffset(modules.business.offsetMs() + ms),
    /** Opens a free port, once. */
    listen,
    /** A client of the venue's sockets, on its port. It is disconnected when the venue closes. */
    connect: socketClients.connect,
    /** Once: a venue that a test has closed may be closed again. */
    close: (): Promise<void> => (closed ??= close()),
  }
}
export type TestVenue<M extends RunningMarket = FakeMarket, C extends Clock = ManualClock> = Awaited<
  ReturnType<typeof openTestVenue<M, C>>
>

/** Requests that a test sends have no rights of their sender; what a test calls of a module directly has all. */
function sendAsCalls(app: FastifyInstance): void {
  const inject = app.inject.bind(app) as (...args: unknown[]) => unknown
  Object.assign(app, { inject: (...args: unknown[]) => asOffice(() => asCalls(async () => inject(...args))) })
}

const productLike = (id: string): ProductSettings => ({ ...testProduct, id, code: id })

function testSettings(
  dataDir: string,
  { live = false, settings, operatorConfig }: Pick<TestVenueOptions, 'live' | 'settings' | 'operatorConfig'>,
): Settings {
  const defaults = readSettings({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
    TRUST_PROXY: '1',
  })
  return {
    ...defaults,
    uploadsFreeMinBytes: 0,
    ...(live && { mode: 'live', openingCode: null }),
    ...settings,
    operatorConfig: {
      ...defaults.operatorConfig,
      depositMethods: [bankMethod, coinMethod],
      ...operatorConfig,
    },
  }
}
