import type { TFunction } from 'i18next'

/** A duration in words: 30 s, 5 min, 1 h. */
export function durationText(t: TFunction, seconds: number): string {
  if (seconds % 3600 === 0) return t('ticket.hours', { n: seconds / 3600 })
  if (seconds % 60 === 0) return t('ticket.minutes', { n: seconds / 60 })
  return t('ticket.seconds', { n: seconds })
}

/** An age in its largest whole unit: 12 s, 4 min, 2 h. */
export function ageText(t: TFunction, ageMs: number): string {
  const seconds = Math.max(0, Math.floor(ageMs / 1000))
  if (seconds < 120) return t('ticket.seconds', { n: seconds })
  const minutes = Math.floor(seconds / 60)
  return minutes < 120
    ? t('ticket.minutes', { n: minutes })
    : t('ticket.hours', { n: Math.floor(minutes / 60) })
}
