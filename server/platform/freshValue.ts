import type { Clock } from './ports.ts'

/**
 * A value that is read again only once it is `freshMs` old, however many ask for it; those who ask while it is read wait
 * for that one. A failure is not kept: the next one who asks reads again.
 */
export function createFreshValue<T>(
  clock: Pick<Clock, 'now'>,
  freshMs: number,
  read: () => Promise<T>,
): () => Promise<T> {
  let value: Promise<T> | null = null
  let isReading = false
  let readAt = Number.NEGATIVE_INFINITY
  return () => {
    if (value !== null && (isReading || clock.now() - readAt < freshMs)) return value
    isReading = true
    readAt = clock.now()
    value = read().finally(() => (isReading = false))
    value.catch(() => (value = null))
    return value
  }
}

/** A value, or null if it fails or takes longer than `ms`. */
export async function valueWithin<T>(clock: Clock, ms: number, value: Promise<T>): Promise<T | null> {
  let cancel = (): void => undefined
  const late = new Promise<null>((resolve) => {
    cancel = clock.at(clock.now() + ms, () => resolve(null))
  })
  try {
    return await Promise.race([value, late])
  } catch {
    return null
  } finally {
    cancel()
  }
}
