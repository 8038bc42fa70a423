import { memberRoutes } from './backOffice/members.ts'
import { reviewRoutes } from './backOffice/reviews.ts'
import { venueAdminRoutes } from './backOffice/venue.ts'
import { contentAdminRoutes } from './backOffice/contentAdmin.ts'
import { fourEyesRoutes } from './backOffice/fourEyes.ts'
import { limitRoutes } from './backOffice/limits.ts'
import { queueRoutes } from './backOffice/queues.ts'
import { recordRoutes } from './backOffice/record.ts'
import { staffRoutes } from './backOffice/staff.ts'

/**
 * The back office's API, below `/desk`. The venue mounts this table and the command line is built from it, by noun and
 * verb. What is not in it cannot be done from the back office.
 */
export const backOfficeRoutes = {
  ...reviewRoutes,
  ...memberRoutes,
  ...contentAdminRoutes,
  ...venueAdminRoutes,
  ...limitRoutes,
  ...staffRoutes,
  ...fourEyesRoutes,
  ...queueRoutes,
  ...recordRoutes,
}
