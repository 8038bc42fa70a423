import { memberRoutes } from './members.ts'
import { reviewRoutes } from './reviews.ts'
import { venueAdminRoutes } from './venue.ts'
import { contentAdminRoutes } from './contentAdmin.ts'
import { fourEyesRoutes } from './fourEyes.ts'
import { venueLimitRoutes } from './venueLimits.ts'
import { queueRoutes } from './queues.ts'
import { lookupRoutes } from './memberRecord.ts'
import { staffRoutes } from './staff.ts'

/**
 * The office's API, below `/desk`. The venue mounts this table and the command line is built from it, by noun and
 * verb. What is not in it cannot be done from the office.
 */
export const officeRoutes = {
  ...reviewRoutes,
  ...memberRoutes,
  ...contentAdminRoutes,
  ...venueAdminRoutes,
  ...venueLimitRoutes,
  ...staffRoutes,
  ...fourEyesRoutes,
  ...queueRoutes,
  ...lookupRoutes,
}
