import type { QueueItem, QueueName } from '../../../contract/office/queues.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { parseHash } from '../../../src/router/hashLocation.ts'
import type { Result } from '../../../src/api/result.ts'
import { toast } from '../../../src/ui/toastStore.ts'
import { call } from '../../api.ts'
import { useRun } from '../../data/useRun.ts'
import { useTexts, type TextKey } from '../../i18n.ts'
import type { useAside } from './useAside.ts'
import type { Wanted } from './useQueue.ts'

const { queues } = officeRoutes

type TakingOf = {
  queue: QueueName
  wanted: Wanted
  aside: ReturnType<typeof useAside>
  /** Whether it is claimed and not decided, so that it still waits for the user. */
  waitsForMe: (item: QueueItem) => boolean
  open: (item: QueueItem | null) => void
}
/** What is not taken: all that was set aside, the newest one even at the end; and the open one if it still waits. */
type Besides = { asides: readonly string[]; justAside: string | null; current: string | null }
type Taken = { item: QueueItem | null; said?: TextKey; isClaimed?: true }

/**
 * Takes the next request of a queue: the first unclaimed one that is listed; at the end what the user has claimed, listed or
 * not, then what was set aside.
 */
export function useTaking({ queue, wanted, aside, waitsForMe, open }: TakingOf) {
  const t = useTexts()
  const params = { id: queue }
  const takeBut = (except: readonly string[]) => {
    const query = except.length === 0 ? wanted : { ...wanted, except: except.join(',') }
    return call(queues.next, { params, query })
  }
  const take = async ({ asides, justAside, current }: Besides): Promise<Result<Taken>> => {
    const free = await takeBut(asides)
    if (!free.ok || free.value.item !== null) return free
    const done = (value: Taken): Result<Taken> => ({ ...free, value })
    const claimed = await call(queues.show, { params, query: { show: 'mine' } })
    if (!claimed.ok) return claimed
    const own = claimed.value.items.filter((item) => waitsForMe(item) && item.id !== justAside)
    const other = own.find(({ id }) => id !== current)
    if (other !== undefined) return done({ item: other, isClaimed: true })
    const left = asides.filter((id) => id !== justAside)
    const back = left.length === 0 ? free : await takeBut(justAside === null ? [] : [justAside])
    if (!back.ok) return back
    const { item } = back.value
    if (item !== null) aside.remove(item.id)
    else for (const id of left) aside.remove(id)
    if (item !== null) return done({ item, said: 'queue.doneBackToAside' })
    if (own[0] !== undefined) return done({ item: own[0], said: 'queue.doneButThis', isClaimed: true })
    return done({ item: null, said: justAside === null ? 'queue.done' : 'queue.doneButAside' })
  }
  return useRun(take, ({ item, said, isClaimed }) => {
    // A user who has moved to another screen meanwhile is not brought back, and the item is released.
    if (parseHash(location.hash).path.split('/')[1] !== queue) {
      if (item !== null && isClaimed !== true) void call(queues.release, { params, body: { item: item.id } })
      return
    }
    open(item)
    if (said !== undefined) toast({ text: t(said) })
    if (item !== null && isClaimed === true) void call(queues.claim, { params, body: { item: item.id } })
  })
}
