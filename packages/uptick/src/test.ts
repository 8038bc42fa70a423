/** A recorded market for tests with any runner: node:test, Jest, Mocha. `uptick/vitest` has it as a fixture. */
import { hash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Recording } from '../../../contract/recording.ts'
import type { Align, OuterClock, ReplayProduct } from '../../../streams/index.ts'
import { openRecording } from './cli/files.ts'
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
 * @throws RangeError if a name is no recording
 */
export async function openMarket(
  files: MarketFiles,
  options: MarketOptions & { timers?: OuterClock } = {},
): Promise<ReplayedMarket> {
  return openProducts(await readProducts(files), options)
}

/** @internal Reads recordings, to open several markets on them. */
export async function readProducts(files: MarketFiles): Promise<ReplayProduct[]> {
  const named = typeof files === 'string' ? [files] : files
  const entries = Array.isArray(named)
    ? named.map((name: string): [string, string] => [idOf(name), name])
    : Object.entries(named)
  return Promise.all(
    entries.map(async ([id, file]) =>
      replayProduct(id, typeof file === 'string' ? (await openRecording(pathOf(file))).recording : file),
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

/** By the package's own name: the build puts this code into another folder. */
const samples = join(dirname(createRequire(import.meta.url).resolve('uptick/package.json')), 'samples')
const endings = /\.(csv|csv\.gz|zip)$/

function pathOf(name: string): string {
  if (endings.test(name) || existsSync(name)) return name
  const folders = [process.env['UPTICK_RECORDINGS'] ?? [], samples].flat()
  const files = folders.flatMap((folder) =>
    readdirSync(folder).map((file) => ({ file, path: join(folder, file) })),
  )
  const found = files.find(({ file }) => file.replace(endings, '') === name)
  if (found) return found.path
  const names = files.flatMap(({ file }) => (endings.test(file) ? file.replace(endings, '') : []))
  throw new RangeError(`no recording ${name}: there are ${names.join(', ')}`)
}

const idOf = (name: string): string =>
  (/([^/\\]+?)(?:_|-\d{4}|\.|$)[^/\\]*$/.exec(name)?.[1] ?? name).toUpperCase()
