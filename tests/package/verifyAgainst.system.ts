import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { verifyChain, type WireTick } from '../../contract/chain.ts'
import { toRestTick } from '../../contract/products.ts'
import { proofFile } from '../../src/proof/proofFile.ts'
import { sampleOrder } from '../support/sampleOrder.ts'
import { sampleProof, source } from '../support/sampleProof.ts'
import { runUptick } from '../support/uptickCommand.ts'

const folder = mkdtempSync(join(tmpdir(), 'uptick-against-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const put = (name: string, content: string | Buffer): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** A trade as an exchange made it: `micros` since 1970. */
type Trade = { id: number; price: string; size: string; micros: string }

/** The proof of an order on a live source, as a file, and the trades of its ticks. The trade with number `skipped` is none of them. */
function liveProof(fingerprint: string, skipped = 0) {
  const terms = { ...sampleOrder().terms, source: fingerprint }
  const plain = sampleProof({ terms }, [], [{ ...source, fingerprint }])
  const ticks = plain.ticks.map(([seq, at, price, size], i): WireTick => {
    const id = 5000 + i + (skipped > 0 && i >= skipped ? 1 : 0)
    return [seq, at, price, size, String(id), 1_723_160_000_000 + at]
  })
  const chain = verifyChain('A', plain.before!, ticks)
  const live = { ...plain, ticks: ticks.map(toRestTick), after: chain.ok ? chain.head : null }
  const text = JSON.stringify(proofFile({ proof: live, heads: [], agreed: null, savedAt: 1 }))
  const trades = ticks.map(([, , price, size, id, at]): Trade => {
    return { id: Number(id), price: `${price}000`, size: `${size}.00000000`, micros: `${at}123` }
  })
  return { path: put(`${fingerprint.replaceAll(/\W/g, '-')}-${skipped}.json`, text), trades }
}

const coinbaseTrade = ({ id, price, size, micros }: Trade) => {
  const [ms, micro] = [Number(micros.slice(0, -3)), micros.slice(-3)]
  const time = new Date(ms).toISOString().replace('Z', `${micro}Z`)
  return { time, trade_id: id, price, size, side: 'buy' }
}
const krakenTrade = ({ id, price, size, micros }: Trade) =>
  `["${price}","${size}",${micros.slice(0, -6)}.${micros.slice(-6)}9,"b","l","",${id}]`

/** How each exchange writes a page of trades. */
const pages: Record<string, (trades: readonly Trade[]) => string> = {
  'live:coinbase:BTC-USD': (trades) => JSON.stringify(trades.map(coinbaseTrade).toReversed()),
  'live:kraken:BTC/USD': (trades) =>
    `{"error":[],"result":{"XXBTZUSD":[${trades.map(krakenTrade).join(',')}],"last":"1723161"}}`,
}
const around = (trades: readonly Trade[]): Trade[] => {
  const edge = { price: '1.0', size: '1.0', micros: '1723160000000000' }
  return [{ id: 4000, ...edge }, ...trades, { id: 9000, ...edge }]
}
const verify = (proof: string, ...files: string[]) =>
  runUptick('verify', proof, ...files.flatMap((file) => ['--against', file]))

describe.each(Object.keys(pages))('uptick verify --against: %s', (fingerprint) => {
  const page = pages[fingerprint]!
  const name = fingerprint.replaceAll(/\W/g, '-')
  const file = (kind: string, trades: readonly Trade[]) => put(`${name}-${kind}`, page(trades))
  const { path, trades } = liveProof(fingerprint)
  const all = around(trades)

  it('finds each tick in one page, in pages after each other, packed, and in several files', async () => {
    const [first, second] = [all.slice(0, 9), all.slice(8)]
    const done = await Promise.all([
      verify(path, file('whole', all)),
      verify(path, put(`${name}-pages`, `${page(first)}\n${page(second)}`)),
      verify(path, put(`${name}-pages.gz`, gzipSync(page(first) + page(second)))),
      verify(path, file('first', first), file('second', second)),
    ])
    for (const each of done) {
      expect(each).toMatchObject({ code: 0, err: '' })
      expect(each.out).toContain(`exchange: ${trades.length} ticks are those that it published`)
    }
  })

  it('names a tick that the exchange does not have, one that differs, and a trade that is left out', async () => {
    const change = (part: Partial<Trade>) => all.map((trade, i) => (i === 9 ? { ...trade, ...part } : trade))
    const later = String(Number(all[9]!.micros) + 2000)
    const skipping = liveProof(fingerprint, 6)
    const one = { ...skipping.trades[6]!, id: 5006 }
    const refuted = await Promise.all([
      verify(path, file('missing', all.toSpliced(9, 1))),
      verify(path, file('price', change({ price: '1.00' }))),
      verify(path, file('size', change({ size: '2.5' }))),
      verify(path, file('instant', change({ micros: later }))),
      verify(skipping.path, file('left-out', around([...skipping.trades, one]))),
    ])
    const whys = refuted.map(
      ({ out }) => /^refuted: order .*, step "history"\n {2}why: (.*)\n/.exec(out)?.[1],
    )
    expect(whys).toEqual([
      'the exchange has no trade with this id',
      'the price differs',
      'the size differs',
      'the instant differs',
      'a trade of the exchange is left out',
    ])
    expect(refuted.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1])
  })

  it('does not take another file for one of trades', async () => {
    const unusable = await Promise.all([
      verify(path, put(`${name}-html`, '<html>')),
      verify(path, put(`${name}-other`, '[{"id":1}]')),
      verify(path, put(`${name}-cut`, page(all).slice(0, -9))),
      verify(path, file('empty', [])),
      verify(path, file('half', all.slice(0, 9))),
      verify(path, join(folder, 'none')),
    ])
    for (const each of unusable) expect(each).toMatchObject({ code: 2, out: '' })
    expect(unusable[0].err).toContain('it is not JSON')
    expect(unusable[2].err).toContain('its last page is broken off')
    expect(unusable[4].err).toContain('the proof those from')
  })
})

describe('uptick verify --against', () => {
  it('does not compare trades without ids, as old answers of Kraken have them', async () => {
    const { path, trades } = liveProof('live:kraken:BTC/USD')
    const old = pages['live:kraken:BTC/USD']!(around(trades)).replaceAll(/,\d+\]/g, ']')
    const done = await verify(path, put('old-kraken', old))
    expect(done).toMatchObject({ code: 2, out: '' })
    expect(done.err).toContain('has trades without ids, which cannot be compared')
  })

  it('reads trades of Coinbase a line each', async () => {
    const { path, trades } = liveProof('live:coinbase:BTC-USD')
    const lines = around(trades).map((trade) => JSON.stringify(coinbaseTrade(trade)))
    expect(await verify(path, put('lines', `${lines.join('\n')}\n`))).toMatchObject({ code: 0, err: '' })
  })

  it('takes numbers of other fills within an aggregate of futures for no ticks', async () => {
    const aggregates = (trades: readonly Trade[]): string => {
      const rows = trades.map(({ id, price, micros }, i) => {
        return `${i},${price},9.0,${id},${id === 5005 ? 5006 : id},${micros.slice(0, -3)},true`
      })
      return `${rows.join('\n')}\n`
    }
    const futures = liveProof('live:binance-usdm:BTCUSDT', 6)
    const spot = liveProof('live:binance:BTCUSDT', 6)
    const [other, left] = await Promise.all([
      verify(futures.path, put('usdm.csv', aggregates(around(futures.trades)))),
      verify(spot.path, put('spot.csv', aggregates(around(spot.trades)))),
    ])
    expect(other).toMatchObject({ code: 0, err: '' })
    expect(left).toMatchObject({ code: 1 })
    expect(left.out).toContain('a trade of the exchange is left out')
  })

  it('says that OANDA publishes nothing to compare with', async () => {
    const { path } = liveProof('live:oanda:EUR_USD')
    const done = await verify(path, path)
    expect(done).toMatchObject({ code: 2, out: '' })
    expect(done.err).toContain('OANDA publishes no prices with their ids')
  })
})
