import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { openForeign } from '../../packages/uptick/src/cli/foreignFile.ts'
import { tradesOf } from '../../packages/uptick/src/cli/formats/json.ts'
import { formats, nearestFormat } from '../../packages/uptick/src/cli/formats/table.ts'
import { runUptick } from '../support/uptickCommand.ts'
import { formatSamples } from './formatSamples.ts'

const folder = mkdtempSync(join(tmpdir(), 'uptick-formats-'))
const at = (name: string): string => join(folder, name)
const put = (name: string, content: string | Buffer): string => {
  writeFileSync(at(name), content)
  return at(name)
}
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const header = 'ts_ms,price,size,bid,ask'
const recordingOf = (rows: readonly string[]): string => `${[header, ...rows].join('\n')}\n`
let files = 0
/** Converts a text; `made` is the recording. */
const convert = async (content: string | Buffer, ...args: string[]) => {
  const name = `in-${++files}`
  const made = at(`${name}.out.csv`)
  const done = await runUptick('convert', put(name, content), '-o', made, ...args)
  return { ...done, made: existsSync(made) ? readFileSync(made, 'utf8') : undefined }
}

/** A zip of these files, with the list at its end by which they are found. */
const zipOf = (...contents: readonly (readonly [name: string, content: string])[]): Buffer => {
  const parts: Buffer[] = []
  const entries: Buffer[] = []
  for (const [name, content] of contents) {
    const packed = deflateRawSync(content)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(8, 8)
    head.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(Buffer.concat(parts).length, 42)
    entries.push(entry, Buffer.from(name))
    parts.push(head, Buffer.from(name), packed)
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(contents.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(Buffer.concat(parts).length, 16)
  return Buffer.concat([...parts, directory, end])
}

describe('a file of another source', () => {
  it.each(formatSamples.map((sample) => [sample.format, sample] as const))(
    'of the format %s becomes a recording, and info reads it as it is',
    async (format, { text, rows, symbol }) => {
      const of = symbol === undefined ? '' : ` of ${symbol}`
      const { out, err, made } = await convert(text)
      expect({ err, made }).toEqual({ err: '', made: recordingOf(rows) })
      expect(out).toMatch(new RegExp(`: ${rows.length} ticks${of}, from `))
      expect(out.trim().endsWith(`from ${format}`)).toBe(true)
      expect(await runUptick('check', put('made.csv', made!))).toMatchObject({ code: 0 })
      const [own, foreign] = await Promise.all(
        [put('made.csv', made!), put('foreign', text)].map(
          async (path) =>
            JSON.parse((await runUptick('info', path, '--json')).out) as Record<string, unknown>,
        ),
      )
      expect(foreign).toMatchObject({ ...own, sha256: foreign!['sha256'] })
      if (format !== 'Uptick recording') expect(foreign).toMatchObject({ format, leftOut: [] })
    },
  )

  it('has a sample of each format, a row of docs/replay.md, and one format at the most that it is', () => {
    const sampled = new Set(formatSamples.map(({ format }) => format))
    expect(formats.map(({ name }) => name).filter((name) => !sampled.has(name))).toEqual(['Dukascopy bi5'])
    const page = readFileSync('docs/replay.md', 'utf8')
    expect(formats.map(({ name }) => name).filter((name) => !page.includes(`\`${name}\``))).toEqual([])
    for (const { text, format } of formatSamples) {
      const fitting = formats.filter((each) => each.likeness(text) === 1).map(({ name }) => name)
      expect(fitting).toEqual([format])
      expect(nearestFormat(text).format.name).toBe(format)
    }
  })

  it('may be packed, and come over standard input', async () => {
    const { text, rows } = formatSamples.find(({ format }) => format === 'HistData ASCII ticks')!
    const expected = recordingOf(rows)
    const zipped = zipOf(['DAT_ASCII_EURUSD.txt', 'a report'], ['DAT_ASCII_EURUSD.csv', text])
    for (const packed of [gzipSync(text), zipOf(['a.csv', text]), zipped])
      expect((await convert(packed)).made).toBe(expected)
    const several = await convert(zipOf(['a.csv', text], ['b.csv', text]))
    expect(several.err).toContain('it has 2 files: unpack it')
    for (const packed of [Buffer.from(`\ufeff${text}`), gzipSync(text), zipOf(['a.csv', text])]) {
      const pieces = Array.from(packed, (_, i) => packed.subarray(i, i + 1))
      const options = { protocol: 'binance', symbol: undefined, generic: undefined }
      const opened = await openForeign('-', options, Readable.from(pieces))
      let made = ''
      for await (const piece of opened.pieces) made += piece
      expect(made).toBe(expected)
    }
  })

  it('is read with the columns that the user names', async () => {
    const columns = ['--columns', 'time=when,price=last,size=amount']
    const rows = ['1704067200000,10.5,2,,', '1704067201500,10.6,3,,']
    const expected = recordingOf(rows)
    const csv = 'amount;when;last\n2;1704067200;10.50\n3;1704067201.5;10.60\n'
    expect(await convert(csv, ...columns, '--unit', 's')).toMatchObject({ err: '', made: expected })
    const quoted =
      '"when","last","amount"\n"2024-01-01 02:00:00","10.5","2"\n"2024-01-01 02:00:01.500","10.6","3"\n'
    expect(await convert(quoted, ...columns, '--zone', '+02:00')).toMatchObject({ err: '', made: expected })
    const bare = '1704067200000000\t10.5\t2\n1704067201500000\t10.6\t3\n'
    expect(await convert(bare, '--columns', 'time=1,price=2,size=3', '--unit', 'us')).toMatchObject({
      made: expected,
    })
    const json =
      '{"t":{"when":1704067200000000000},"p":10.5,"q":2}\n{"t":{"when":"1704067201500000000"},"p":"10.6","q":3}\n'
    // As a number it has more digits than a number of JSON keeps, which are less than a millisecond.
    expect(await convert(json, '--columns', 'time=t.when,price=p,size=q', '--unit', 'ns')).toMatchObject({
      made: expected,
    })
  })

  it('with dates of a zone follows its summer time', async () => {
    const days = ['2024-03-10 01:59:59', '2024-03-10 03:00:00', '2024-11-04 12:00:00']
    const csv = `when,last\n${days.map((day) => `${day},1.5`).join('\n')}\n`
    const { made } = await convert(csv, '--columns', 'time=when,price=last', '--zone', 'America/New_York')
    expect(made).toBe(
      recordingOf(
        ['2024-03-10T06:59:59Z', '2024-03-10T07:00:00Z', '2024-11-04T17:00:00Z'].map(
          (instant) => `${Date.parse(instant)},1.5,,,`,
        ),
      ),
    )
  })

  it('is left out where a row is no tick, with the first one of each reason', async () => {
    const rows = [
      '1,10.0,1,10,1704067200000,True,True',
      '2,10.0,1,10,1704067200000,True',
      '3,0,1,0,1704067200000,True,True',
      '4,-1,1,0,1704067200000,True,True',
      '4,10.0,1,10,1704067199999,True,True',
      '1,10.0,1,10,1704067200000,True,True',
      '5,10.0,1,10,soon,True,True',
      '6,10.1,1,10,1704067200001,True,True',
      '7,10.1,1,',
    ]
    const { code, out, err, made } = await convert(rows.join('\n'))
    expect({ code, made }).toEqual({
      code: 0,
      made: recordingOf(['1704067200000,10,1,,', '1704067200000,10,1,,', '1704067200001,10.1,1,,']),
    })
    expect(out).toContain(': 3 ticks, from Binance trades\n')
    expect(err.split('\n').slice(0, -1)).toEqual([
      'left out 6 of 9 rows',
      `  2 × its price is no number above zero, or more than 2^53 units; line 3, "${rows[2]}"`,
      `  1 × it is older than the row before; line 5, "${rows[4]}"`,
      `  1 × it came twice or late; line 6, "${rows[5]}"`,
      `  1 × its time cannot be read; line 7, "${rows[6]}"`,
      `  1 × it is broken off: it has another number of columns than the format; line 9, "${rows[8]}"`,
    ])
  })

  it.each([
    [
      '1,10.0,1,10,1704067200,True,True',
      [],
      'line 1: the instant 1704067200 is in seconds, not milliseconds',
    ],
    [
      't,p\n1704067200000,1',
      ['--unit', 's'],
      'line 2: the instant 1704067200000 is in milliseconds, not seconds',
    ],
    ['t,p\n5,1', ['--unit', 's'], 'line 2: the instant 5 is not between 1990 and 2100 in seconds'],
    [
      't,p\n1970-01-01 00:00:00,1',
      ['--zone', 'UTC'],
      'line 2: the instant 1970-01-01 00:00:00 is not between',
    ],
  ])('%j is refused for its instant, and nothing is written', async (text, args, why) => {
    const columns = text.startsWith('t,p') ? ['--columns', 'time=t,price=p'] : []
    const { code, err, made } = await convert(text, ...columns, ...args)
    expect({ code, made }).toEqual({ code: 2, made: undefined })
    expect(err).toContain(why)
  })

  it('that is of no known format is named with the nearest one and its first line', async () => {
    const candles = 'exchange,symbol,timestamp,local_timestamp,open,high,low,close\nbinance,B,1,1,1,1,1,1\n'
    const { code, err, made } = await convert(candles)
    expect({ code, made }).toEqual({ code: 2, made: undefined })
    expect(err).toContain(
      'no known format: line 1 is "exchange,symbol,timestamp,local_timestamp,open,high,low,close"; ' +
        'the nearest is tardis.dev trades, whose line 1 is "exchange,symbol,timestamp,local_timestamp,id,side,price,amount"',
    )
    expect((await convert('a,b\n1,2\n')).err).toContain('line 1 is "a,b"; none is like it')
    const info = await runUptick('info', put('candles.csv', candles))
    expect(info).toMatchObject({ code: 2, out: '' })
    expect(info.err).toContain('the nearest is tardis.dev trades')
  })

  it.each([
    [['--columns', 'time=t'], '--columns names the time, and the price or bid and ask'],
    [['--columns', 'time=t,cost=p'], '--columns is time=NAME,price=NAME'],
    [['--columns', 'time=t,price=q'], 'has no column q: line 1 is "t,p"'],
    [['--columns', 'time=t,price=p', '--unit', 'm'], '--unit is one of s, ms, us, ns'],
    [['--columns', 'time=t,price=p', '--zone', 'Mars/Base'], 'there is no zone Mars/Base'],
    [['--unit', 's'], '--unit and --zone are of --columns'],
  ])('%j is a wrong argument', async (args, why) => {
    const { code, err } = await convert('t,p\n1704067200000,1\n', ...args)
    expect(code).toBe(2)
    expect(err).toContain(why)
  })

  it('with a time, a price and a size is of Kraken only in seconds', async () => {
    const { code, err, made } = await convert('1704067200000,10.5,2\n')
    expect({ code, made }).toEqual({ code: 2, made: undefined })
    expect(err).toContain('no known format: line 1 is "1704067200000,10.5,2"')
    expect(err).toContain('1704067200000 is an instant in milliseconds')
    expect((await convert('1704067200,10.5,2\n')).out).toContain('from Kraken trades (CSV)')
  })

  it('that is a recording may have more columns, and others before them', async () => {
    const more = `${header},seq\n1704067200000,10.5,2,,,7\n1704067200001,,,10.4,10.6,8\n`
    const expected = recordingOf(['1704067200000,10.5,2,,', '1704067200001,,,10.4,10.6'])
    expect(await convert(more)).toMatchObject({ err: '', made: expected })
    const moved = 'ask,bid,ts_ms,size,price\n,,1704067200000,2,10.5\n10.6,10.4,1704067200001,,\n'
    expect(await convert(`\ufeff${moved}`)).toMatchObject({ err: '', made: expected })
    const { code, err } = await runUptick('check', put('moved.csv', moved))
    expect(code).toBe(2)
    expect(err).toContain(
      'bad header "ask,bid,ts_ms,size,price": its columns are in another order; "uptick convert" reads other files',
    )
    const broken = await convert(`${more}1704067200002,10.7,2\n`)
    expect(broken.err).toContain('line 4, "1704067200002,10.7,2"')
  })

  it('has no instant where its clock goes no further', async () => {
    const times = ['23:59:59', '24:00:00', '23:60:00', '23:59:61']
    const csv = `when,last\n${times.map((time) => `2024-01-01 ${time},1.5`).join('\n')}\n`
    const { made, err } = await convert(csv, '--columns', 'time=when,price=last')
    expect(made).toBe(recordingOf(['1704153599000,1.5,,,']))
    expect(err).toContain('3 × its time cannot be read; line 3')
  })

  it('without its last line end has no quote whose end may be missing, as a recording has none', async () => {
    const text = 'EUR/USD,20190204 00:00:00.123,1.1,1.2\nEUR/USD,20190204 00:00:00.124,1.1,1.'
    const whole = recordingOf(['1549238400123,,,1.1,1.2'])
    const { made, err } = await convert(text)
    expect(made).toBe(whole)
    expect(err).toContain('1 × its last price may be broken off: it has no line end; line 2')
    expect(await convert(whole.trimEnd().replace('1.2', '1.2\n1549238400124,,,1.1,1'))).toMatchObject({
      made: whole,
    })
  })

  it('becomes JSON lines also where its numbers begin with zeros', async () => {
    const { made } = await convert(
      'when,last,amount\n1704067200000,0042.50,00\n',
      '--to',
      'jsonl',
      '--columns',
      'time=when,price=last,size=amount',
    )
    expect(JSON.parse(made!)).toEqual({ at: 1_704_067_200_000, price: 42.5, size: 0 })
  })

  it('becomes JSON lines, which are read back with their names', async () => {
    const text = `${header}\n1704067200000,10.5,2,,\n1704067200001,,,0.00000001,10.60\n`
    const { out, made } = await convert(text, '--to', 'jsonl')
    expect(out).toContain(': 2 ticks, from Uptick recording')
    expect(made).toBe(
      '{"at":1704067200000,"price":10.5,"size":2}\n{"at":1704067200001,"bid":0.00000001,"ask":10.6}\n',
    )
    const columns = ['--columns', 'time=at,price=price,size=size,bid=bid,ask=ask']
    expect((await convert(made!, ...columns)).made).toBe(
      recordingOf(['1704067200000,10.5,2,,', '1704067200001,,,0.00000001,10.6']),
    )
    expect((await convert(text, '--to', 'xml')).err).toContain('--to is csv or jsonl, not xml')
  })

  it('of several symbols needs the name of one', async () => {
    const text = 'EUR/USD,20190204 00:00:00.123,1.1,1.2\nUSD/JPY,20190204 00:00:00.124,100.1,100.2\n'
    expect((await convert(text)).err).toContain('--symbol is one of EUR/USD, USD/JPY')
    expect((await convert(text, '--symbol', 'USD/JPY')).made).toBe(
      recordingOf(['1549238400124,,,100.1,100.2']),
    )
  })
})

describe('a bi5 file of Dukascopy', () => {
  /** Two rows of 20 bytes (ms of the hour, ask, bid, volumes), packed once with an end mark and once with their length. */
  const packed = ['XQAAgAD//////////w', 'XQAAIAAoAAAAAAAAAA'].map((head) =>
    Buffer.from(`${head}AAaB0fhRvKppWUgKmUkPMq8im/7718ciAXPLQf2Pp0h3jM/+Ce+AA=`, 'base64'),
  )
  const hourOf = (symbol: string, content: Buffer): string => {
    const hour = at(`${symbol}/2019/01/04`)
    mkdirSync(hour, { recursive: true })
    writeFileSync(join(hour, '10h_ticks.bi5'), content)
    return join(hour, '10h_ticks.bi5')
  }
  const begin = Date.UTC(2019, 1, 4, 10)

  it('becomes a recording of the hour and symbol that its path says', async () => {
    for (const content of packed) {
      const made = at('bi5.csv')
      const done = await runUptick('convert', hourOf('EURUSD', content), '-o', made, '--force')
      expect(done).toMatchObject({ code: 0, err: '' })
      expect(done.out).toContain('2 ticks of EURUSD, from Dukascopy bi5')
      expect(readFileSync(made, 'utf8')).toBe(
        recordingOf([`${begin + 123},,,1.14567,1.14571`, `${begin + 1005},,,1.14568,1.14572`]),
      )
    }
    const info = await runUptick('info', hourOf('USDJPY', packed[0]!), '--json')
    expect(JSON.parse(info.out)).toMatchObject({ format: 'Dukascopy bi5', ticks: 2, low: '114.569' })
  })

  it('is refused without its path, of other symbols, empty, and damaged', async () => {
    const whyNot = async (path: string) => (await runUptick('convert', path, '-o', at('no.csv'))).err
    expect(await whyNot(put('10h_ticks.bi5', packed[0]!))).toContain('does not say of which hour it is')
    expect(await whyNot(hourOf('USDHUF', packed[0]!))).toContain('the decimals of USDHUF are not known')
    expect(await whyNot(hourOf('EURUSD', Buffer.alloc(0)))).toContain('an hour without ticks')
    expect(await whyNot(hourOf('EURUSD', packed[1]!.subarray(0, 30)))).toContain('is damaged or cut off')
    expect(existsSync(at('no.csv'))).toBe(false)
  })
})

describe('a file of any size', () => {
  const options = { protocol: 'binance', symbol: undefined, generic: undefined }
  /** So many bytes, and how many of them have been taken. */
  const sourceOf = (row: (n: number) => string, bytes: number) => {
    const source = { given: 0, stream: new Readable() }
    const chunks = function* () {
      for (let n = 0; source.given < bytes; n += 1000) {
        const chunk = Buffer.from(Array.from({ length: 1000 }, (_, i) => row(n + i)).join(''))
        source.given += chunk.length
        yield chunk
      }
    }
    source.stream = Readable.from(chunks(), { objectMode: false })
    return source
  }

  it('is read no further ahead than a few MB of what is written', async () => {
    const row = (n: number): string =>
      `${1e9 + n},42000.10,0.010,420.001,${1_704_067_200_000 + n},True,True\n`
    const length = row(0).length
    const source = sourceOf(row, 12_000_000)
    const { pieces, text } = await openForeign('-', options, source.stream)
    let ahead = 0
    for await (const _ of pieces) ahead = Math.max(ahead, source.given - text.taken * length)
    expect(text.taken * length).toBe(source.given)
    expect(source.given).toBeGreaterThanOrEqual(12_000_000)
    expect(ahead).toBeLessThan(4_000_000)
  })

  it('becomes the same recording wherever its text parts', async () => {
    const rows = [
      'id;"when";last;note',
      '1;"1704067200000";1.50;"a;b"',
      ' 2;1704067200001;2.0 ;\u012C é 😀\r',
      '',
      '3;1704067200002;"3";',
      '\t',
      '4;1704067200003;4;no end',
    ]
    const text = Buffer.from(rows.join('\n'))
    const generic = { columns: 'time=when,price=last', unit: 'ms', zone: 'UTC' }
    for (const size of [1, 2, 3, 7, text.length]) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.subarray(i * size, i * size + size),
      )
      const { pieces } = await openForeign(
        '-',
        { ...options, generic },
        Readable.from(chunks, { objectMode: false }),
      )
      let made = ''
      for await (const piece of pieces) made += piece
      expect(made).toBe(
        recordingOf([1, 2, 3, 4].map((n) => `${1704067199999 + n},${n === 1 ? '1.5' : n},,,`)),
      )
    }
  })

  it('is read with the decimals of its last row, however many the first ones have', async () => {
    const rows = Array.from({ length: 30_000 }, (_, n) => `${1704067200000 + n},1.5,2,,`)
    const path = put('late.csv', recordingOf([...rows, '1704067300000,1.00001,0.001,,']))
    const info = JSON.parse((await runUptick('info', path, '--json')).out) as Record<string, unknown>
    expect(info).toMatchObject({ ticks: 30_001, priceDecimals: 5, sizeDecimals: 3, volume: '60000.001' })
    expect(info).toMatchObject({ low: '1.00001', high: '1.50000' })
    expect(await runUptick('check', path)).toMatchObject({ code: 0, out: '30001 ticks, in order\n' })
  })

  it('is refused if it has no line ends, or pages without an end, before it is read whole', async () => {
    for (const [begin, why] of [
      ['1,42000.10,0.01,420.0,1704067200000,True,True\n', 'line 2 is too long'],
      ['{"error":[],"result":{"X":[', 'a page has more than 8 MB'],
    ] as const) {
      const source = sourceOf((n) => (n === 0 ? begin : '[1],'), 60_000_000)
      const { pieces } = await openForeign('-', options, source.stream)
      const read = async () => {
        for await (const _ of pieces) expect(source.given).toBeLessThan(60_000_000)
      }
      await expect(read()).rejects.toThrow(why)
      expect(source.given).toBeLessThan(12_000_000)
    }
  })

  it('is sorted where its source has the newest first, and refused if those are too many to keep', async () => {
    const read = async function* () {
      for (const first of [3, 2, 1])
        yield { first, last: first, price: '1.5', size: '2', at: 1_704_067_200_000 }
    }
    const rowsOf = async (keptMax: number) => {
      const orders: (number | undefined)[] = []
      const input = { path: 'trades', pieces: Readable.from([]) as AsyncIterable<string>, protocol: '' }
      for await (const { order } of tradesOf(read, keptMax)(input)) orders.push(order)
      return orders
    }
    expect(await rowsOf(3)).toEqual([1, 2, 3])
    await expect(rowsOf(2)).rejects.toThrow('trades has more than 2 trades, which are not in order')
  })
})
