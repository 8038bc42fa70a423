import { memberRoutes } from './backOffice/members.ts'
import { reviewRoutes } from './backOffice/reviews.ts'
import { venueAdminRoutes } from './backOffice/venue.ts'
import { contentAdminRoutes } from './backOffice/contentAdmin.ts'

/**
 * The desk: customer service's calls, below `/desk`. One table that the venue mounts and the command line speaks, by
 * noun and verb. What is not in it cannot be done from the desk.
 */
export const backOfficeRoutes = {
  ...reviewRoutes,
  ...memberRoutes,
  ...contentAdminRoutes,
  ...venueAdminRoutes,
}
