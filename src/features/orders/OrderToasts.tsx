import { EndedOrderToasts } from './EndedOrderToasts.tsx'
import { PlacementToasts } from './PlacementToasts.tsx'

/** The toasts about the member's orders that every page shows: whether they were placed, and how they ended. */
export const OrderToasts = () => (
  <>
    <PlacementToasts />
    <EndedOrderToasts />
  </>
)
