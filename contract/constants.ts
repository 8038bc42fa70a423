import { minor } from './units.ts'
import { dayMs } from './time.ts'

export const appVersion = '1.0.0'
/** The `build` of what replays recordings in place of a venue. */
export const replayBuild = 'replay'

/** The specification's largest amount, 999999.00, and its two decimals. */
export const amountMax = minor(99_999_900)
export const amountDecimals = 2
/** The highest rate of a product: ten times the stake. */
export const rateBpMax = 100_000

/** From the specification's table of constants. */
export const networkTimeoutMs = 60_000
export const pageDelayMs = 200
export const pageTimeoutMs = 60_000
export const resourceTimeoutMs = 120_000

/** How often the venue bundles ticks into one frame: too short to notice, long enough to spare a phone's radio. */
export const frameIntervalMs = 50
export const ticksPerFrameMax = 4096
/** How often a product in mode `latest` gets its newest tick: a list is read, not followed tick by tick. */
export const latestIntervalMs = 250
/** Longest id that an exchange gives a trade or a price, in UTF-16 units. */
export const sourceIdMax = 64
/** The leaf of the public log for an order is at most this much later than its close: every order is settled by then. */
export const leafMaxDelayMs = 300_000
/** The longest inclusion proof of a log: one of more than 2^53 leaves has none longer. */
export const logPathMax = 64
/** Tickers, heartbeats and watermarks are sent once a second. */
export const heartbeatMs = 1000
/** Without a `feed` event for this long, a client marks its prices stale. */
export const heartbeatTimeoutMs = 3000

/** A connection that takes this long is more than slow, if the venue answers calls: the network blocks WebSocket. */
export const blockedAfterMs = 20_000
/** A feed is live up to 2 s behind its clock, stale up to 30 s, down beyond. */
export const feedLiveMs = 2000
export const feedStaleMs = 30_000

/** The longest validity of an order request, so that a late one never fills at an outdated price. */
export const validUntilAheadMaxMs = 30_000
/** An order is decided at the latest this long after its close, with or without a watermark. */
export const settlementDeadlineMs = 300_000

export const proofTicksMax = 20_000
export const ticksPageMax = 5000
export const candlesPageMax = 1000
/** Bars that a chart requests first. */
export const firstBars = 300
export const listLimitDefault = 20
export const listLimitMax = 100

export const languages = ['zh-CN', 'zh-TW', 'en', 'ja', 'th', 'vi', 'id', 'ko', 'fr', 'de'] as const
export type Language = (typeof languages)[number]
export const defaultLanguage: Language = 'zh-CN'
/** The cookie with the language that the member chose: the venue sends the page in it. */
export const languageCookie = 'language'

export const levels = [
  { level: 1, key: 'general' },
  { level: 2, key: 'intermediate' },
  { level: 3, key: 'advanced' },
  { level: 4, key: 'gold' },
  { level: 5, key: 'diamond' },
] as const

/** The settlement rules: R1 for computed prices, R2 for live ones. */
export const rules = ['R1', 'R2'] as const

/** The longest time a CSV file covers, and the default if none is requested: a year, leap day included. */
export const csvSpanMaxMs = 366 * dayMs

/**
 * How long withdrawals of real money are paused after a security change, hours, unless the operator sets another time.
 */
export const restHoursDefault = 24
