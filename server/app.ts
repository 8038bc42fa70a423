import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Notice } from '../contract/socket.ts'
import type { VenueStatus } from '../contract/venueConfig.ts'
import { createDownloads } from './platform/http/downloads.ts'
import { createHttpApp } from './platform/http/httpApp.ts'
import type { Listener } from './platform/http/listener.ts'
import { brandedFiles } from './office/index.ts'
import { createMetrics } from './checks/index.ts'
import { createRateLimiter, noRateLimits } from './platform/http/rateLimiter.ts'
import { clientBuildId, installStaticFiles, type StaticFilesOptions } from './platform/http/staticFiles.ts'
import { createVenueConfig } from './start/venueConfig/venueConfig.ts'
import { runJobs } from './platform/jobs.ts'
import { logError } from './platform/log.ts'
import { composeModules } from './platform/module.ts'
import type { VenueCore } from './start/venueCore.ts'
import { createModules, type Modules } from './modules.ts'
import { projectRoot } from './platform/paths.ts'
import type { Cluster } from './platform/ports.ts'
import {
  handshakeSid,
  createMemberSockets,
  type MemberSockets,
  createRealtime,
  type Realtime,
} from './market/index.ts'

export type VenueParts = Omit<VenueCore, 'bus' | 'report' | 'cluster'> & {
  /** Default: this node is alone, and leads. */
  cluster?: Cluster
  logger: Logger
  listener: Listener
  /** The sockets of each member; a test passes its own to see what is published. */
  memberSockets?: MemberSockets
  /** The built client; defaults to the project's own. */
  clientDir?: string
  /** Unsent bytes at which a socket is terminated; the default is set by realtime. */
  bufferedMaxBytes?: number | undefined
}

export type Venue = {
  app: FastifyInstance
  modules: Modules
  realtime: Realtime
  /** Begins to do what only the leader does; on a node that led from the start it is done already. */
  lead(): Promise<void>
  /** Releases everything it started. The database, the market and the port are closed by their owners. */
  close(): Promise<void>
}

/** Builds the venue from its parts and starts to serve on the listener's port. */
export async function buildVenue(parts: VenueParts): Promise<Venue> {
  const { clock, engine, settings, logger, listener, cluster = null } = parts
  const clientDir = parts.clientDir ?? join(projectRoot, 'dist/client')
  const build = clientBuildId(clientDir)
  const members = parts.memberSockets ?? createMemberSockets(clock)
  const report: VenueCore['report'] = (message, error) => logError(logger, message, error)
  const core: VenueCore = { ...parts, cluster, bus: cluster?.relay(members) ?? members, report }
  const modules = await createModules(core)
  const jobsOf = (everyNode: boolean) =>
    modules.jobs.filter(({ onEveryNode = false }) => onEveryNode === everyNode)
  const stopEveryNodesJobs = runJobs(clock, jobsOf(true), report)
  let stopJobs = async (): Promise<void> => undefined
  const lead = async (): Promise<void> => {
    await modules.start()
    stopJobs = runJobs(clock, jobsOf(false), report)
  }
  if (cluster === null || cluster.isLeading()) await lead()
  const { sessions: authenticator, idempotencyKeys: idempotency, venueStatus, freezes } = modules
  const { publicUrl: publicOrigin, trustProxy } = settings
  const rateLimiter = settings.rateLimits ? createRateLimiter(clock) : noRateLimits
  const downloads = createDownloads()
  const app = await createHttpApp({
    requestContext: { clock, authenticator, idempotency, rateLimiter, downloads, freezes, publicOrigin },
    logger,
    trustProxy,
    imageBaseHost: settings.operatorConfig.imageBaseHost,
    onLogDamaged: modules.nightlyChecks.onLogDamaged,
  })
  const realtime = createRealtime({
    ...core,
    server: listener.server,
    market: engine.market,
    members,
    build,
    authenticator,
    rateLimiter,
    publicOrigin,
    trustProxy,
    bufferedMaxBytes: parts.bufferedMaxBytes,
    siteNotice: () => (venueStatus.state().status === 'up' ? null : toNotice(venueStatus.state())),
  })
  venueStatus.onChange((state) => realtime.publishNotice(toNotice(state)))
  mountRoutes(app, core, modules, realtime, build)
  await installStaticFiles(app, clientDir, staticFilesOf(settings))
  await app.ready()
  listener.serve(
    realtime.serveBefore((request, response) => app.routing(request, response)),
    // Requests of logged-in members skip the queue of anonymous ones; each session's requests in flight are bounded.
    (request) => {
      const sid = handshakeSid(request, { publicOrigin, trustProxy })
      return sid !== undefined && authenticator.cachedSessionId(sid) !== null
    },
  )
  return {
    app,
    modules,
    realtime,
    lead,
    close: async () => {
      const drained = listener.drain()
      realtime.close()
      await drained.then(() => listener.close())
      await stopEveryNodesJobs()
      await stopJobs()
      await modules.stop()
      await app.close()
    },
  }
}

function mountRoutes(
  app: FastifyInstance,
  core: VenueCore,
  modules: Modules,
  realtime: Realtime,
  build: string,
): void {
  const { engine, settings } = core
  const { market } = engine
  const { business, health, publicLog, refunds, nightlyChecks, venueStatus } = modules
  const metrics = createMetrics({ ...core, health, market, publicLog, realtime, refunds, nightlyChecks })
  const venueConfig = createVenueConfig({ build, business, health, market, publicLog, settings, venueStatus })
  composeModules([metrics, venueConfig, modules]).mount(app)
}

const toNotice = ({ status, opensAt }: VenueStatus): Notice => ({ siteStatus: status, until: opensAt })

const staticFilesOf = ({ deskRemote, operatorConfig }: VenueParts['settings']): StaticFilesOptions => ({
  deskRemote,
  brand: (folder) => brandedFiles(folder, operatorConfig),
})
