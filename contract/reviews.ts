/** The state of a deposit or a withdrawal at customer service. */
export const reviewStatuses = ['under_review', 'successful', 'failed'] as const
export type ReviewStatus = (typeof reviewStatuses)[number]
