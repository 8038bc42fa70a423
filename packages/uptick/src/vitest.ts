import { vi } from 'vitest'
import type { OuterClock, ReplayProduct } from '../../../streams/index.ts'
import {
  openProducts,
  readProducts,
  type MarketFiles,
  type MarketOptions,
  type ReplayedMarket,
} from './test.ts'

export type { ExpectedQuote, FakeVenue, MarketFiles, MarketOptions, ReplayedMarket, Time } from './test.ts'
export { walk } from './walk.ts'

/** Fixtures for `test.extend` of Vitest. */
export type MarketFixture = {
  market: (context: object, use: (market: ReplayedMarket) => Promise<void>) => Promise<void>
}
export type FixtureOptions = MarketOptions & {
  /** Vitest's fake timers, `Date` included, follow the market's time, starting at its first instant. */
  timers?: boolean
}

/** How long a test may run, in ms. Vitest's default of 5 s is too little for a busy day on a slow machine. */
const testTimeout = 120_000

/**
 * A `market` of recordings on virtual time with a fake venue, new for each test: `test.extend(market('btc-2022-01-15'))`.
 * Tests that the file declares after this call may run for two minutes, unless a test has a `timeout` of its own.
 * @param files each is read once
 */
export function market(
  files: MarketFiles,
  { timers = false, ...options }: FixtureOptions = {},
): MarketFixture {
  vi.setConfig({ testTimeout })
  let products: Promise<ReplayProduct[]> | undefined
  return {
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern which fixtures this one needs
    market: async ({}, runTest) => {
      products ??= readProducts(files)
      const read = await products
      if (timers) vi.useFakeTimers({ now: Math.min(...read.map(({ recording }) => recording.at[0] ?? 0)) })
      try {
        const opened = await openProducts(read, timers ? { ...options, timers: fakeTimers() } : options)
        await runTest(opened)
        opened.close()
      } finally {
        if (timers) vi.useRealTimers()
      }
    },
  }
}

function fakeTimers(): OuterClock {
  let start = Date.now()
  const now = (): number => Date.now() - start
  return {
    now,
    advanceTo: (until) => void vi.advanceTimersByTime(Math.max(0, until - now())),
    sleep: (ms) => {
      const date = Date.now() + ms
      start += ms
      vi.setSystemTime(date)
    },
  }
}
