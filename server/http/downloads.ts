import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { fileSpanMs } from '../../contract/constants.ts'
import type { Principal } from '../ports.ts'
import { Refusal } from './refusal.ts'

/** Files written at once, of all members; one of these a member. */
const filesMax = 4
const retryAfterMs = 5000

/** Which members a file is being written for. */
export type Downloads = {
  /**
   * Streams a file's pieces to one member, each one made when the connection has taken the one before. It ends with the
   * last piece or with the connection.
   * @throws Refusal 429 `RATE_LIMITED` while this member's last file is being written, or too many others are
   */
  send(
    to: { member: Principal; reply: FastifyReply },
    file: { name: string; type: string; pieces: AsyncIterable<string> },
  ): Readable
}

export function createDownloads(): Downloads {
  const writing = new Set<string>()
  return {
    send: ({ member: { memberId }, reply }, { name, type, pieces }) => {
      if (writing.has(memberId) || writing.size >= filesMax) {
        throw new Refusal(429, 'RATE_LIMITED', { params: { retryAfterMs } })
      }
      writing.add(memberId)
      // Strings are written as they are; a piece or two wait in memory, whatever the file's length.
      const stream = Readable.from(spaced(pieces), { highWaterMark: 1 })
      // The end comes before the member has it, so that whoever asks again at once is not refused.
      let open = true
      const over = (): void => {
        if (open) writing.delete(memberId)
        open = false
      }
      stream.once('end', over).once('close', over)
      reply.type(type).header('Content-Disposition', `attachment; filename="${name}"`)
      return stream
    },
  }
}

/** Between two pieces everything else gets its turn. */
async function* spaced(pieces: AsyncIterable<string>): AsyncGenerator<string> {
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
export function fileSpan(
  { from, to }: { from?: number | undefined; to?: number | undefined },
  now: number,
): { from: number; to: number } {
  const end = to ?? Math.min(now, (from ?? now) + fileSpanMs)
  const begin = from ?? Math.max(0, end - fileSpanMs)
  if (end - begin > fileSpanMs) throw new Refusal(400, 'VALIDATION', { fields: { from: 'INVALID' } })
  return { from: begin, to: end }
}
