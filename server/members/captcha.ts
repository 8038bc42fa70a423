import { minuteMs } from '../../contract/time.ts'
import type { Clock, Random } from '../ports.ts'
import { renderCaptcha } from './captchaImage.ts'

const captchaTtlMs = 5 * minuteMs
/** Above this number of open captchas the oldest are dropped. */
const maxOpenCaptchas = 10_000
const digitCount = 4

/** Captchas of four digits as a picture. Each is valid for one log-in. */
export type Captchas = {
  /** The picture is an SVG that contains only a PNG: its markup reveals nothing about the digits. */
  issue(): Promise<{ captchaId: string; svg: string }>
  /** A wrong answer invalidates the captcha. */
  verify(captchaId: string, answer: string): boolean
  consume(captchaId: string): void
}

export function createCaptchas(clock: Pick<Clock, 'now'>, random: Random): Captchas {
  const openCaptchas = new Map<string, { text: string; expiresAt: number }>()
  return {
    issue: async () => {
      const captchaId = random.uuid()
      const text = Array.from(random.bytes(digitCount), (byte) => byte % 10).join('')
      openCaptchas.set(captchaId, { text, expiresAt: clock.now() + captchaTtlMs })
      const [oldest] = openCaptchas.keys()
      if (openCaptchas.size > maxOpenCaptchas && oldest !== undefined) openCaptchas.delete(oldest)
      return { captchaId, svg: await renderCaptcha(text, random) }
    },
    verify: (captchaId, answer) => {
      const captcha = openCaptchas.get(captchaId)
      const isCorrect = captcha !== undefined && captcha.expiresAt >= clock.now() && captcha.text === answer
      if (!isCorrect) openCaptchas.delete(captchaId)
      return isCorrect
    },
    consume: (captchaId) => void openCaptchas.delete(captchaId),
  }
}
