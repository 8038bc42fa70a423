/** A recorded market for tests with any runner: node:test, Jest, Mocha. `uptick/vitest` has it as a fixture. */
import { hash } from 'node:crypto'
import type { Recording } from '../../../contract/recording.ts'
import type { Align, OuterClock, ReplayProduct } from '../../../streams/index.ts'
import { openRecording } from './cli/files.ts'
import { productIdOf, recordingPath } from './cli/recordingNames.ts'
import { openReplay, replayProduct, type ReplayedMarket } from './replayedMarket.ts'

export type { ExpectedQuote, ReplayedMarket, Time } from './replayedMarket.ts'
export type { FakeAnswer, FakeRequest, Handle, Header } from './fakeClients.ts'
export type { FakeVenue } from './fakeVenue.ts'
export { walk } from './walk.ts'
export type { WalkOptions } from './walk.ts'

/**
 * One recording, several, or each with its product's id. A recording is a path (`.csv`, `.csv.gz`, `.zip`), a name, or
 * what `parseRecording` and `walk` return. A name is a file of the folder `UPTICK_RECORDINGS`, or the package's sample
 * `btc-2022-01-15`. Its product is named as the file up to the first `_` or the date: BTC.
 */
export type MarketFiles = string | readonly string[] | Record<string, string | Recording>
export type MarketOptions = {
  /** `start`, the default, begins each recording with its own first tick; `time` follows the clock. */
  align?: Align
}

/**
 * A market of recordings on virtual time, with a fake venue; `close` it after the test.
 * @throws Error that says what is wrong with a file or a name
 */
export async function openMarket(
  files: MarketFiles,
  options: MarketOptions & { timers?: OuterClock } = {},
): Promise<ReplayedMarket> {
  return openProducts(await readProducts(files), options)
}

/** The recording of a path or a name, for `replayTicks`. @throws Error that says what is wrong with it */
export async function readRecording(file: string): Promise<Recording> {
  return (await openRecording(recordingPath(file))).recording
}

/** @internal Reads recordings, to open several markets on them. */
export async function readProducts(files: MarketFiles): Promise<ReplayProduct[]> {
  const named = typeof files === 'string' ? [files] : files
  const entries = Array.isArray(named)
    ? named.map((name: string): [string, string] => [productIdOf(name), name])
    : Object.entries(named)
  return Promise.all(
    entries.map(async ([id, file]) =>
      replayProduct(id, typeof file === 'string' ? await readRecording(file) : file),
    ),
  )
}

/** @internal */
export async function openProducts(
  products: readonly ReplayProduct[],
  options: MarketOptions & { timers?: OuterClock },
): Promise<ReplayedMarket> {
  const market = openReplay(products, { ...options, sha: (text) => hash('sha256', text) })
  await market.play(0)
  return market
}
