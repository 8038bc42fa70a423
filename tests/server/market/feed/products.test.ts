import { gzipSync } from 'node:zlib'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { languages } from '../../../../contract/constants.ts'
import { categories } from '../../../../contract/products.ts'
import { skippedText } from '../../../../contract/recordingReader.ts'
import { loadProducts } from '../../../../server/market/feed/loadProducts.ts'
import { parseProducts, ProductsError, settlementOf } from '../../../../server/market/feed/products.ts'
import { defaultProductsFile, readProducts } from '../../../../server/market/feed/productsFile.ts'
import { computedSourceOf, csvOf } from '../../../support/marketFixtures.ts'
import manifest from '../../../../streams/recordings/MANIFEST.json' with { type: 'json' }

const row = {
  id: 'AAA',
  code: 'A/A',
  category: 'crypto',
  names: { en: 'Alpha' },
  priceDecimals: 2,
  durations: [{ seconds: 60, rateBp: 8500, min: '1.00', max: '999999.00' }],
  maxTickGapMs: 15_000,
  entryTimeoutMs: 10_000,
  recommended: false,
  feed: { recording: 'a.csv.gz' },
}

/** The violations that a table is rejected with; empty if it is valid. */
function violationsOf(rows: unknown): readonly string[] {
  try {
    parseProducts(rows)
  } catch (error) {
    if (error instanceof ProductsError) return error.violations
    throw error
  }
  return []
}

describe('default product table', () => {
  it('has at least eight products of all categories, each with a name in every language', async () => {
    const rows = await readProducts(defaultProductsFile)
    expect(rows.length).toBeGreaterThanOrEqual(8)
    expect(new Set(rows.map((each) => each.category))).toEqual(new Set(categories))
    expect(rows.filter(({ id }) => id.startsWith('BTC'))).toHaveLength(1)
    expect(rows.filter(({ id }) => id.startsWith('ETH'))).toHaveLength(1)
    for (const each of rows) expect(Object.keys(each.names).sort()).toEqual([...languages].sort())
  })

  it('replays recordings of at least four hours, whose prices do not come again within a day', async () => {
    const { recordings } = manifest
    for (const { id, feed } of await readProducts(defaultProductsFile)) {
      const entry = recordings.find(({ file }) => 'recording' in feed && file === feed.recording)
      expect(entry?.duration_s).toBeGreaterThanOrEqual(4 * 3600)
      expect({ id, feed }).toMatchObject({ id, feed: { periodMs: 86_400_000 } })
    }
  })

  it('pays more for longer durations, between 80 and 88 %', async () => {
    for (const { durations } of await readProducts(defaultProductsFile)) {
      const rates = durations.map((each) => each.rateBp)
      expect(rates).toEqual([...rates].sort((a, b) => a - b))
      expect(Math.min(...rates)).toBeGreaterThanOrEqual(8000)
      expect(Math.max(...rates)).toBeLessThanOrEqual(8800)
    }
  })
})

