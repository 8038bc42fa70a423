import { useEffect, useRef } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { QueueItem, QueueName } from '../../../contract/office/queues.ts'
import { parseHash } from '../../../src/router/hashLocation.ts'
import { toast } from '../../../src/ui/toastStore.ts'
import { useTellDone } from '../../actions/useUndo.ts'
import { call } from '../../api.ts'
import { useRun } from '../../data/useRun.ts'
import { useTexts, type TextKey } from '../../i18n.ts'
import { useMay, useSession } from '../../state/staff.ts'
import { useAside } from './useAside.ts'
import type { Wanted } from './useQueue.ts'
import { useQueueItem } from './useQueueItem.ts'

const { queues } = officeRoutes

const of = (queue: QueueName, item: string) => ({ params: { id: queue }, body: { item } })

type ClaimsOf = {
  queue: QueueName
  /** The open one, which the list may not show. */
  id: string | null
  /** What the screen lists, and by which filters and in which order. */
  listed: readonly QueueItem[]
  wanted: Wanted
  open: (item: { id: string } | null) => void
}

/**
 * The item that the user works on in a queue. `next` first releases the user's undecided claim, then claims the first
 * unclaimed request of those that the screen lists, in its order; from an own request that is open and undecided it continues
 * with another one. `leave` closes the open request and gives it up. `setAside` gives it up too and opens the next one: `next`
 * comes back to it only when nothing else is left.
 */
export function useClaims({ queue, id, listed, wanted, open }: ClaimsOf) {
  const t = useTexts()
  const may = useMay()
  const me = useSession().staff.name
  const current = useQueueItem(queue, id)
  const isOwn = (item: QueueItem | undefined): item is QueueItem =>
    item?.claim?.by === me && item.proposedBy !== me
  // The list may still have what was just decided.
  const decided = useRef<ReadonlySet<string>>(new Set())
  // What is opened again, because it was undone, waits again.
  useEffect(() => {
    decided.current = new Set([...decided.current].filter((one) => one !== id))
  }, [id])
  const aside = useAside(queue)
  const taking = useRun(
    (except: readonly string[]) => {
      const query = except.length === 0 ? wanted : { ...wanted, except: except.join(',') }
      return call(queues.next, { params: { id: queue }, query })
    },
    ({ item }) => {
      // A user who has moved to another screen meanwhile is not brought back, and the item is released.
      if (parseHash(location.hash).path.split('/')[1] !== queue) {
        if (item !== null) void call(queues.release, of(queue, item.id))
        return
      }
      open(item)
      if (item !== null) return
      toast({ text: t(aside.ids.length === 0 ? 'queue.done' : 'queue.doneButAside') })
      aside.forget()
    },
  )
  const tellDone = useTellDone()
  const leaving = useRun(async ({ id: item, no, account }: QueueItem, done: TextKey = 'claim.released') => {
    const result = await call(queues.release, of(queue, item))
    const again = async () => {
      const claimed = await call(queues.claim, of(queue, item))
      if (!claimed.ok) return claimed
      aside.remove(item)
      open({ id: item })
      return claimed
    }
    if (result.ok) tellDone(t(done), no ?? account ?? undefined, { done: 'claim.takenAgain', run: again })
    return result
  })
  const prolonging = useRun((item: string) => call(queues.claim, of(queue, item)))
  const next = (except = aside.ids): void => {
    if (!may('queues.next')) return open(null)
    const isAtWork = isOwn(current) && !decided.current.has(current.id)
    const isOver = ({ id: one }: QueueItem) => one === id || decided.current.has(one) || except.includes(one)
    const own = listed.find((item) => isOwn(item) && !isOver(item))
    if (isAtWork || own === undefined) return taking.run(except)
    open(own)
    prolonging.run(own.id)
  }
  const setAside = (item: QueueItem): void => {
    next(aside.add(item.id))
    if (isOwn(item)) leaving.run(item, 'claim.setAside')
  }
  return {
    next: () => next(),
    /** Undefined if nothing is open that waits. */
    setAside: current !== undefined && may('queues.next') ? () => setAside(current) : undefined,
    decided: () => {
      if (id !== null) decided.current = new Set([...decided.current, id])
      next()
    },
    leave: () => {
      open(null)
      if (isOwn(current)) leaving.run(current)
    },
    isTaking: taking.busy,
    failure: taking.failure ?? prolonging.failure,
  }
}
