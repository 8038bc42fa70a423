import { memberRoutes } from './desk/members.ts'
import { reviewRoutes } from './desk/reviews.ts'
import { venueRoutes } from './desk/venue.ts'
import { wordRoutes } from './desk/words.ts'

/**
 * The desk: customer service's calls, below `/desk`. One table that the venue mounts and the command line speaks, by
 * noun and verb. What is not in it cannot be done from the desk.
 */
export const deskRoutes = { ...reviewRoutes, ...memberRoutes, ...wordRoutes, ...venueRoutes }