describe('parseProducts', () => {
  it.each<[string, unknown, string]>([
    ['an object instead of a list', {}, 'products: the file must hold a list of at least one product'],
    ['a bad id', [{ ...row, id: 'a b' }], 'product a b: id is not valid'],
    ['a missing field', [{ ...row, maxTickGapMs: undefined }], 'product AAA: maxTickGapMs is missing'],
    ['an unknown field', [{ ...row, rate: 1 }], 'product AAA: unknown field `rate`'],
    [
      'a misspelt field',
      [{ ...row, durations: [{ ...row.durations[0], secnods: 60 }] }],
      'product AAA: durations.0: unknown field `secnods`; did you mean `seconds`?',
    ],
    [
      'a misspelt field of a feed',
      [{ ...row, feed: { recording: 'a.csv.gz', pausMs: 5 } }],
      'product AAA: feed: unknown field `pausMs`; did you mean `pauseMs`?',
    ],
    [
      'a bad nested field',
      [{ ...row, durations: [{ ...row.durations[0], min: '1' }] }],
      'product AAA: durations.0.min is not valid',
    ],
    ['a duplicate product', [row, row], 'product AAA: is in the table twice'],
    [
      'a long entry timeout',
      [{ ...row, entryTimeoutMs: 60_001 }],
      'product AAA: entryTimeoutMs is longer than the shortest duration',
    ],
    [
      'min above max',
      [{ ...row, durations: [{ ...row.durations[0], min: '2.00', max: '1.00' }] }],
      'product AAA: the amounts of duration 60 must be above zero, min not above max',
    ],
    [
      'an unknown exchange',
      [{ ...row, feed: { exchange: 'bitmex', symbol: 'XBT' } }],
      'product AAA: feed.exchange: must be binance, binance-usdm, coinbase, kraken, oanda or ccxt: and an id',
    ],
    [
      'a duration too short for the delay, the entry and the window of rule R2',
      [{ ...row, rule: 'R2', entryTimeoutMs: 10_000, entryDelayMs: 1000, exitWindowMs: 49_001 }],
      'product AAA: a duration is shorter than entryDelayMs + entryTimeoutMs + exitWindowMs (60001 ms)',
    ],
    [
      'a cut that leaves nothing',
      [{ ...row, rule: 'R2', exitCutBp: 5000 }],
      'product AAA: exitCutBp is not valid',
    ],
    [
      'a path to a recording',
      [{ ...row, feed: { recording: '../a.csv.gz' } }],
      'product AAA: feed.recording is not valid',
    ],
  ])('rejects %s with one line', (_, rows, line) => {
    expect(violationsOf(rows)).toEqual([line])
  })

  it('names the product whose trading hours are invalid, and each violation in its own line', () => {
    const hours = { zone: 'Mars/Base', week: [['Mon 09:00', 'Mon 09:00']] }
    expect(violationsOf([{ ...row, feed: { exchange: 'oanda', symbol: 'EUR_USD', hours } }])).toEqual([
      'product AAA: feed.hours.zone: "Mars/Base" is not an IANA zone',
      'product AAA: feed.hours.week: Mon 09:00 to Mon 09:00 is empty',
    ])
  })

  it('reports every violation in its own line', () => {
    expect(
      violationsOf([
        { ...row, id: 'X', entryTimeoutMs: 99_999_999 },
        { ...row, category: 'stocks' },
      ]),
    ).toHaveLength(2)
  })
})

