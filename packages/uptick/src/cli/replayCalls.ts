import { timeframeNames } from '../../../../contract/candles.ts'
import {
  amountDecimals,
  amountMax,
  appVersion,
  defaultLanguage,
  languages,
  levels,
  replayBuild,
} from '../../../../contract/constants.ts'
import { formatMoney } from '../../../../contract/money.ts'
import type { VenueConfig } from '../../../../contract/venueConfig.ts'
import type { ReplayMarket } from '../../../../streams/replay/replayMarket.ts'
import type { ReplayedProduct } from '../../../../streams/replay/replayedProduct.ts'

export type Answer = { status: number; body: unknown }

const ok = (body: unknown): Answer => ({ status: 200, body })
export const failed = (status: number, code: string): Answer => ({
  status,
  body: { error: { code, requestId: 'replay' } },
})

/** The venue's calls about products, from a replay; every call that needs a member is 401. */
export function answerCall(market: ReplayMarket, method: string, url: URL): Answer {
  const path = url.pathname.replace(/^\/api/, '')
  if (method !== 'GET') return failed(401, 'UNAUTHENTICATED')
  if (path === '/time') return ok({ now: market.clock.now() })
  if (path === '/config') return ok(replayConfig)
  if (path === '/products') return ok({ items: market.ids.map((id) => market.find(id).product()) })
  const [, encoded = '', part] = /^\/products\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? []
  const id = decoded(encoded)
  if (id !== undefined && market.ids.includes(id))
    return ofProduct(market, market.find(id), part, url.searchParams)
  return isOfMember(path) ? failed(401, 'UNAUTHENTICATED') : failed(404, 'NOT_FOUND')
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function ofProduct(
  market: ReplayMarket,
  product: ReplayedProduct,
  part: string | undefined,
  query: URLSearchParams,
): Answer {
  if (part === undefined) return ok(product.detail())
  if (part === 'ticks') return ok(ticksAnswer(product, query))
  if (part === 'gaps') {
    const past = product.gaps.filter((gap) => gap.from < market.clock.now())
    const items = past.map((gap) => ({
      from: gap.from,
      to: gap.to <= market.clock.now() ? gap.to : null,
      refundedOrders: 0,
      stood: { ahead: 0, behind: 0, level: 0, pnl: '0.00' },
    }))
    return ok({ items: items.sort((a, b) => b.from - a.from), nextCursor: null })
  }
  const tf = timeframeNames.find((name) => name === query.get('tf'))
  if (part !== 'candles' || !tf) return failed(404, 'NOT_FOUND')
  const to = numberOf(query, 'to') ?? market.clock.now() + 1
  return ok({ candles: product.candles(tf, to, numberOf(query, 'limit') ?? 300) })
}

function ticksAnswer(product: ReplayedProduct, query: URLSearchParams) {
  const from = numberOf(query, 'from')
  const { ticks, complete, before } = product.ticks(
    from === undefined ? { afterSeq: numberOf(query, 'afterSeq') ?? 0 } : { from },
  )
  const to = numberOf(query, 'to') ?? Infinity
  const limit = numberOf(query, 'limit') ?? ticks.length
  const wanted = ticks.filter((tick) => tick[1] <= to)
  return { ticks: wanted.slice(0, limit), complete: complete && wanted.length <= limit, before }
}

function numberOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  return text !== null && /^-?\d+$/.test(text) ? Number(text) : undefined
}

/**
 * Whether a path of the contract needs a session. The contract itself says so too, with every schema of it, which are more
 * than the rest of the package.
 */
const isOfMember = (path: string): boolean => membersNouns.has(path.split('/')[1] ?? '')

const membersNouns = new Set([
  'auth',
  'me',
  'practice',
  'price-alerts',
  'push',
  'orders',
  'orders.csv',
  'deposit-methods',
  'deposits',
  'withdrawal-account',
  'withdrawals',
  'uploads',
  'verification',
  'fund',
  'messages',
  'service',
])

const replayConfig: VenueConfig = {
  name: 'Uptick replay',
  version: appVersion,
  build: replayBuild,
  mode: 'practice',
  feed: 'replay',
  currency: 'USDT',
  zone: 'UTC',
  businessOffsetMs: 0,
  languages: [...languages],
  defaultLanguage,
  imageBaseHost: '',
  amount: { max: formatMoney(amountMax), decimals: amountDecimals },
  levels: [...levels],
  serviceUrl: null,
  passwordSelfService: false,
  siteStatus: 'up',
  logKey: null,
  logWitnesses: [],
  withdrawalRestHours: 0,
}
