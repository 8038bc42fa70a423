import type { RequestState } from '../../contract/office/schema.ts'
import type { ReviewStatus } from '../../contract/reviews.ts'

type Request = {
  status: ReviewStatus
  /** Of a withdrawal. */
  approvedAt?: number | null
  timeline?: readonly { step: string }[]
}

/** The state of a deposit or withdrawal, in the same words wherever it is shown. */
export function requestState({ status, approvedAt = null, timeline = [] }: Request): RequestState {
  if (timeline.some(({ step }) => step === 'cancelled')) return 'cancelled'
  return status === 'under_review' && approvedAt !== null ? 'approved' : status
}
