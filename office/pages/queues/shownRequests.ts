import type { officeRoutes } from '../../../contract/office/routes.ts'
import type { RouteAnswer } from '../../../contract/route.ts'

type Routes = typeof officeRoutes

/* Requests with all that decides them. */
export type Deposit = RouteAnswer<Routes['deposits']['show']>
export type Withdrawal = RouteAnswer<Routes['withdrawals']['show']>
export type Verification = RouteAnswer<Routes['verifications']['show']>
export type NewPassword = RouteAnswer<Routes['password-requests']['show']>