describe('loadProducts', () => {
  let dir = ''
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'uptick-rec-'))
    const good = csvOf([
      [0, '100.00', '1.25'],
      [500, '101.00', '2'],
    ])
    const bad = `${good}\n1600000000400,99,1,,\nnonsense\n1600000000900,-5,1,,\n1600000000950,NaN,1,,\n1600000000999,102,1,,`
    await writeFile(join(dir, 'a.csv.gz'), gzipSync(good))
    await writeFile(join(dir, 'bad.csv.gz'), gzipSync(bad))
    const rows = Array.from({ length: 400 }, (_, i): [number, string, string] => [i * 500, '61199.50', '1.5'])
    const day = csvOf(rows)
    await writeFile(join(dir, 'cut-row.csv.gz'), gzipSync(day.slice(0, day.lastIndexOf('61199.50') + 2)))
    await writeFile(join(dir, 'cut-file.csv.gz'), gzipSync(day).subarray(0, -20))
    await writeFile(join(dir, 'plain.csv.gz'), day)
    await writeFile(join(dir, 'marked.csv.gz'), gzipSync(`\ufeff${good}`))
    await writeFile(join(dir, 'wide.csv.gz'), gzipSync(Buffer.from(`\ufeff${good}`, 'utf16le')))
    await writeFile(join(dir, 'seconds.csv.gz'), gzipSync(good.replaceAll(/^(\d{10})\d{3},/gm, '$1,')))
    await writeFile(join(dir, 'units.csv.gz'), gzipSync(good.replace(/^(\d{13}),101/m, '$1000,101')))
    await writeFile(join(dir, 'huge.csv.gz'), gzipSync(csvOf([[0, '100.00', '99999999999999999']])))
  })
  afterAll(() => rm(dir, { recursive: true }))
  const load = (changes: object, feed: 'replay' | 'synthetic' = 'replay') =>
    loadProducts(parseProducts([{ ...row, ...changes }]), { feed, recordingsDir: dir, closedPauseMs: 60_000 })

  it('takes the size decimals from the recording and names the source', async () => {
    const [product] = await load({})
    expect(product?.settings).toMatchObject({ sizeDecimals: 2, source: 'recording: a (2020-09-13), looped' })
    expect(product?.settings.names).toMatchObject({ en: 'Alpha', 'zh-CN': 'Alpha' })
  })

  it('counts rows that are not ticks and replays the others', async () => {
    const [product] = await load({ feed: { recording: 'bad.csv.gz' } })
    expect(computedSourceOf(product).skipped).toMatchObject({
      count: 4,
      rows: 7,
      first: { line: 4, row: '"1600000000400,99,1,,"', why: 'it is older than the row before' },
    })
    expect(computedSourceOf(product).open(0).due(-1, 999)).toEqual([
      0, 10000, 125, 500, 10100, 200, 999, 10200, 100,
    ])
  })

  it('takes the beginning of a row at the end of a file for no tick', async () => {
    const [product] = await load({ feed: { recording: 'cut-row.csv.gz' } })
    const source = computedSourceOf(product)
    expect(skippedText(source.skipped!)).toBe(
      '1 of 400 rows, first line 401 "1600000199500,61": broken off: it has fewer columns than the header, and no line end',
    )
    expect(source.open(0).countAt(400 * 500 - 1000)).toBe(399)
  })

  it('reads a recording with a byte order mark', async () => {
    const [product] = await load({ feed: { recording: 'marked.csv.gz' } })
    expect(computedSourceOf(product).skipped).toMatchObject({ count: 0, rows: 2 })
  })

  it('plays the pauses of a replay with a period as recorded, and names the period in its fingerprint', async () => {
    const [product] = await load({ feed: { recording: 'a.csv.gz', periodMs: 86_400_000 } })
    expect(product?.source.fingerprint).toMatch(/^replay:[0-9a-f]{64}:600000:0:86400000$/)
    expect(computedSourceOf(product).open(0).tradingHoursAt(501)).toEqual({
      open: false,
      opensAt: 86_400_000,
      closesAt: null,
    })
  })

  it('uses the code if a product has no name', async () => {
    const [product] = await load({ names: {} })
    expect(product?.settings.names['fr']).toBe('A/A')
  })

  it.each([
    ['missing.csv.gz', 'product AAA: the recording missing.csv.gz is missing'],
    [
      'huge.csv.gz',
      'product AAA: the recording huge.csv.gz: size 99999999999999999 exceeds 2^53 units at 0 decimals',
    ],
    ['cut-file.csv.gz', 'product AAA: the recording cut-file.csv.gz is cut off: unexpected end of file'],
    ['plain.csv.gz', 'product AAA: the recording plain.csv.gz: it is not gzipped'],
    ['wide.csv.gz', 'product AAA: the recording wide.csv.gz: it is UTF-16 text: save it as UTF-8'],
    [
      'seconds.csv.gz',
      'product AAA: the recording seconds.csv.gz: not a recording: line 2: the instant 1600000000 is in seconds, not milliseconds',
    ],
    [
      'units.csv.gz',
      'product AAA: the recording units.csv.gz: not a recording: line 3: the instant 1600000000500000 is in microseconds, not milliseconds',
    ],
  ])('rejects the recording %s', async (recording, line) => {
    await expect(load({ feed: { recording } })).rejects.toThrow(new ProductsError([line]))
  })

  it('starts the synthetic walk of a recorded product at its first price', async () => {
    const [product] = await load({}, 'synthetic')
    expect(product?.settings.source).toBe('synthetic')
    expect(computedSourceOf(product).historyMs).toBe(0)
    expect(computedSourceOf(product).open(0).openingPrice).toBe(10_000)
  })

  it('plays the recording of a row that also names an exchange, unless the feed is live', async () => {
    const feed = { exchange: 'kraken', symbol: 'BTC/USD', recording: 'a.csv.gz' }
    const [product] = await load({ feed })
    expect(product?.source.fingerprint).toMatch(/^replay:/)
    await expect(load({ feed: { exchange: 'kraken', symbol: 'BTC/USD' } })).rejects.toThrow(
      'product AAA: it has an exchange but no recording: start with FEED=live',
    )
  })

  it('listens to the exchange of a row if the feed is live', async () => {
    const live = { urls: {}, oandaToken: null, oandaAccount: null, mode: 'practice' } as const
    const settings = { feed: 'live', recordingsDir: dir, closedPauseMs: 60_000, live } as const
    const feed = { exchange: 'kraken', symbol: 'BTC/USD', recording: 'a.csv.gz' }
    const [product] = await loadProducts(parseProducts([{ ...row, feed }]), settings)
    expect(product?.source).toMatchObject({ kind: 'live', fingerprint: 'live:kraken:BTC/USD' })
    expect(product?.settings).toMatchObject({ sizeDecimals: 8, source: 'live: kraken BTC/USD, every trade' })
  })

  it.each([
    [{ recording: 'a.csv.gz' }, 'FEED=live needs an exchange in every row'],
    [{ exchange: 'oanda', symbol: 'EUR_USD' }, 'a feed of oanda needs OANDA_TOKEN and OANDA_ACCOUNT'],
  ])('stops a live start with %j', async (feed, line) => {
    const live = { urls: {}, oandaToken: null, oandaAccount: null, mode: 'practice' } as const
    const settings = { feed: 'live', recordingsDir: dir, closedPauseMs: 60_000, live } as const
    await expect(loadProducts(parseProducts([{ ...row, feed }]), settings)).rejects.toThrow(
      `product AAA: ${line}`,
    )
  })

  it('reads a product file and names the file if it is broken or missing', async () => {
    await writeFile(join(dir, 'products.json'), `\ufeff${JSON.stringify([row])}`)
    await writeFile(join(dir, 'broken.json'), '[')
    expect((await readProducts(join(dir, 'products.json')))[0]?.id).toBe('AAA')
    await expect(readProducts(join(dir, 'broken.json'))).rejects.toThrow(/^\/.*broken\.json is not JSON$/)
    await expect(readProducts(join(dir, 'none.json'))).rejects.toThrow(/^\/.*none\.json cannot be read$/)
  })

  it('needs no recording for a synthetic product', async () => {
    const synthetic = { seed: 1, ticksPerSecond: 2, start: '0.5', volatility: 0.1 }
    const [product] = await load({ feed: { synthetic }, sizeDecimals: 3 })
    expect(computedSourceOf(product).open(0).openingPrice).toBe(50)
    expect(product?.settings.sizeDecimals).toBe(3)
  })
})

it('settlementOf gives live sources rule R2 with its defaults, and computed ones R1 unless the row says R2', () => {
  const [plain] = parseProducts([row])
  const [averaged] = parseProducts([{ ...row, rule: 'R2', exitWindowMs: 4000 }])
  const defaults = { rule: 'R2', entryDelayMs: 500, exitWindowMs: 10_000, exitCutBp: 2000, exitMinTicks: 5 }
  expect(settlementOf(plain!, { kind: 'live' })).toEqual(defaults)
  expect(settlementOf(plain!, { kind: 'computed' })).toEqual({ rule: 'R1' })
  expect(settlementOf(averaged!, { kind: 'computed' })).toEqual({ ...defaults, exitWindowMs: 4000 })
})
