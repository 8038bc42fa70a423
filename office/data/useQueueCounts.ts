import { useEffect } from 'react'
import { officeRoutes } from '../../contract/office/routes.ts'
import type { RouteAnswer } from '../../contract/route.ts'
import { useMay } from '../state/staff.ts'
import { useOfficeCall } from './useOfficeCall.ts'
import { noteVenueTime } from './venueClock.ts'

const route = officeRoutes.queues.list
export type QueueCount = RouteAnswer<typeof route>['items'][number]

const everyMs = 5000
const none: readonly QueueCount[] = []

/** What waits in each queue that the role may see, renewed every five seconds. */
export function useQueueCounts(): readonly QueueCount[] {
  const { data } = useOfficeCall(route, {}, { enabled: useMay()('queues.list'), everyMs })
  useEffect(() => {
    if (data !== undefined) noteVenueTime(data.at)
  }, [data])
  return data?.items ?? none
}
