import type { Minor } from '../../contract/brand.ts'
import { amountMax, intentAheadMaxMs } from '../../contract/constants.ts'
import { formatMoney, moneyOf } from '../../contract/money.ts'
import type { PlaceOrder } from '../../contract/orders.ts'
import type { Duration } from '../../contract/products.ts'
import { Refusal } from '../http/refusal.ts'
import type { Market, ProductSettings } from '../ports.ts'
import type { Site } from '../site/siteStatus.ts'

/** An intent that everything but the balance speaks for, at the instant it was judged. */
export type Judged = {
  settings: ProductSettings
  amount: Minor
  acceptedAt: number
  closeAt: number
}

/** What says whether orders are taken. */
type Open = { market: Market; site: Pick<Site, 'state'> }

/**
 * Judges an intent at `now`, in the contract's order: shape 400, product 422, intent 410, rate 409, amount 400.
 * The balance is judged by the debit itself.
 */
export function judge({ market, site }: Open, intent: PlaceOrder, now: number): Judged {
  judgeShape(intent, now)
  const settings = market.settings(intent.productId)
  if (!settings) throw new Refusal(404, 'NOT_FOUND')
  const { status, opensAt } = site.state()
  if (status === 'maintenance') throw new Refusal(422, 'PRODUCT_MAINTENANCE', { params: { opensAt } })
  const closeAt = now + intent.seconds * 1000
  const duration = judgeProduct(market, settings, intent.seconds, closeAt, now)
  if (now > intent.validUntil) throw new Refusal(410, 'INTENT_EXPIRED')
  if (intent.rateBp !== duration.rateBp) {
    throw new Refusal(409, 'RATE_CHANGED', { params: { rateBp: duration.rateBp } })
  }
  return { settings, amount: judgeAmount(intent.amount, duration), acceptedAt: now, closeAt }
}

/** What the schema cannot know of an intent's shape: it may not live long. */
export function judgeShape(intent: PlaceOrder, now: number): void {
  if (intent.validUntil > now + intentAheadMaxMs) {
    throw new Refusal(400, 'VALIDATION', { fields: { validUntil: 'VALID_UNTIL' } })
  }
}

/** Open, fresh, offered for that long, and open until then. */
function judgeProduct(
  market: Market,
  settings: ProductSettings,
  seconds: number,
  closeAt: number,
  now: number,
): Duration {
  const { status, opensAt, closesAt } = market.session(settings.id)
  if (status === 'maintenance') throw new Refusal(422, 'PRODUCT_MAINTENANCE', { params: { opensAt } })
  if (status === 'closed') throw new Refusal(422, 'PRODUCT_CLOSED', { params: { opensAt } })
  const quiet = now - market.lastTickAt(settings.id) > settings.maxTickGapMs
  if (quiet || market.feedStatus(settings.id) !== 'live') throw new Refusal(422, 'FEED_STALE')
  const duration = settings.durations.find((offered) => offered.seconds === seconds)
  if (!duration) throw new Refusal(422, 'DURATION_UNKNOWN')
  if (closesAt !== null && closeAt > closesAt) {
    throw new Refusal(422, 'CROSSES_CLOSE', { params: { closesAt } })
  }
  return duration
}

function judgeAmount(text: string, duration: Duration): Minor {
  const amount = moneyOf(text)
  const min = moneyOf(duration.min)
  const max = moneyOf(duration.max) < amountMax ? moneyOf(duration.max) : amountMax
  if (amount < min || amount <= 0) {
    throw new Refusal(400, 'VALIDATION', { params: { min: duration.min }, fields: { amount: 'AMOUNT_MIN' } })
  }
  if (amount > max) {
    throw new Refusal(400, 'VALIDATION', {
      params: { max: formatMoney(max) },
      fields: { amount: 'AMOUNT_MAX' },
    })
  }
  return amount
}
