import { useCallback } from 'react'
import { selfLimitRoutes } from '../../../contract/selfLimits.ts'
import type { SelfLimits } from '../../../contract/selfLimits.ts'
import type { Result } from '../../api/result.ts'
import { call } from '../../api/venue.ts'
import { useRequest, valueOf } from '../../hooks/useRequest.ts'
import { useSession } from '../../state/session.ts'

/** The limits that the member set; undefined for a guest and while they are not known. */
export function useSelfLimits(): SelfLimits | undefined {
  const member = useSession().token !== null
  const load = useCallback(
    async (signal: AbortSignal): Promise<Result<SelfLimits | undefined>> =>
      member ? call(selfLimitRoutes.limits, {}, { signal }) : { ok: true, value: undefined, at: 0 },
    [member],
  )
  const { loadable } = useRequest(load)
  return valueOf(loadable)
}
