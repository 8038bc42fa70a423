import { addDays } from '../../../contract/time.ts'
import type { BusinessClock } from '../calendar/businessClock.ts'
import { ApiError } from '../../platform/apiError.ts'

/** The error if the day's transfers are used up; `resetAt` is when they are available again. */
export const transfersUsedError = (business: BusinessClock): ApiError =>
  new ApiError('FUND_TIMES_USED', { params: { resetAt: resetAt(business) } })

/** The next 00:00 of the business calendar, on the venue's clock. */
export const resetAt = (business: BusinessClock): number => business.startOf(addDays(business.today(), 1))
