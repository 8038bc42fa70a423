import { statusRoutes } from '../../../contract/status.ts'
import type { StatusReport } from '../../../contract/status.ts'
import { useResource } from '../../hooks/useResource.ts'
import type { ResourceSource } from '../../hooks/useResource.ts'

const source: ResourceSource<StatusReport> = {
  fetch: (call, signal) => call(statusRoutes.status, {}, { signal }),
}

/** What the venue publishes about itself: no event carries it, so it is as of its `at`. */
export const useStatus = () => useResource(source)
