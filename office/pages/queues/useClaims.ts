import { useEffect, useRef } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { QueueItem, QueueName } from '../../../contract/office/queues.ts'
import { useTellDone } from '../../actions/useUndo.ts'
import { call } from '../../api.ts'
import { useRun } from '../../data/useRun.ts'
import { useTexts, type TextKey } from '../../i18n.ts'
import { dropClaim, holdClaim, type HeldClaim } from '../../state/heldClaim.ts'
import { useMay, useSession } from '../../state/staff.ts'
import { useAside } from './useAside.ts'
import type { Wanted } from './useQueue.ts'
import { useTaking } from './useTaking.ts'
import { useQueueItem } from './useQueueItem.ts'

const { queues } = officeRoutes

const of = (queue: QueueName, item: string) => ({ params: { id: queue }, body: { item } })

const toHeld = (queue: QueueName, { id, no, account }: QueueItem): HeldClaim => ({
  queue,
  id,
  name: no ?? account ?? undefined,
})

/** Says which claim the user works with, so that a list gives it up. */
function useHolding(queue: QueueName, current: QueueItem | undefined, isHeld: boolean): void {
  useEffect(() => {
    if (current === undefined) return
    if (isHeld) holdClaim(toHeld(queue, current))
    else dropClaim(current.id)
  }, [queue, current, isHeld])
}

type ClaimsOf = {
  queue: QueueName
  /** The open one, which the list may not show. */
  id: string | null
  /** What the screen lists, and by which filters and in which order. */
  listed: readonly QueueItem[]
  wanted: Wanted
  open: (item: { id: string } | null) => void
}

type Leaving = Pick<ClaimsOf, 'queue' | 'open'> & { aside: ReturnType<typeof useAside> }

/** Gives up a claim; taken back, it is claimed and opened again. */
function useLeaving({ queue, aside, open }: Leaving) {
  const t = useTexts()
  const tellDone = useTellDone()
  return useRun(async ({ id: item, no, account }: QueueItem, done: TextKey = 'claim.released') => {
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
}

/**
 * The item that the user works on in a queue. `next` opens what the user has claimed and not decided, each once, then claims the
 * first unclaimed request of those that the screen lists, in its order. `leave` closes the open request and gives it up.
 * `setAside` gives it up too and opens the next one: `next` comes back to it only when nothing else is left.
 */
export function useClaims({ queue, id, listed, wanted, open }: ClaimsOf) {
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
  // Own ones that `next` went past: each comes once before what is unclaimed, and again after the next decision.
  const passed = useRef<ReadonlySet<string>>(new Set())
  const aside = useAside(queue)
  useHolding(queue, current, isOwn(current))
  const waitsForMe = (item: QueueItem | undefined): item is QueueItem =>
    isOwn(item) && !decided.current.has(item.id)
  const openTaken = (item: QueueItem | null): void => {
    if (item !== null) holdClaim(toHeld(queue, item))
    else if (id !== null) dropClaim(id)
    open(item)
  }
  const taking = useTaking({ queue, wanted, aside, waitsForMe, open: openTaken })
  const leaving = useLeaving({ queue, aside, open })
  const prolonging = useRun((item: string) => call(queues.claim, of(queue, item)))
  const next = (asides = aside.ids, justAside: string | null = null): void => {
    if (!may('queues.next')) return open(null)
    const isAtWork = waitsForMe(current) && justAside === null
    if (isAtWork) passed.current = new Set([...passed.current, current.id])
    const isOver = ({ id: one }: QueueItem) => one === id || passed.current.has(one) || asides.includes(one)
    const own = listed.find((item) => waitsForMe(item) && !isOver(item))
    if (own === undefined) return taking.run({ asides, justAside, current: isAtWork ? current.id : null })
    open(own)
    prolonging.run(own.id)
  }
  const setAside = (item: QueueItem): void => {
    next(aside.add(item.id), item.id)
    if (isOwn(item)) leaving.run(item, 'claim.setAside')
  }
  return {
    next: () => next(),
    /** Undefined if nothing is open that waits. */
    setAside: current !== undefined && may('queues.next') ? () => setAside(current) : undefined,
    decided: () => {
      if (id !== null) {
        decided.current = new Set([...decided.current, id])
        dropClaim(id)
      }
      passed.current = new Set()
      next()
    },
    leave: () => {
      if (id !== null) dropClaim(id)
      open(null)
      if (isOwn(current)) leaving.run(current)
    },
    asides: aside.ids,
    isTaking: taking.busy,
    failure: taking.failure ?? prolonging.failure,
  }
}
