import { hash } from 'node:crypto'
import { vi } from 'vitest'
import { openRecording } from './cli/files.ts'
import { openReplay, replayProduct } from './replayedMarket.ts'
import type { ReplayedMarket } from './replayedMarket.ts'
import type { ReplayProduct } from '../../../streams/index.ts'

export type { ReplayedMarket, Time } from './replayedMarket.ts'

/** Fixtures for `test.extend` of Vitest. */
export type MarketFixture = {
  market: (context: object, use: (market: ReplayedMarket) => Promise<void>) => Promise<void>
}

/** How long a test may run, in ms. Vitest's default of 5 s is too little for a busy day on a slow machine. */
const testTimeout = 120_000

/**
 * A `market` of recordings on virtual time, new for each test: `test.extend(market({ BTCUSDT: 'day.csv.gz' }))`.
 * Tests that the file declares after this call may run for two minutes, unless a test has a `timeout` of its own.
 * @param files path of a recording (`.csv` or `.csv.gz`) by the product's id; each is read once
 */
export function market(files: Record<string, string>): MarketFixture {
  vi.setConfig({ testTimeout })
  let products: Promise<ReplayProduct[]> | undefined
  return {
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern which fixtures this one needs
    market: async ({}, runTest) => {
      products ??= Promise.all(Object.entries(files).map(([id, file]) => readProduct(id, file)))
      const opened = openReplay(await products, { sha: (text) => hash('sha256', text) })
      await opened.play(0)
      await runTest(opened)
      opened.close()
    },
  }
}

async function readProduct(id: string, file: string): Promise<ReplayProduct> {
  const { recording } = await openRecording(file)
  return replayProduct(id, recording)
}
