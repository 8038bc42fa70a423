import { useMemo } from 'react'
import type { Message } from '../../streams/index.ts'
import { useSession } from '../state/session.ts'
import { useListState } from './useListState.ts'
import { useStreamsIfReady } from './useStreams.ts'

export type Unread = { messages: number; service: number }

/**
 * How many messages are unread, and how many of them are replies of customer service. The results of an hour count as
 * one.
 */
export function useUnread(): Unread {
  const streams = useStreamsIfReady()
  const { token } = useSession()
  const { items } = useListState(token === null ? undefined : streams?.messages)
  return useMemo(() => unreadIn(items), [items])
}

export function unreadIn(messages: readonly Message[]): Unread {
  const unread = messages.filter(({ read }) => !read)
  return { messages: unread.length, service: unread.filter(isServiceReply).length }
}

/** A message sent again because it was read in another window: nothing else has changed. */
export const isReadEvent = (event: unknown): boolean =>
  typeof event === 'object' && event !== null && 'read' in event && event.read === true

/** A notice that customer service replied; the reply itself is in the conversation. */
export const isServiceReply = ({ key }: Message): boolean => key === 'serviceReply'
