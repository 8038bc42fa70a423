import { amountText, parseAmountInput } from '../../../contract/amount.ts'
import { minor } from '../../../contract/brand.ts'
import { moneyOf } from '../../../contract/money.ts'
import type { Connection, Duration, ProductDetail } from '../../../streams/index.ts'
import { useSelfLimits } from '../../features/account/useSelfLimits.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useConnection } from '../../hooks/useConnection.ts'
import { useLoadable, valueOf } from '../../hooks/useObservable.ts'
import { useQuoteState } from './useQuoteState.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { useVenueUnreachable } from '../../hooks/useVenueUnreachable.ts'
import { useNow } from '../../hooks/useNow.ts'
import { useSession } from '../../state/session.ts'
import { useTicket } from '../../state/ticket.ts'
import { durationOf } from './chartFrame.ts'
import type { TicketFacts } from './preTradeCheck.ts'
import { effectiveLimitsAt } from './effectiveLimits.ts'

/** Everything the ticket's buttons depend on, updated every second. */
export function useTicketFacts(product: ProductDetail): TicketFacts {
  const { assets$, clock } = useStreams()
  const second = useNow()
  const { token, appInfo } = useSession()
  const connection = useConnection()
  const assets = valueOf(useLoadable(assets$))
  const quote = useQuoteState(product.id)
  const parsedAmount = parseAmountInput(useTicketAmount(), useFormat().decimalMark)
  const isVenueOpen = appInfo?.siteStatus !== 'maintenance'
  const limits = valueOf(useSelfLimits().loadable)
  const status = quote?.status ?? product.status
  const now = second === 0 ? clock.now() : second
  return {
    now,
    member: token !== null,
    isVenueOpen,
    connection: connectionFact(connection, clock.synced, useVenueUnreachable()),
    status,
    opensAt: isVenueOpen
      ? quote === undefined
        ? product.opensAt
        : quote.opensAt
      : (appInfo?.siteOpensAt ?? null),
    closesAt: quote === undefined ? product.closesAt : quote.closesAt,
    // A live product has no price before its first tick.
    quote: quote && quote.at > 0 ? quote : undefined,
    maxTickGapMs: product.maxTickGapMs,
    duration: useDuration(product),
    amount: parsedAmount === 'unclear' ? undefined : parsedAmount,
    amountUnclear: parsedAmount === 'unclear',
    available: assets && moneyOf(assets.available),
    limits: limits && effectiveLimitsAt(limits, assets, now),
  }
}

/** The visit's first connection may take a moment; what takes longer is an interruption like any later one. */
export function connectionFact(
  { state, stale, lastHeartbeatAt }: Connection,
  synced: boolean,
  isUnreachable: boolean,
): TicketFacts['connection'] {
  if (state === 'online' && synced) return stale ? 'interrupted' : 'current'
  const isFirst = lastHeartbeatAt === undefined && state !== 'reconnecting' && state !== 'rejected'
  return isFirst && !isUnreachable ? 'connecting' : 'interrupted'
}

/** In the field until the member edits it. */
const firstAmount = minor(10_000)

/** The text of the ticket's amount field. */
export function useTicketAmount(): string {
  const { amount } = useTicket()
  const { decimalMark } = useFormat()
  return amount ?? amountText(firstAmount, decimalMark)
}

/** The duration selected for this product, or its shortest. */
export function useDuration(product: ProductDetail): Duration | undefined {
  return durationOf(product, useTicket().seconds[product.id])
}
