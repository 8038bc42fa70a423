import { call } from './apiCalls.ts'
import type { FastifyInstance } from 'fastify'
import type { Random } from '../../server/platform/ports.ts'

/** Requests a captcha and reads its answer from the random bytes it was drawn with. */
export async function solveCaptcha(venue: {
  app: FastifyInstance
  random: Random
}): Promise<{ captchaId: string; captcha: string }> {
  const drawn: Uint8Array[] = []
  const { random } = venue
  const original = random.bytes.bind(random)
  random.bytes = (length) => {
    const bytes = original(length)
    drawn.push(bytes)
    return bytes
  }
  const { captchaId } = (await call<{ captchaId: string }>(venue.app, 'GET', '/captcha')).body
  random.bytes = original
  return {
    captchaId,
    captcha: Array.from(
      drawn.find((bytes) => bytes.length === 4)!,
      (n) => n % 10,
    ).join(''),
  }
}
