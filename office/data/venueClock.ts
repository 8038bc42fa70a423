import { useSyncExternalStore } from 'react'
import { ageText } from './age.ts'
import { useTexts } from '../i18n.ts'

let offsetMs = 0

/** Notes the venue's time, as an answer gives it: ages must not depend on this machine's clock. */
export function noteVenueTime(at: number): void {
  offsetMs = at - Date.now()
}

export const venueNow = (): number => Date.now() + offsetMs

/** Ages of waiting requests need no finer time. */
const stepMs = 10_000
const stepNow = (): number => Math.floor(venueNow() / stepMs) * stepMs

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One timer for all: a queue may show a thousand ages. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const each of listeners) each()
  }, stepMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The venue's time, renewed every ten seconds. */
export const useVenueNow = (): number => useSyncExternalStore(subscribe, stepNow)

/** How long ago it was, in words. Its component renders again only when they change. */
export function useAgeText(since: number): string {
  const t = useTexts()
  return useSyncExternalStore(subscribe, () => ageText(t, stepNow() - since))
}

/** Whether it was that long ago, or longer. */
export const useIsOlder = (since: number, ms: number): boolean =>
  useSyncExternalStore(subscribe, () => stepNow() - since > ms)
