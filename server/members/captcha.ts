import type { Clock, Random } from '../ports.ts'
import { digitsPicture } from './captchaPicture.ts'

const livesMs = 5 * 60_000
/** More open captchas than this and the oldest are gone. */
const kept = 10_000
const digits = 4

/** Four digits as a picture, each good for one log-in. */
export type Captchas = {
  /** The picture is an SVG that shows nothing but a PNG: its markup says nothing about the digits. */
  issue(): Promise<{ captchaId: string; svg: string }>
  /** A wrong answer uses the captcha up. */
  isRight(captchaId: string, answer: string): boolean
  useUp(captchaId: string): void
}

export function createCaptchas(clock: Pick<Clock, 'now'>, random: Random): Captchas {
  const open = new Map<string, { text: string; expiresAt: number }>()
  return {
    issue: async () => {
      const captchaId = random.uuid()
      const text = Array.from(random.bytes(digits), (byte) => byte % 10).join('')
      open.set(captchaId, { text, expiresAt: clock.now() + livesMs })
      const [oldest] = open.keys()
      if (open.size > kept && oldest !== undefined) open.delete(oldest)
      return { captchaId, svg: await digitsPicture(text, random) }
    },
    isRight: (captchaId, answer) => {
      const asked = open.get(captchaId)
      const right = asked !== undefined && asked.expiresAt >= clock.now() && asked.text === answer
      if (!right) open.delete(captchaId)
      return right
    },
    useUp: (captchaId) => void open.delete(captchaId),
  }
}
