import { useMemo } from 'react'
import type { Loadable, Message, MessageBox } from '../../streams/index.ts'
import { useSession } from '../state/session.ts'
import { useObservable } from './useObservable.ts'
import { valueOf } from './useRequest.ts'
import { useStreamsIfReady } from './useStreams.ts'

export type Unread = { messages: number; service: number }

const loading: Loadable<MessageBox> = { state: 'loading' }

/** How many messages the member has not read, and how many of them are answers of customer service. */
export function useUnread(): Unread {
  const streams = useStreamsIfReady()
  const { token } = useSession()
  const box = useObservable(token === null ? undefined : streams?.messages.box$, loading)
  return useMemo(() => unreadIn(valueOf(box)?.items ?? []), [box])
}

export function unreadIn(messages: readonly Message[]): Unread {
  const unread = messages.filter(({ read }) => !read)
  return { messages: unread.length, service: unread.filter(isServiceReply).length }
}

/** A message that comes again because another window read it: it says nothing new of the member. */
export const isReadEvent = (event: unknown): boolean =>
  typeof event === 'object' && event !== null && 'read' in event && event.read === true

/** The venue's word that customer service answered; what was answered stands in the conversation. */
export const isServiceReply = ({ key }: Message): boolean => key === 'serviceReply'
