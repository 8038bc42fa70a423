import type { RefObject } from 'react'
import type { ProductDetail } from '../../../../streams/index.ts'
import { Ticket, type TicketProps } from '../Ticket.tsx'
import { useTicketFacts } from '../useTicketFacts.ts'

export type FullScreenTicketProps = {
  product: ProductDetail
  panel: RefObject<HTMLElement | null>
  onReview: TicketProps['onReview']
}

/** Below the chart that fills the screen: the ticket as a bar. It renders every second, and the chart does not. */
export function FullScreenTicket({ product, panel, onReview }: FullScreenTicketProps) {
  const facts = useTicketFacts(product)
  return <Ticket product={product} facts={facts} layout="bar" keysIn={panel} onReview={onReview} />
}
