import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { verifyChain, type WireTick } from '../../contract/chain.ts'
import { toRestTick } from '../../contract/products.ts'
import { proofFile } from '../../src/proof/proofFile.ts'
import { sampleOrder } from '../support/sampleOrder.ts'
import { sampleProof, source } from '../support/sampleProof.ts'
import { killUpticks, openUptick, runUptick } from '../support/uptickCommand.ts'

const folder = mkdtempSync(join(tmpdir(), 'uptick-foreign-'))
const at = (name: string): string => join(folder, name)
const put = (name: string, content: string | Buffer): string => {
  writeFileSync(at(name), content)
  return at(name)
}
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(killUpticks)

const header = 'ts_ms,price,size,bid,ask'
const start = 1_700_000_000_000
const rows = Array.from({ length: 400 }, (_, i) => `${start + i * 500},61${100 + (i % 100)}.5,0.409,,`)
const csv = [header, ...rows, ''].join('\n')
const info = async (path: string) => JSON.parse((await runUptick('info', path, '--json')).out) as object
/** What a command says of a file that it cannot use, without its hint. */
const refusal = async (...args: string[]): Promise<string> => {
  const { code, out, err } = await runUptick(...args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  return err.split('\n')[0]!
}
/** What a venue says at such an address, once the command serves. */
const served = async (...args: string[]) => {
  const run = openUptick(['replay', ...args, '--port', '0', '--pause'])
  await expect.poll(() => run.output.out).toContain(' at http')
  run.interrupt()
  return run.ended
}

it('a file of others with a size that no recording can have is refused in a line', async () => {
  const header = 'id,price,qty,quote_qty,time,is_buyer_maker'
  const sizes = ['0.12345678', '9'.repeat(20)]
  const trades = sizes.map((size, i) => `${i + 1},42000.10,${size},1.0,${start + i},True`)
  const path = put('large.csv', [header, ...trades, ''].join('\n'))
  expect(await refusal('info', path)).toBe(
    `uptick info: ${path}: size ${sizes[1]} exceeds 2^53 units at 8 decimals`,
  )
})

describe('a recording', () => {
  it('that broke off inside its last row has no tick of it', async () => {
    const path = put('CUT.csv', csv.slice(0, csv.lastIndexOf(',61') + 3))
    const why = 'broken off: it has fewer columns than the header, and no line end'
    const first = `line 401, "${start + 199_500},61": ${why}`
    expect(await runUptick('check', path)).toEqual({
      code: 1,
      out: `wrong: 1 of 400 rows are not ticks; the first is ${first}\n  1 × ${why}\n`,
      err: '',
    })
    expect(await info(path)).toMatchObject({
      ticks: 399,
      low: '61100.5',
      skipped: 1,
      firstSkipped: { line: 401 },
    })
    expect((await runUptick('info', path)).out).toMatch(
      /^skipped +1 of 400 rows, first line 401 .*broken off/m,
    )
    expect((await served(path)).err).toBe(
      `${path}: skipped 1 of 400 rows, first line 401 "${start + 199_500},61": ${why}\n`,
    )
  })

  it('with bad rows is named with the first one and the number of each kind', async () => {
    const bad = rows.map((row, i) =>
      i % 100 === 50 ? `${row},` : i % 100 === 60 ? row.replace(',61', ',-61') : row,
    )
    const done = await runUptick('check', put('bad.csv', [header, ...bad].join('\n')))
    const columns = 'it has another number of columns than the header'
    expect(done).toMatchObject({ code: 1, err: '' })
    expect(done.out).toBe(
      `wrong: 8 of 400 rows are not ticks; the first is line 52, "${bad[50]}": ${columns}\n` +
        `  4 × ${columns}\n  4 × its price is no number above zero, or more than 2^53 units\n`,
    )
  })

  it('may begin with a byte order mark, and be packed in each way', async () => {
    const expected = { ticks: 400, skipped: 0 }
    expect(await info(put('marked.csv', `\ufeff${csv}`))).toMatchObject(expected)
    expect(await info(put('marked.csv.gz', gzipSync(`\ufeff${csv.replaceAll('\n', '\r\n')}`)))).toMatchObject(
      expected,
    )
    const members = Buffer.concat([
      gzipSync(csv.slice(0, 5001)),
      gzipSync(csv.slice(5001)),
      Buffer.alloc(512),
    ])
    expect(await info(put('members.csv.gz', members))).toMatchObject(expected)
  })

  it.each([
    ['utf16.csv', Buffer.from(`\ufeff${csv}`, 'utf16le'), /utf16\.csv: it is UTF-16 text: save it as UTF-8$/],
    ['semicolons.csv', csv.replaceAll(',', ';'), /its columns are separated by semicolons$/],
    ['quoted.csv', csv.replaceAll(/[^,\n]+/g, '"$&"'), /its fields are in quotation marks$/],
    ['bare.csv', rows.join('\n'), /: it has no header; "uptick convert" reads other files$/],
    ['empty.csv', '', /: it is empty$/],
    [
      'seconds.csv',
      csv.replaceAll(/^(\d{10})\d{3},/gm, '$1,'),
      /: line 2: the instant 1700000000 is in seconds, not milliseconds$/,
    ],
    [
      'nanoseconds.csv',
      csv.replaceAll(/^(\d{13}),/gm, '$1000000,'),
      /: line 2: the instant 1700000000000000000 is in nanoseconds,/,
    ],
    [
      'units.csv',
      csv.replace(/^(1700000100000),/m, '$1000,'),
      /: line 202: the instant 1700000100000000 is in microseconds,/,
    ],
    ['cut.csv.gz', gzipSync(csv).subarray(0, -20), /is cut off: unexpected end of file$/],
  ])('%s is refused with what it is', async (name, content, why) => {
    const path = put(name, content)
    for (const command of ['info', 'check', 'replay']) expect(await refusal(command, path)).toMatch(why)
  })

  it('is no folder and no pipe', async () => {
    expect(await refusal('info', folder)).toContain('it is a folder')
    for (const command of ['info', 'replay'])
      expect(await refusal(command, '/dev/null')).toContain(
        '/dev/null is a pipe, and a recording is read twice',
      )
  })
})

describe('messages of an exchange', () => {
  const message = (n: number, instant: string): string =>
    JSON.stringify({
      at: start + n,
      raw: `{"stream":"btcusdt@trade","data":{"e":"trade","E":1,"s":"BTCUSDT","t":${n},"p":"61000.50","q":"0.010","T":${instant}}}`,
    })
  const frames = (instants: readonly string[]): string =>
    `${instants.map((instant, n) => message(n + 1, instant)).join('\n')}\n`
  const convert = (path: string, name: string) => runUptick('convert', path, '-o', at(name))

  it('are read in milliseconds and microseconds', async () => {
    const expected = `${header}\n1700000000001,61000.5,0.01,,\n1700000000002,61000.5,0.01,,\n`
    const millis = put('ms.ndjson', `\ufeff${frames(['1700000000001', '1700000000002'])}`)
    const micros = put('us.ndjson', frames(['1700000000001999', '1700000000002000']))
    for (const path of [millis, micros]) {
      expect(await convert(path, `${path.at(-9)}.csv`)).toMatchObject({ code: 0, err: '' })
      expect(readFileSync(at(`${path.at(-9)}.csv`), 'utf8')).toBe(expected)
    }
    expect(await convert(millis, 'ms.csv.gz')).toMatchObject({ code: 0 })
    expect(gunzipSync(readFileSync(at('ms.csv.gz'))).toString()).toBe(expected)
  })

  it.each([
    [['1700000000'], 'line 1: the instant 1700000000 is in seconds, not milliseconds'],
    [['1700000000001', '5'], 'line 2: the instant 5 is not between 1990 and 2100 in milliseconds'],
    [
      ['1700000000001', '1700000000002000'],
      'line 2: the instant 1700000000002000 is in microseconds, those before in milliseconds',
    ],
  ])('with the instants %j are refused, and nothing is written', async (instants, why) => {
    const path = put('wrong.ndjson', frames(instants))
    expect(await refusal('convert', path, '-o', at('wrong.csv'))).toBe(`uptick convert: ${path}: ${why}`)
    expect(existsSync(at('wrong.csv')) || existsSync(at('wrong.csv.part'))).toBe(false)
  })

  it('that broke off are read up to there, and a damaged line is named', async () => {
    const text = frames(['1700000000001', '1700000000002'])
    const cut = await convert(put('cut.ndjson', text.slice(0, -9)), 'cut.csv')
    expect(cut).toMatchObject({ code: 0 })
    expect(cut.err).toMatch(/^left out 1 of 2 rows\n {2}1 × it is broken off; line 2, /)
    expect(cut.out).toContain('1 ticks of BTCUSDT')
    const damaged = put('damaged.ndjson', `${text.slice(0, -9)}\n${message(3, '1700000000003')}\n`)
    expect(await refusal('convert', damaged, '-o', at('damaged.csv'))).toContain('line 2 is no frame')
  })
})

describe('the exchange’s own files', () => {
  const fingerprint = 'live:binance:BTCUSDT'
  const plain = sampleProof(
    { terms: { ...sampleOrder().terms, source: fingerprint } },
    [],
    [{ ...source, fingerprint }],
  )
  const ticks = plain.ticks.map(([seq, instant, price, size], i): WireTick => {
    return [seq, instant, price, size, String(5000 + i), start + instant]
  })
  const chain = verifyChain('A', plain.before!, ticks)
  const live = { ...plain, ticks: ticks.map(toRestTick), after: chain.ok ? chain.head : null }
  const text = JSON.stringify(proofFile({ proof: live, heads: [], agreed: null, savedAt: 1 }))
  const proof = put('proof.json', `\ufeff${text}`)
  const trades = ticks.map(
    ([, , price, size, id, instant]) => `${id},${price},${size},1.0,${instant},True,True`,
  )
  const around = [
    '4000,1.0,1.0,1.0,1700000000000,True,True',
    ...trades,
    '9000,1.0,1.0,1.0,1700000000000,True,True',
  ]
  const history = `${around.join('\n')}\n`
  const against = (name: string, content: string) => ['verify', proof, '--against', put(name, content)]

  it('may begin with a byte order mark, and so may the proof', async () => {
    expect(await runUptick(...against('marked-trades.csv', `\ufeff${history}`))).toMatchObject({
      code: 0,
      err: '',
    })
  })

  it('are not compared if they broke off or are in seconds', async () => {
    const cut = history.slice(0, history.lastIndexOf(',1700000') + 11)
    expect(await refusal(...against('cut-trades.csv', cut))).toMatch(
      new RegExp(`is no file of trades: line ${around.length}, broken off: 9000,`),
    )
    const seconds = history.replaceAll(/,(\d{10})\d{3},/g, ',$1,')
    expect(await refusal(...against('seconds-trades.csv', seconds))).toContain(
      'trade 4000: the instant 1700000000 is in seconds, not milliseconds',
    )
  })
})

describe('uptick record', () => {
  const exchangeHeader = `${header},source_id,recv_ms`
  const row = `${start},61000.5,0.01,,,7,${start}`
  mkdirSync(at('recorded'))
  const path = at('recorded/BTCUSDT.csv')
  const record = (...args: string[]) =>
    runUptick(
      'record',
      'binance:BTCUSDT',
      '-o',
      at('recorded'),
      '--url',
      'ws://127.0.0.1:1',
      '--for',
      '1ms',
      ...args,
    )

  it.each([
    ['CRLF', `${exchangeHeader}\r\n${row}\r\n`, 'has line ends of Windows (CRLF) where "record" writes LF'],
    ['a byte order mark', `\ufeff${exchangeHeader}\n${row}\n`, 'begins with a byte order mark'],
    ['other columns', `${header}\n${row}\n`, 'has other columns than "record" writes here'],
    [
      'a foreign last row',
      `${exchangeHeader}\n${row}\nend of day\n`,
      'has a row that "record" did not write: "end of day"',
    ],
  ])('does not go on with a file with %s, and says so', async (_, content, why) => {
    writeFileSync(path, content)
    const done = await record()
    expect(done).toMatchObject({ code: 2, out: '' })
    expect(done.err).toContain(why)
    expect(readFileSync(path, 'utf8')).toBe(content)
  })

  it('cuts off the beginning of a row, of a message and of a header', async () => {
    const whole = `${exchangeHeader}\n${row}\n`
    const raw = `${JSON.stringify({ at: start, raw: 'x'.repeat(200_000) })}\n`
    for (const [begin, left] of [
      [`${whole}${row.slice(0, -5)}`, whole],
      [`${whole}${'\0'.repeat(4096)}`, whole],
      [exchangeHeader.slice(0, 9), `${exchangeHeader}\n`],
      ['', `${exchangeHeader}\n`],
    ] as const) {
      writeFileSync(path, begin)
      writeFileSync(at('recorded/binance.ndjson'), raw + raw.slice(0, -3))
      expect(await record('--raw')).toMatchObject({ code: 0 })
      expect(readFileSync(path, 'utf8')).toBe(left)
      expect(readFileSync(at('recorded/binance.ndjson'), 'utf8')).toBe(raw)
    }
  })
})
