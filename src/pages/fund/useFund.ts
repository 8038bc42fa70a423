import { useEffect } from 'react'
import { filter, take } from 'rxjs'
import * as z from 'zod/mini'
import { fund as fundSchema, fundRoutes } from '../../../contract/fund.ts'
import type { Fund } from '../../../contract/fund.ts'
import type { Loadable } from '../../../streams/index.ts'
import { refreshConfig } from '../../api/refreshConfig.ts'
import { call } from '../../api/venue.ts'
import { useLiveResource } from '../../hooks/useLiveResource.ts'
import type { LiveResourceSource } from '../../hooks/useLiveResource.ts'
import { valueOf } from '../../hooks/useRequest.ts'
import { useStreams } from '../../hooks/useStreams.ts'

const fundSource: LiveResourceSource<Fund> = {
  // Its dates use the calendar of the venue config, which the practice mode can move.
  load: async (signal) => {
    const [answer] = await Promise.all([call(fundRoutes.fund, {}, { signal }), refreshConfig()])
    return answer
  },
  event: 'fund',
  read: (data) => {
    const parsed = z.safeParse(fundSchema, data)
    return parsed.success ? parsed.data : undefined
  },
}

/** The next instant at which the dates or the remaining transfers change without an event. */
export const nextChangeAt = (fund: Pick<Fund, 'cutoffAt' | 'resetAt'>): number =>
  Math.min(fund.cutoffAt, fund.resetAt)

/** The member's fund, live: fetched, updated by events, and fetched again when a day ends or the cut-off passes. */
export function useFund(): { loadable: Loadable<Fund>; reload: () => void } {
  const { clock } = useStreams()
  const { loadable, reload } = useLiveResource(fundSource)
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
