import { ApiError } from '../../platform/apiError.ts'
import { isProposalRejected, takesTwoPersons } from '../../platform/db/errors.ts'

/**
 * @throws ApiError `CONFLICT` if the database sees at the commit that since the caller's check it takes two persons, or one of
 * the two may not decide it any more
 */
export async function orConflict<T>(decided: Promise<T>): Promise<T> {
  try {
    return await decided
  } catch (error) {
    throw takesTwoPersons(error) || isProposalRejected(error) ? new ApiError('CONFLICT') : error
  }
}
