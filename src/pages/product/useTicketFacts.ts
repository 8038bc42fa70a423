import { amountText, parseAmountInput } from '../../../contract/amount.ts'
import { minor, type Minor } from '../../../contract/units.ts'
import { moneyOf } from '../../../contract/money.ts'
import type { Connection, Duration, ProductDetail } from '../../../streams/index.ts'
import { useSelfLimits } from '../../features/account/useSelfLimits.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useConnection } from '../../hooks/useConnection.ts'
import { useLoadable, valueOf } from '../../hooks/useObservable.ts'
import { useQuoteState } from './useQuoteState.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { useDeviceOffline } from '../../hooks/useDeviceOffline.ts'
import { useSocketBlocked } from '../../hooks/useSocketBlocked.ts'
import { useVenueUnreachable } from '../../hooks/useVenueUnreachable.ts'
import { useNow } from '../../hooks/useNow.ts'
import { useSession } from '../../state/session.ts'
import { useTicket } from '../../state/ticket.ts'
import { durationOf } from '../../chart/orderTimeframe.ts'
import { maxStakeNow, type TicketFacts } from './preTradeCheck.ts'
import { effectiveLimitsAt } from './effectiveLimits.ts'

/** Everything the ticket's buttons depend on, updated every second. */
export function useTicketFacts(product: ProductDetail): TicketFacts {
  const { assets$, clock } = useStreams()
  const second = useNow()
  const { token, appInfo } = useSession()
  const connection = useConnection()
  const isUnreachable = useVenueUnreachable()
  const isBlocked = useSocketBlocked()
  const assets = valueOf(useLoadable(assets$))
  const quote = useQuoteState(product.id)
  const isVenueOpen = appInfo?.siteStatus !== 'maintenance'
  const limits = valueOf(useSelfLimits().loadable)
  const status = quote?.status ?? product.status
  const now = second === 0 ? clock.now() : second
  const duration = useDuration(product)
  const member = {
    duration,
    available: assets && moneyOf(assets.available),
    limits: limits && effectiveLimitsAt(limits, assets, now),
  }
  const { decimalMark } = useFormat()
  const { amount, amounts, usualAmount } = useTicket()
  const usual = amounts[product.id] ?? usualAmount
  const amountInField = amount ?? amountText(fittedAmount(usual, member), decimalMark)
  const parsedAmount = parseAmountInput(amountInField, decimalMark)
  return {
    ...member,
    now,
    member: token !== null,
    isVenueOpen,
    connection: isBlocked ? 'blocked' : connectionFact(connection, clock.synced, isUnreachable),
    deviceOffline: useDeviceOffline(),
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
    amountText: amountInField,
    amount: parsedAmount === 'unclear' ? undefined : parsedAmount,
    amountUnclear: parsedAmount === 'unclear',
  }
}

/** The visit's first connection may take a moment; if it takes longer, prices are paused as in any interruption. */
export function connectionFact(
  { state, stale, lastHeartbeatAt }: Connection,
  synced: boolean,
  isUnreachable: boolean,
): TicketFacts['connection'] {
  if (state === 'online' && synced) return stale ? 'interrupted' : 'current'
  const isFirst = lastHeartbeatAt === undefined && state !== 'reconnecting' && state !== 'rejected'
  if (!isFirst) return 'interrupted'
  return isUnreachable ? 'unreached' : 'connecting'
}

/** In the field of a device without an earlier amount. */
const firstAmount = minor(10_000)

/** What the field has until it is edited: the usual amount, as far as balance and limits allow. */
export function fittedAmount(
  usual: string | undefined,
  { duration, available, limits }: Pick<TicketFacts, 'duration' | 'available' | 'limits'>,
): Minor {
  const amount = usual === undefined ? firstAmount : moneyOf(usual)
  if (duration === undefined) return amount
  const min = moneyOf(duration.min)
  const allowed = Math.min(amount, maxStakeNow(duration, limits), available ?? amount)
  return minor(Math.max(min, allowed))
}

/** The duration selected for this product, or its shortest. */
export function useDuration(product: ProductDetail): Duration | undefined {
  return durationOf(product, useTicket().seconds[product.id])
}
