import { selfLimitRoutes } from '../../../contract/selfLimits.ts'
import type { SelfLimits } from '../../../contract/selfLimits.ts'
import { afterPaint } from '../../afterPaint.ts'
import { useResource } from '../../hooks/useResource.ts'
import type { ResourceSource } from '../../hooks/useResource.ts'

const selfLimitsSource: ResourceSource<SelfLimits> = {
  fetch: async (call, signal) => {
    await afterPaint()
    return call(selfLimitRoutes.limits, {}, { signal })
  },
}

/** The limits that the member has set; a guest has none. */
export const useSelfLimits = () => useResource(selfLimitsSource)
