import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { parseTilePath } from '../../contract/tlog/tiles.ts'
import { ApiError } from '../apiError.ts'
import type { LogReader } from './logReader.ts'

const compress = promisify(gzip)
/** Tiles never change; the checkpoint does every second. */
const immutable = 'public, max-age=31536000, immutable'
const oneSecond = 'public, max-age=1'

/** The log as C2SP tlog-tiles serves it, at every node, for any origin. */
export function mountLog(app: FastifyInstance, reader: LogReader): void {
  app.get('/log/checkpoint', { schema: { hide: true } }, async (_request, reply) => {
    const note = await reader.checkpoint()
    if (note === null) throw new ApiError('NOT_FOUND')
    return reply
      .headers({ 'Cache-Control': oneSecond, 'Access-Control-Allow-Origin': '*' })
      .type('text/plain; charset=utf-8')
      .send(note)
  })
  app.get<{ Params: { '*': string } }>(
    '/log/tile/*',
    { schema: { hide: true }, config: { costly: true } },
    async (request, reply) => {
      const tile = parseTilePath(`tile/${request.params['*']}`)
      const bytes = tile && (await reader.tile(tile))
      if (!tile || !bytes) throw new ApiError('NOT_FOUND')
      reply
        .headers({ 'Cache-Control': immutable, 'Access-Control-Allow-Origin': '*' })
        .type('application/octet-stream')
      if (tile.level !== 'entries') return reply.send(Buffer.from(bytes))
      reply.header('Vary', 'Accept-Encoding')
      // Texts of neighbouring leaves differ little.
      const isPacked = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
      if (!isPacked) return reply.send(Buffer.from(bytes))
      return reply.header('Content-Encoding', 'gzip').send(await compress(bytes))
    },
  )
}
