import type { FastifyInstance } from 'fastify'
import { chargeAnswer } from './mount.ts'
import { bytesPerToken } from './rateLimiter.ts'

/** Serves what may be 200 KB and never changes: it is made and serialised once, at the first request. */
export function serveDescription(app: FastifyInstance, path: string, describe: () => object): void {
  let bytes: Buffer | null = null
  app.get(path, { schema: { hide: true } }, async (request, reply) => {
    bytes ??= Buffer.from(JSON.stringify(describe()))
    chargeAnswer(request, Math.ceil(bytes.length / bytesPerToken))
    return reply.type('application/json; charset=utf-8').send(bytes)
  })
}
