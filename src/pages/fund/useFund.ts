import { useEffect } from 'react'
import { concatMap, filter, of, take, type Observable } from 'rxjs'
import { fund as fundSchema, fundRoutes, type Fund } from '../../../contract/fund.ts'
import { isNewerVersion } from '../../../contract/version.ts'
import type { Loadable } from '../../../streams/index.ts'
import { session } from '../../state/session.ts'
import { refreshConfig } from '../../api/refreshConfig.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'
import { useStreams } from '../../hooks/useStreams.ts'

const fundSource: ResourceSource<Fund> = {
  // Its dates use the calendar of the venue config, which the practice mode can move.
  fetch: async (call, signal) => {
    const [answer] = await Promise.all([call(fundRoutes.fund, {}, { signal }), refreshConfig()])
    return answer
  },
  event$: ({ event$ }) => withItsCalendar(event$('fund', fundSchema), refreshConfig),
  isNewer: isNewerVersion,
}

/**
 * Funds, each after the calendar of its dates: in practice mode the desk can move it, which changes funds too.
 * @param refresh fetches the calendar
 */
export const withItsCalendar = (fund$: Observable<Fund>, refresh: () => Promise<void>): Observable<Fund> =>
  fund$.pipe(
    concatMap((fund) => (session.appInfo?.mode === 'practice' ? refresh().then(() => fund) : of(fund))),
  )

/** The next instant at which the dates or the remaining transfers change without an event. */
export const nextChangeAt = (fund: Pick<Fund, 'cutoffAt' | 'resetAt'>): number =>
  Math.min(fund.cutoffAt, fund.resetAt)

/** The member's fund, live: fetched, updated by events, and fetched again when a day ends or the cut-off passes. */
export function useFund(): { loadable: Loadable<Fund>; reload: () => void } {
  const { clock } = useStreams()
  const { loadable, reload } = useResource(fundSource)
  const fund = valueOf(loadable)
  useEffect(() => {
    if (fund === undefined) return undefined
    const subscription = clock.second$
      .pipe(
        filter((now) => now > nextChangeAt(fund)),
        take(1),
      )
      .subscribe(reload)
    return () => subscription.unsubscribe()
  }, [fund, clock, reload])
  return { loadable, reload }
}
