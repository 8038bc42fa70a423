import type { ServiceMessage } from '../../../streams/index.ts'

export type ThreadDay = { day: string; messages: readonly ServiceMessage[] }

/**
 * All messages of a conversation, oldest first: the fetched pages (newest first), and the messages received since that
 * are on none of them.
 */
export function mergeMessages(
  fetched: readonly ServiceMessage[],
  since: readonly ServiceMessage[],
): readonly ServiceMessage[] {
  const known = new Set(fetched.map(({ id }) => id))
  const fresh = since.filter(({ id }) => !known.has(id))
  return [...fetched.toReversed(), ...fresh]
}

/** Appends a message, if it is not in the list. */
export const withMessage = (
  since: readonly ServiceMessage[],
  message: ServiceMessage,
): readonly ServiceMessage[] => (since.some(({ id }) => id === message.id) ? since : [...since, message])

/** Groups messages by day. */
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
