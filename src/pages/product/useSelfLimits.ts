import { useCallback } from 'react'
import { selfLimitRoutes } from '../../../contract/selfLimits.ts'
import type { SelfLimits } from '../../../contract/selfLimits.ts'
import type { Result } from '../../api/result.ts'
import { call } from '../../api/venue.ts'
import { useRequest, valueOf } from '../../hooks/useRequest.ts'
import { useSession } from '../../state/session.ts'

/** The member's own limits; undefined for a guest and until loaded. */
export function useSelfLimits(): SelfLimits | undefined {
  const isMember = useSession().token !== null
  const load = useCallback(
    async (signal: AbortSignal): Promise<Result<SelfLimits | undefined>> =>
      isMember ? call(selfLimitRoutes.limits, {}, { signal }) : { ok: true, value: undefined, at: 0 },
    [isMember],
  )
  const { loadable } = useRequest(load)
  return valueOf(loadable)
}
