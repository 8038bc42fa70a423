import { EndedOrderToasts } from './EndedOrderToasts.tsx'
import { PlacementToasts } from './PlacementToasts.tsx'

/** What is told about the member's orders on every page: whether they are placed, and how they ended. */
export const OrderToasts = () => (
  <>
    <PlacementToasts />
    <EndedOrderToasts />
  </>
)
