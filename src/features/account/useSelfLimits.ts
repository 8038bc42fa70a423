import { selfLimitRoutes, type SelfLimits } from '../../../contract/selfLimits.ts'
import { afterPaint } from '../../start/afterPaint.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'

const selfLimitsSource: ResourceSource<SelfLimits> = {
  fetch: async (call, signal) => {
    await afterPaint()
    return call(selfLimitRoutes.limits, {}, { signal })
  },
}

/** The limits that the member has set; a guest has none. */
export const useSelfLimits = () => useResource(selfLimitsSource)
