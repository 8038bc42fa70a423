import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { logRoutes } from '../../../contract/publicLog.ts'
import type { Route } from '../../../contract/route.ts'
import { parseTilePath, tilePath } from '../../../contract/tlog/tiles.ts'
import { ApiError } from '../../platform/apiError.ts'
import { nothing } from '../../platform/http/mount.ts'
import { describeRoute } from '../../platform/http/openApi.ts'
import type { RateLimitName } from '../../platform/http/rateLimiter.ts'
import { createResponseCache } from '../../platform/http/responseCache.ts'
import type { LogReader } from './logReader.ts'

const compress = promisify(gzip)

/** Tiles as they were sent: members who connect together ask for the same ones. */
const cacheMaxBytes = 16 * 1024 * 1024
const keptMs = 60_000
/** Half of a leaf's text is hashes in hexadecimal: the fastest level halves it too, in half the time. */
const compression = { level: 1 }

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
    optionsOf(logTile, 'tiles'),
    async (request, reply) => {
      const tile = parseTilePath(`tile/${request.params.level}/${request.params['*']}`)
      if (!tile) throw new ApiError('NOT_FOUND')
      // Texts of neighbouring leaves differ little.
      const isPacked = tile.level === 'entries' && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
      const { bytes } = await cache.get(`${tilePath(tile)} ${isPacked}`, async () => {
        const plain = await reader.tile(tile)
        if (!plain) throw new ApiError('NOT_FOUND')
        const bytes = isPacked ? await compress(plain, compression) : Buffer.from(plain)
        return { bytes, tokens: 1, final: true }
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

const optionsOf = (route: Route, addressRate?: RateLimitName) => ({
  schema: { ...describeRoute(route), querystring: nothing },
  config: { route, costly: route.costly === true, ...(addressRate && { addressRate }) },
})
