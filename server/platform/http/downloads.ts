import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { csvSpanMaxMs } from '../../../contract/constants.ts'
import { ApiError } from '../apiError.ts'

/** Downloads running at once, of all callers; a caller may have one. */
const maxConcurrentFiles = 4
const retryAfterMs = 5000

/** Streams files and limits how many run at once. */
export type Downloads = {
  /**
   * Streams the pieces of a file to one caller, named by the member's id, or `staff` and a name. Each piece is produced when
   * the connection has taken the previous one. The stream ends with the last piece or with the connection.
   * @throws ApiError 429 `RATE_LIMITED` while another download of the caller runs, or too many of others
   */
  stream(
    to: { caller: string; reply: FastifyReply },
    file: { name: string; type: string; pieces: AsyncIterable<string | Uint8Array> },
  ): Readable
}

export function createDownloads(): Downloads {
  const activeCallers = new Set<string>()
  return {
    stream: ({ caller, reply }, { name, type, pieces }) => {
      if (activeCallers.has(caller) || activeCallers.size >= maxConcurrentFiles) {
        throw new ApiError('RATE_LIMITED', { params: { retryAfterMs } })
      }
      activeCallers.add(caller)
      // A low mark keeps only a piece or two in memory, however long the file is.
      const stream = Readable.from(yieldingBetween(pieces), { highWaterMark: 1 })
      // 'end' comes before the caller has the whole file, so that the next request at once is not rejected.
      let isActive = true
      const release = (): void => {
        if (isActive) activeCallers.delete(caller)
        isActive = false
      }
      stream.once('end', release).once('close', release)
      reply.type(type).header('Content-Disposition', `attachment; filename="${name}"`)
      return stream
    },
  }
}

/** Yields to the event loop between two pieces. */
async function* yieldingBetween(
  pieces: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  for await (const piece of pieces) {
    yield piece
    await turn()
  }
}

/**
 * The time span of an export: the requested one, at most a year. Without `to` it ends now, or a year after `from`;
 * without `from` it begins a year before its end.
 * @throws ApiError 400 `VALIDATION` for more than a year
 */
export function exportRange(
  { from, to }: { from?: number | undefined; to?: number | undefined },
  now: number,
): { from: number; to: number } {
  const end = to ?? Math.min(now, (from ?? now) + csvSpanMaxMs)
  const begin = from ?? Math.max(0, end - csvSpanMaxMs)
  if (end - begin > csvSpanMaxMs) throw new ApiError('VALIDATION', { fields: { from: 'INVALID' } })
  return { from: begin, to: end }
}
