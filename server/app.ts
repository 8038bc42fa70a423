import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { SiteState } from '../contract/site.ts'
import type { Notice } from '../contract/socket.ts'
import type { Settings } from './config.ts'
import type { Database } from './db/database.ts'
import type { Fence } from './db/fence.ts'
import type { Engine } from './engine/engine.ts'
import { buildOf, installClient } from './http/client.ts'
import type { Front } from './http/front.ts'
import { createDownloads } from './http/downloads.ts'
import { createLimits, noLimits } from './http/limits.ts'
import { installMetrics } from './http/metrics.ts'
import { createShell } from './http/shell.ts'
import { mountSite } from './http/site.ts'
import { runJobs } from './jobs.ts'
import { projectRoot } from './paths.ts'
import type { Clock, Random } from './ports.ts'
import { handshakeSid } from './realtime/handshake.ts'
import { createMemberSockets } from './realtime/memberSockets.ts'
import { createRealtime } from './realtime/realtime.ts'
import type { Realtime } from './realtime/realtime.ts'
import { createRooms } from './rooms.ts'
import type { Secrets } from './secrets.ts'

export type VenueParts = {
  database: Pick<Database, 'db' | 'pool'>
  fence: Fence
  clock: Clock
  random: Random
  engine: Engine
  settings: Settings
  secrets: Secrets
  logger: Logger
  front: Front
  /** The built client; left out: the project's own. */
  clientDir?: string
  /** Unsent bytes at which a socket is cut; left out: the venue's own bound. */
  bufferedMaxBytes?: number
}

export type Venue = {
  app: FastifyInstance
  realtime: Realtime
  /** Lets go of everything it started; the database, the market and the port are their owners'. */
  close(): Promise<void>
}

/** Builds the venue from its parts and begins to serve on the front's port. */
export async function buildVenue(parts: VenueParts): Promise<Venue> {
  const { database, fence, clock, random, engine, settings, secrets, logger, front } = parts
  const { market } = engine
  const clientDir = parts.clientDir ?? join(projectRoot, 'dist/client')
  const build = buildOf(clientDir)
  const members = createMemberSockets(clock)
  const report = (what: string, error: unknown): void => logger.error({ err: error }, what)
  const rooms = await createRooms({
    database,
    fence,
    clock,
    random,
    bus: members,
    engine,
    settings,
    secrets,
    report,
  })
  await rooms.start()
  const limits = settings.rateLimits ? createLimits(clock) : noLimits
  const app = await createShell({
    gate: {
      clock,
      authenticator: rooms.authenticator,
      idempotency: rooms.idempotency,
      limits,
      downloads: createDownloads(),
      publicOrigin: settings.publicUrl,
    },
    logger,
    trustProxy: settings.trustProxy,
    imageBaseHost: settings.site.imageBaseHost,
  })
  const realtime = createRealtime({
    server: front.server,
    clock,
    market,
    members,
    build,
    authenticator: rooms.authenticator,
    limits,
    publicOrigin: settings.publicUrl,
    trustProxy: settings.trustProxy,
    siteNotice: () => (rooms.site.state().status === 'up' ? null : noticeOf(rooms.site.state())),
    onError: (error) => report('judging a handshake failed', error),
    ...(parts.bufferedMaxBytes !== undefined && { bufferedMaxBytes: parts.bufferedMaxBytes }),
  })
  const { businessOffsetMs, refunds, site } = rooms
  installMetrics(app, {
    market,
    refunds,
    deskKey: secrets.deskKey,
    dataDir: settings.dataDir,
    sockets: () => realtime.counts(),
  })
  site.onChange((state) => realtime.notice(noticeOf(state)))
  mountSite(app, { settings, build, site, market, businessOffsetMs })
  rooms.mount(app)
  await installClient(app, clientDir)
  await app.ready()
  const stopJobs = runJobs(clock, rooms.jobs, (name, error) => report(`${name}: failed`, error))
  front.open(
    (request, response) => app.routing(request, response),
    // Members' calls wait for no flood of strangers; what one session may have in flight is bounded.
    (request) => {
      const sid = handshakeSid(request, { publicOrigin: settings.publicUrl, trustProxy: settings.trustProxy })
      return sid !== undefined && rooms.authenticator.knownSession(sid) !== null
    },
  )
  return {
    app,
    realtime,
    close: async () => {
      front.refuse()
      realtime.close()
      await front.close()
      await stopJobs()
      await rooms.stop()
      await app.close()
    },
  }
}

const noticeOf = ({ status, opensAt }: SiteState): Notice => ({ siteStatus: status, until: opensAt })
