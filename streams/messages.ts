import { Subject, filter, map, merge, tap } from 'rxjs'
import type { Observable, SchedulerLike } from 'rxjs'
import { assertNever } from '../contract/brand.ts'
import type { Message } from '../contract/content.ts'
import { failureOf } from './failure.ts'
import { loadable$ } from './operators/loadable.ts'
import { perAccount } from './operators/perAccount.ts'
import { shareWithGrace } from './operators/shareWithGrace.ts'
import { snapshotThen } from './operators/snapshotThen.ts'
import type { Failure, MessageBox, Messages, ReadMessages } from './types.ts'

const retainMs = 5000
/** A box that has grown longer than this through live messages and further pages is reloaded from its newest page. */
const boxItemsMax = 1000

export type MessagesParts = {
  /** A page of messages, newest first: the first one, or the one after a cursor. */
  messages: (cursor?: string) => Promise<MessageBox>
  readMessages: (which: ReadMessages) => Promise<void>
  event$: Observable<Message>
  up$: Observable<boolean>
  /** Another session has taken over. */
  account$: Observable<unknown>
  resume$: Observable<unknown>
  scheduler: SchedulerLike
}

export type BoxDelta =
  | { kind: 'event'; message: Message }
  | { kind: 'read'; which: ReadMessages }
  | { kind: 'page'; after: string; page: MessageBox }

/**
 * The member's system messages: fetched after each connect and resume, then updated by events, reads and further pages.
 * A read shows at once; if the venue rejects it, the box is fetched again.
 */
export function createMessages(parts: MessagesParts): Messages {
  const { up$, account$, resume$, scheduler } = parts
  const localDeltas = new Subject<BoxDelta>()
  const reloads = new Subject<void>()
  let cursor: string | null = null
  const reload$ = merge(up$.pipe(filter((up, index) => up || index === 0)), resume$, reloads)
  const down$ = up$.pipe(filter((up) => !up))
  const event$ = parts.event$.pipe(map((message): BoxDelta => ({ kind: 'event', message })))
  const load = (): Observable<MessageBox> =>
    snapshotThen(() => parts.messages(), merge(event$, localDeltas), foldBox).pipe(
      tap((box) => {
        cursor = box.nextCursor
        if (box.items.length > boxItemsMax) reloads.next()
      }),
    )
  return {
    box$: perAccount(account$, () => loadable$(reload$, load, down$, scheduler)).pipe(
      shareWithGrace(retainMs, scheduler),
    ),
    read: async (which) => {
      localDeltas.next({ kind: 'read', which })
      const failure = await failureOfCall(() => parts.readMessages(which))
      if (failure) reloads.next()
      return failure
    },
    more: () =>
      failureOfCall(async () => {
        const after = cursor
        if (after !== null) localDeltas.next({ kind: 'page', after, page: await parts.messages(after) })
      }),
  }
}

/** The reducer: a message is identified by its id, and once read it stays read. */
export function foldBox(box: MessageBox, delta: BoxDelta): MessageBox {
  switch (delta.kind) {
    case 'event': {
      const known = box.items.find(({ id }) => id === delta.message.id)
      // A new message is never read yet: this one was read elsewhere and is older than the loaded pages.
      if (!known && delta.message.read) return box
      if (!known) return { ...box, items: [delta.message, ...box.items] }
      const newer = { ...delta.message, read: known.read || delta.message.read }
      return { ...box, items: box.items.map((item) => (item === known ? newer : item)) }
    }
    case 'read': {
      const { which } = delta
      const isAffected = ({ id }: Message): boolean => 'all' in which || which.ids.includes(id)
      return { ...box, items: box.items.map((item) => (isAffected(item) ? { ...item, read: true } : item)) }
    }
    case 'page': {
      // A page requested before the box was reloaded does not follow it.
      if (box.nextCursor !== delta.after) return box
      const known = new Set(box.items.map(({ id }) => id))
      const older = delta.page.items.filter(({ id }) => !known.has(id))
      return { items: [...box.items, ...older], nextCursor: delta.page.nextCursor }
    }
    default:
      return assertNever(delta)
  }
}

async function failureOfCall(work: () => Promise<void>): Promise<Failure | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return failureOf(error)
  }
}
