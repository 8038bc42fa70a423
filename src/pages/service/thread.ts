import type { ServiceMessage } from '../../../streams/index.ts'

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
