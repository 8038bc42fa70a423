import { filter, ignoreElements, merge, share, tap, throttleTime, type Observable } from 'rxjs'
import type { Message, MessageCategory } from '../../contract/content.ts'
import { failureOf } from '../operators/failure.ts'
import type { ReloadPolicy } from './reloadPolicy.ts'
import { pagedList } from './pagedList.ts'
import type { Messages, PageOf, ReadMessages } from '../types.ts'

const retainMs = 5000
/** A list that has grown longer than this through live messages and further pages starts over. */
const itemsMax = 1000

/** Results that arrive within this time are loaded together. */
export const resultsEveryMs = 2000

export type MessagesParts = {
  /**
   * A page of messages, of one category or all, newest first: the first one, or the one after a cursor. The results of
   * each hour are one row.
   */
  messages: (cursor?: string, category?: MessageCategory) => Promise<PageOf<Message>>
  readMessages: (which: ReadMessages) => Promise<void>
  event$: Observable<Message>
}

/**
 * The member's system messages, of one category or all. Nothing of a message changes but that it is read, and then it
 * stays read. A read shows at once; if the venue rejects it, the list starts over. An event about a result only says that
 * the row of its hour has changed: the newest page is loaded again.
 */
export function createMessages(
  { messages, readMessages, event$ }: MessagesParts,
  reloadPolicy: ReloadPolicy,
  category?: MessageCategory,
): Messages {
  const isResult = (one: Message): boolean => one.category === 'trade'
  const own$ = event$.pipe(filter((one) => category === undefined || one.category === category))
  const list = pagedList(
    {
      load: (cursor) => messages(cursor, category),
      event$: own$.pipe(filter((one) => !isResult(one))),
      compare: (a, b) => b.at - a.at || (a.id < b.id ? 1 : -1),
      isNewer: (next, known) => next.read && !known.read,
      itemsMax,
    },
    reloadPolicy,
    retainMs,
  )
  const { state$, more, retry, reload, upsert } = list
  const reloaded$ = own$.pipe(
    filter(isResult),
    throttleTime(resultsEveryMs, reloadPolicy.scheduler, { leading: true, trailing: true }),
    tap(reload),
    ignoreElements(),
    share(),
  )
  return {
    state$: merge(state$, reloaded$),
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
