import type { Observable } from 'rxjs'
import type { Message } from '../contract/content.ts'
import { failureOf } from './failure.ts'
import type { Live } from './live.ts'
import { pagedList } from './pagedList.ts'
import type { Messages, PageOf, ReadMessages } from './types.ts'

const retainMs = 5000
/** A list that has grown longer than this through live messages and further pages starts over. */
const itemsMax = 1000

export type MessagesParts = {
  /** A page of messages, newest first: the first one, or the one after a cursor. */
  messages: (cursor?: string) => Promise<PageOf<Message>>
  readMessages: (which: ReadMessages) => Promise<void>
  event$: Observable<Message>
}

/**
 * The member's system messages. Nothing of a message changes but that it is read, and then it stays read. A read shows
 * at once; if the venue rejects it, the list starts over.
 */
export function createMessages({ messages, readMessages, event$ }: MessagesParts, live: Live): Messages {
  const list = pagedList(
    {
      load: messages,
      event$,
      compare: (a, b) => b.at - a.at,
      isNewer: (next, known) => next.read && !known.read,
      itemsMax,
    },
    live,
    retainMs,
  )
  const { state$, more, retry, reload, upsert } = list
  return {
    state$,
    more,
    retry,
    reload,
    upsert,
    read: async (which) => {
      const affected = list.currentItems().filter(({ id }) => 'all' in which || which.ids.includes(id))
      upsert(...affected.map((message) => ({ ...message, read: true })))
      try {
        await readMessages(which)
        return undefined
      } catch (error) {
        list.startOver()
        return failureOf(error)
      }
    },
  }
}
