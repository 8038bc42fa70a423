import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { VenueStatus } from '../contract/venueConfig.ts'
import type { Notice } from '../contract/socket.ts'
import type { Settings } from './config.ts'
import type { Database } from './db/database.ts'
import type { Fence } from './db/fence.ts'
import type { Engine } from './engine/engine.ts'
import { clientBuildId, installStaticFiles } from './http/staticFiles.ts'
import type { Listener } from './http/listener.ts'
import { createDownloads } from './http/downloads.ts'
import { createRateLimiter, noRateLimits } from './http/rateLimiter.ts'
import type { Passwords } from './members/passwords.ts'
import { installMetrics } from './http/metrics.ts'
import { createHttpApp } from './http/httpApp.ts'
import { mountVenueConfig } from './http/venueConfig.ts'
import { runJobs } from './jobs.ts'
import { projectRoot } from './paths.ts'
import type { Clock, Random } from './ports.ts'
import { handshakeSid } from './realtime/handshake.ts'
import { createMemberSockets } from './realtime/memberSockets.ts'
import type { MemberSockets } from './realtime/memberSockets.ts'
import { createRealtime } from './realtime/realtime.ts'
import type { Realtime } from './realtime/realtime.ts'
import { createModules } from './modules.ts'
import type { Modules } from './modules.ts'
import type { Secrets } from './secrets.ts'

export type VenueParts = {
  database: Pick<Database, 'db' | 'pool'>
  fence: Fence
  clock: Clock
  random: Random
  passwords: Passwords
  engine: Engine
  settings: Settings
  secrets: Secrets
  logger: Logger
  listener: Listener
  /** The sockets of each member; a test passes its own to see what is published. */
  memberSockets?: MemberSockets
  /** The built client; defaults to the project's own. */
  clientDir?: string
  /** Unsent bytes at which a socket is terminated; the default is set by realtime. */
  bufferedMaxBytes?: number
}

export type Venue = {
  app: FastifyInstance
  modules: Modules
  realtime: Realtime
  /** Releases everything it started. The database, the market and the port are closed by their owners. */
  close(): Promise<void>
}

/** Builds the venue from its parts and starts to serve on the listener's port. */
export async function buildVenue(parts: VenueParts): Promise<Venue> {
  const { database, fence, clock, random, passwords, engine, settings, secrets, logger, listener } = parts
  const { market } = engine
  const clientDir = parts.clientDir ?? join(projectRoot, 'dist/client')
  const build = clientBuildId(clientDir)
  const members = parts.memberSockets ?? createMemberSockets(clock)
  const report = (message: string, error: unknown): void => logger.error({ err: error }, message)
  const modules = await createModules({
    database,
    fence,
    clock,
    random,
    passwords,
    bus: members,
    engine,
    settings,
    secrets,
    report,
  })
  await modules.start()
  const rateLimiter = settings.rateLimits ? createRateLimiter(clock) : noRateLimits
  const app = await createHttpApp({
    requestContext: {
      clock,
      authenticator: modules.authenticator,
      idempotency: modules.idempotency,
      rateLimiter,
      downloads: createDownloads(),
      publicOrigin: settings.publicUrl,
    },
    logger,
    trustProxy: settings.trustProxy,
    imageBaseHost: settings.operatorConfig.imageBaseHost,
  })
  const realtime = createRealtime({
    server: listener.server,
    clock,
    market,
    members,
    build,
    authenticator: modules.authenticator,
    rateLimiter,
    publicOrigin: settings.publicUrl,
    trustProxy: settings.trustProxy,
    siteNotice: () =>
      modules.venueStatus.state().status === 'up' ? null : toNotice(modules.venueStatus.state()),
    onError: (error) => report('checking a handshake failed', error),
    ...(parts.bufferedMaxBytes !== undefined && { bufferedMaxBytes: parts.bufferedMaxBytes }),
  })
  const { businessOffsetMs, refunds, venueStatus } = modules
  installMetrics(app, {
    market,
    refunds,
    backOfficeKey: secrets.backOfficeKey,
    dataDir: settings.dataDir,
    sockets: () => realtime.counts(),
  })
  venueStatus.onChange((state) => realtime.publishNotice(toNotice(state)))
  mountVenueConfig(app, { settings, build, venueStatus, market, businessOffsetMs })
  modules.mount(app)
  await installStaticFiles(app, clientDir)
  await app.ready()
  const stopJobs = runJobs(clock, modules.jobs, (name, error) => report(`${name}: failed`, error))
  listener.serve(
    (request, response) => app.routing(request, response),
    // Requests of logged-in members skip the queue of anonymous ones; each session's requests in flight are bounded.
    (request) => {
      const sid = handshakeSid(request, { publicOrigin: settings.publicUrl, trustProxy: settings.trustProxy })
      return sid !== undefined && modules.authenticator.cachedSessionId(sid) !== null
    },
  )
  return {
    app,
    modules,
    realtime,
    close: async () => {
      listener.stopServing()
      realtime.close()
      await listener.close()
      await stopJobs()
      await modules.stop()
      await app.close()
    },
  }
}

const toNotice = ({ status, opensAt }: VenueStatus): Notice => ({ siteStatus: status, until: opensAt })
