import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { csvSpanMaxMs } from '../../contract/constants.ts'
import type { Principal } from '../ports.ts'
import { ApiError } from '../apiError.ts'

/** Files written at once, of all members; one of these a member. */
const maxConcurrentFiles = 4
const retryAfterMs = 5000

/** Which members a file is being written for. */
export type Downloads = {
  /**
   * Streams a file's pieces to one member, each one made when the connection has taken the one before. It ends with the
   * last piece or with the connection.
   * @throws Refusal 429 `RATE_LIMITED` while this member's last file is being written, or too many others are
   */
  stream(
    to: { member: Principal; reply: FastifyReply },
    file: { name: string; type: string; pieces: AsyncIterable<string> },
  ): Readable
}

export function createDownloads(): Downloads {
  const activeMembers = new Set<string>()
  return {
    stream: ({ member: { memberId }, reply }, { name, type, pieces }) => {
      if (activeMembers.has(memberId) || activeMembers.size >= maxConcurrentFiles) {
        throw new ApiError(429, 'RATE_LIMITED', { params: { retryAfterMs } })
      }
      activeMembers.add(memberId)
      // Strings are written as they are; a piece or two wait in memory, whatever the file's length.
      const stream = Readable.from(yieldingBetween(pieces), { highWaterMark: 1 })
      // The end comes before the member has it, so that whoever asks again at once is not refused.
      let isActive = true
      const release = (): void => {
        if (isActive) activeMembers.delete(memberId)
        isActive = false
      }
      stream.once('end', release).once('close', release)
      reply.type(type).header('Content-Disposition', `attachment; filename="${name}"`)
      return stream
    },
  }
}

/** Between two pieces everything else gets its turn. */
async function* yieldingBetween(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    yield piece
    await turn()
  }
}

/**
 * What a file covers: the time asked for, a year at most. Without `to` it ends now, or a year after `from`; without
 * `from` it begins a year before its end.
 * @throws Refusal 400 `VALIDATION` for more than a year
 */
export function exportRange(
  { from, to }: { from?: number | undefined; to?: number | undefined },
  now: number,
): { from: number; to: number } {
  const end = to ?? Math.min(now, (from ?? now) + csvSpanMaxMs)
  const begin = from ?? Math.max(0, end - csvSpanMaxMs)
  if (end - begin > csvSpanMaxMs) throw new ApiError(400, 'VALIDATION', { fields: { from: 'INVALID' } })
  return { from: begin, to: end }
}
