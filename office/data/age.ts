import { dayMs, hourMs, minuteMs } from '../../contract/time.ts'
import type { Texts } from '../i18n.ts'

/** How long something waits, in the two largest units, such as 2 h 05 min. */
export function ageText(t: Texts, ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / minuteMs))
  if (ms < hourMs) return t('age.minutes', { minutes })
  if (ms < dayMs)
    return t('age.hours', { hours: Math.floor(ms / hourMs), minutes: String(minutes % 60).padStart(2, '0') })
  return t('age.days', { days: Math.floor(ms / dayMs), hours: Math.floor((ms % dayMs) / hourMs) })
}

/** For this long a request is marked as new. */
export const newMs = 2 * minuteMs
/** From here a request has waited long enough to be marked. */
export const lateMs = 4 * hourMs
