import { selfLimitRoutes } from '../../../contract/selfLimits.ts'
import type { SelfLimits } from '../../../contract/selfLimits.ts'
import { useResource } from '../../hooks/useResource.ts'
import type { ResourceSource } from '../../hooks/useResource.ts'

const selfLimitsSource: ResourceSource<SelfLimits> = {
  fetch: (call, signal) => call(selfLimitRoutes.limits, {}, { signal }),
}

/** The limits that the member has set; a guest has none. */
export const useSelfLimits = () => useResource(selfLimitsSource)
