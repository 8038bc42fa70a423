import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { logRoutes } from '../../contract/publicLog.ts'
import type { Route } from '../../contract/route.ts'
import { parseTilePath, tilePath } from '../../contract/tlog/tiles.ts'
import type { Tile } from '../../contract/tlog/tiles.ts'
import { ApiError } from '../apiError.ts'
import { chargeAnswer } from '../http/mount.ts'
import { describeRoute } from '../http/openApi.ts'
import { createResponseCache } from '../http/responseCache.ts'
import type { LogReader } from './logReader.ts'

const compress = promisify(gzip)

/** Tiles as they were sent: members who connect together ask for the same ones. */
const cacheMaxBytes = 16 * 1024 * 1024
const keptMs = 60_000
/** One token pays for so many leaves, which are unpacked, written as text and hashed. */
const leavesPerToken = 16

/** The log as C2SP tlog-tiles serves it, at every node, for any origin. */
export function mountLog(app: FastifyInstance, reader: LogReader): void {
  const cache = createResponseCache(cacheMaxBytes, keptMs)
  const { logCheckpoint, logTile } = logRoutes
  app.get('/log/checkpoint', optionsOf(logCheckpoint), async (_request, reply) => {
    const note = await reader.checkpoint()
    if (note === null) throw new ApiError('NOT_FOUND')
    return reply
      .headers({ 'Cache-Control': logCheckpoint.cache, 'Access-Control-Allow-Origin': '*' })
      .type('text/plain; charset=utf-8')
      .send(note)
  })
  // The index of a tile has slashes, so it is the rest of the path.
  app.get<{ Params: { level: string; '*': string } }>(
    '/log/tile/:level/*',
    optionsOf(logTile),
    async (request, reply) => {
      const tile = parseTilePath(`tile/${request.params.level}/${request.params['*']}`)
      if (!tile) throw new ApiError('NOT_FOUND')
      // Texts of neighbouring leaves differ little.
      const isPacked = tile.level === 'entries' && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
      const { bytes } = await cache.get(`${tilePath(tile)} ${isPacked}`, async () => {
        // Only who asks first pays: hundreds behind one address ask for the same tile when they connect again.
        const tokens = costOf(tile)
        chargeAnswer(request, tokens)
        const plain = await reader.tile(tile)
        if (!plain) throw new ApiError('NOT_FOUND')
        return { bytes: isPacked ? await compress(plain) : Buffer.from(plain), tokens, final: true }
      })
      reply
        .headers({ 'Cache-Control': logTile.cache, 'Access-Control-Allow-Origin': '*' })
        .type('application/octet-stream')
      if (tile.level === 'entries') reply.header('Vary', 'Accept-Encoding')
      if (isPacked) reply.header('Content-Encoding', 'gzip')
      return reply.send(bytes)
    },
  )
}

const costOf = ({ level, width }: Tile): number =>
  level === 'entries' || level === 0 ? Math.ceil(width / leavesPerToken) : 1

const optionsOf = (route: Route) => ({
  schema: describeRoute(route),
  config: { route, costly: route.costly === true },
})
