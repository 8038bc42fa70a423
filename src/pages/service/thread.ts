import type { ServiceMessage } from '../../../streams/index.ts'

export type ThreadDay = { day: string; messages: readonly ServiceMessage[] }

/**
 * Both sides of a conversation, the oldest first: pages as they were fetched (newest first), and before them what
 * came in since and is on none of them.
 */
export function mergeMessages(
  fetched: readonly ServiceMessage[],
  since: readonly ServiceMessage[],
): readonly ServiceMessage[] {
  const known = new Set(fetched.map(({ id }) => id))
  const fresh = since.filter(({ id }) => !known.has(id))
  return [...fetched.toReversed(), ...fresh]
}

/** Adds a message at the end, once. */
export const withMessage = (
  since: readonly ServiceMessage[],
  message: ServiceMessage,
): readonly ServiceMessage[] => (since.some(({ id }) => id === message.id) ? since : [...since, message])

/** Messages under the days they were written on. */
export function groupByDay(messages: readonly ServiceMessage[], dayOf: (at: number) => string): ThreadDay[] {
  const days: { day: string; messages: ServiceMessage[] }[] = []
  for (const message of messages) {
    const day = dayOf(message.at)
    const last = days.at(-1)
    if (last?.day === day) last.messages.push(message)
    else days.push({ day, messages: [message] })
  }
  return days
}
