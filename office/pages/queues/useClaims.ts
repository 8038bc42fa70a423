import { useRef } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { QueueName } from '../../../contract/office/queues.ts'
import { parseHash } from '../../../src/router/hashLocation.ts'
import { toast } from '../../../src/ui/toastStore.ts'
import { call } from '../../api.ts'
import { useRun } from '../../data/useRun.ts'
import { useTexts } from '../../i18n.ts'
import { useMay, useSession } from '../../state/staff.ts'
import { useQueue } from './useQueue.ts'

const { queues } = officeRoutes
type Open = (item: { id: string } | null) => void

/**
 * The item that the user works on in a queue. `next` first releases the user's undecided claim, then claims the oldest
 * unclaimed request; from an own request that is open and undecided it continues with another one. `leave` closes the
 * open request and gives it up.
 */
export function useClaims(queue: QueueName, id: string | null, open: Open) {
  const t = useTexts()
  const may = useMay()
  const me = useSession().staff.name
  const { items } = useQueue(queue).list
  const isOwn = (item: (typeof items)[number]): boolean => item.claim?.by === me && item.proposedBy !== me
  // The list may still have what was just decided.
  const decided = useRef<ReadonlySet<string>>(new Set())
  const release = (item: string) => call(queues.release, { params: { id: queue }, body: { item } })
  const taking = useRun(
    () => call(queues.next, { params: { id: queue } }),
    ({ item }) => {
      // A user who has moved to another screen meanwhile is not brought back, and the item is released.
      if (parseHash(location.hash).path.split('/')[1] !== queue) {
        if (item !== null) void release(item.id)
        return
      }
      open(item)
      if (item === null) toast({ text: t('queue.done') })
    },
  )
  const leaving = useRun(release)
  const prolonging = useRun((item: string) => call(queues.claim, { params: { id: queue }, body: { item } }))
  const next = (): void => {
    if (!may('queues.next')) return open(null)
    const isAtWork = items.some((item) => item.id === id && isOwn(item) && !decided.current.has(item.id))
    const own = items.find((item) => isOwn(item) && item.id !== id && !decided.current.has(item.id))
    if (isAtWork || own === undefined) return taking.run()
    open(own)
    prolonging.run(own.id)
  }
  return {
    next,
    decided: () => {
      if (id !== null) decided.current = new Set([...decided.current, id])
      next()
    },
    leave: () => {
      const held = items.find((item) => item.id === id && isOwn(item))
      open(null)
      if (held !== undefined) leaving.run(held.id)
    },
    isTaking: taking.busy,
    failure: taking.failure ?? prolonging.failure,
  }
}
