import type { officeRoutes } from '../../../contract/office/routes.ts'
import type { RouteAnswer } from '../../../contract/route.ts'

export type MemberView = RouteAnswer<typeof officeRoutes.members.show>
