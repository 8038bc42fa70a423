import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { amountText } from '../../../contract/amount.ts'
import { moneyOf } from '../../../contract/money.ts'
import type { OrderDraft, ProductDetail } from '../../../streams/index.ts'
import { durationText } from '../../features/orders/duration.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { ticket, useTicket, type RepeatedTerms } from '../../state/ticket.ts'
import { toast } from '../../ui/index.ts'
import { preTradeCheck, type BlockReason, type TicketFacts } from './preTradeCheck.ts'

/** Terms that the page has not used yet are discarded, so that a sheet does not open unexpectedly later. */
const keptMs = 15_000

/** Reasons that pass by themselves: prices and balance of a page that has just opened come in a moment. */
const passing: ReadonlySet<BlockReason['kind']> = new Set([
  'waiting',
  'balanceWaiting',
  'offline',
  'blocked',
  'stale',
])

/** What to do with terms to be placed again: fill the ticket and wait for it, or end, with an order to review or not. */
export type RepeatStep =
  | { kind: 'wait' }
  | { kind: 'forget' }
  | { kind: 'durationGone' }
  /** The ticket shows why no order can be placed with them. */
  | { kind: 'blocked'; reason: BlockReason }
  | { kind: 'review'; draft: OrderDraft }

/** The next step, by the checks of every order. The rate is the one offered now. */
export function repeatStep(
  again: RepeatedTerms,
  { durations }: Pick<ProductDetail, 'durations'>,
  facts: TicketFacts,
  now: number,
): RepeatStep {
  if (now - again.askedAt > keptMs) return { kind: 'forget' }
  const { productId, direction, amount, seconds } = again
  const duration = durations.find((offered) => offered.seconds === seconds)
  if (duration === undefined) return { kind: 'durationGone' }
  if (facts.duration?.seconds !== seconds || facts.amount !== moneyOf(amount)) return { kind: 'wait' }
  const reason = preTradeCheck(facts)
  if (reason !== undefined && passing.has(reason.kind)) return { kind: 'wait' }
  if (reason !== undefined) return { kind: 'blocked', reason }
  return { kind: 'review', draft: { productId, direction, amount, seconds, rateBp: duration.rateBp } }
}

/** Fills the ticket with the terms of an earlier order, and asks to review an order with them once it can be placed. */
export function useRepeatedOrder(
  product: ProductDetail,
  facts: TicketFacts,
  review: (draft: OrderDraft, rateBpThen: number) => void,
): void {
  const { t } = useTranslation()
  const { decimalMark } = useFormat()
  const { again } = useTicket()
  useEffect(() => {
    if (again?.productId !== product.id) return
    const step = repeatStep(again, product, facts, performance.now())
    // It is not the usual amount: the order may have been for all that was available.
    if (step.kind !== 'forget') ticket.amount = amountText(moneyOf(again.amount), decimalMark)
    if (step.kind === 'wait') {
      ticket.seconds[product.id] = again.seconds
      return
    }
    ticket.again = undefined
    if (step.kind === 'durationGone') {
      const text = t('ticket.durationGone', {
        product: product.code,
        duration: durationText(t, again.seconds),
      })
      toast({ kind: 'problem', text })
    }
    if (step.kind === 'review') review(step.draft, again.rateBp)
  }, [again, product, facts, decimalMark, review, t])
}
