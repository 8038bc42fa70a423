import type { Clock, Random } from '../ports.ts'
import { digitsPicture } from './captchaPicture.ts'

const livesMs = 5 * 60_000
/** More open captchas than this and the oldest are gone. */
const kept = 10_000
const digits = 4

/** Four digits as a picture, each good for one answer. */
export type Captchas = {
  issue(): { captchaId: string; svg: string }
  /** Uses the captcha up, right or wrong. */
  solve(captchaId: string, answer: string): boolean
}

export function createCaptchas(clock: Pick<Clock, 'now'>, random: Random): Captchas {
  const open = new Map<string, { text: string; expiresAt: number }>()
  return {
    issue: () => {
      const captchaId = random.uuid()
      const text = Array.from(random.bytes(digits), (byte) => byte % 10).join('')
      open.set(captchaId, { text, expiresAt: clock.now() + livesMs })
      const [oldest] = open.keys()
      if (open.size > kept && oldest !== undefined) open.delete(oldest)
      return { captchaId, svg: digitsPicture(text, random) }
    },
    solve: (captchaId, answer) => {
      const asked = open.get(captchaId)
      open.delete(captchaId)
      return asked !== undefined && asked.expiresAt >= clock.now() && asked.text === answer
    },
  }
}
