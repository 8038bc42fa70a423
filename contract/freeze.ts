/** The reasons for which an account may be frozen, and no others. */
export const freezeReasons = ['theft_reported', 'death', 'order_of_authority'] as const
export type FreezeReason = (typeof freezeReasons)[number]
