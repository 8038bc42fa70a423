import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { parseRecording, priceDecimalsOf } from 'uptick'
import { connectVenue, ticksOf, type Tick } from 'uptick/venue'
import { genesis, verifyChain, type WireTick } from '../../contract/chain.ts'
import { toRestTick } from '../../contract/products.ts'
import { createSigner } from '../../server/market/publicLog/signer.ts'
import type { CompleteProof } from '../../src/proof/completeProof.ts'
import { proofFile } from '../../src/proof/proofFile.ts'
import { parseNote, parseSignature, parseVerifierKey } from '../../contract/tlog/note.ts'
import { verifyCosignatures } from '../../contract/tlog/checkpoint.ts'
import { nodeHash } from '../../contract/tlog/merkle.ts'
import { toBase64 } from '../../contract/tlog/base64.ts'
import { cosigned, hashOf, logKeys, logOf, origin, other, signer } from '../support/sampleLog.ts'
import { sampleOrder } from '../support/sampleOrder.ts'
import { withServer } from '../support/withServer.ts'
import { killUpticks, openUptick, runUptick, startUptick, uptickFile } from '../support/uptickCommand.ts'
import { closeAt, headAt, log, sampleProof, source } from '../support/sampleProof.ts'
import { signedProof } from '../support/sampleReceipt.ts'

const folder = mkdtempSync(join(tmpdir(), 'uptick-cli-'))
const at = (name: string): string => join(folder, name)
const put = (name: string, content: string | Buffer): string => {
  writeFileSync(at(name), content)
  return at(name)
}
afterAll(() => rmSync(folder, { recursive: true, force: true }))

afterEach(killUpticks)
/** In a process, as users start it; each command that goes on is started so once. */
const start = (...args: string[]) => startUptick(args)
const open = (...args: string[]) => openUptick(args)
const run = runUptick

/** A zip of one file: its local header, and what follows the content. */
const zipOf = (content: string): Buffer => {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(8, 8)
  head.writeUInt16LE('trades.csv'.length, 26)
  return Buffer.concat([
    head,
    Buffer.from('trades.csv'),
    deflateRawSync(content),
    Buffer.from('PK directory'),
  ])
}

/** A venue in front of another one: it answers some calls itself, redirects the others, and passes its socket on. */
async function inFrontOf(url: string, answerTo: (path: string) => unknown) {
  const { server, url: front } = await withServer(({ url: path = '' }, response) => {
    const answer = answerTo(path)
    if (answer === undefined) response.writeHead(307, { location: `${url}${path}` }).end()
    else response.end(JSON.stringify(answer))
  })
  server.on('upgrade', ({ url: path, rawHeaders }, socket) => {
    const inner = connect(Number(new URL(url).port), '127.0.0.1')
    const headers = rawHeaders.map((text, i) => text + (i % 2 === 0 ? ': ' : '\r\n'))
    inner.write(`GET ${path} HTTP/1.1\r\n${headers.join('')}\r\n`)
    socket.pipe(inner).pipe(socket)
  })
  return { url: front }
}

const firstAt = 1_700_000_001_000
const csv = [
  'ts_ms,price,size,bid,ask',
  `${firstAt},10.00,1,,`,
  `${firstAt + 5},10.01,2.5,,`,
  `${firstAt + 60_000},10.1,3,,`,
  '',
].join('\n')
const proof = JSON.stringify(proofFile({ proof: sampleProof(), heads: [], agreed: null, savedAt: 1 }))

describe('uptick', () => {
  it('lists its commands, and says what a command takes', async () => {
    const [overview, none, one] = await Promise.all([
      start('--help').ended,
      start('nonsense').ended,
      run('verify', '--help'),
    ])
    expect(overview).toMatchObject({ code: 0, err: '' })
    expect(overview.out).toContain('verify')
    expect(none).toMatchObject({ code: 2, out: '' })
    expect(none.err).toContain('no command nonsense')
    expect(one.out).toContain('uptick verify PROOF.json')
  })

  it.skipIf(!existsSync('/dev/full'))(
    'does not say that a file is wrong because what it says cannot be written',
    () => {
      const file = put('said.csv', csv)
      const check = (path: string, to: string) => {
        const args = ['-c', `exec "$@" ${to}`, '-', process.execPath, uptickFile(), 'check', path]
        const { status, stdout, stderr } = spawnSync('bash', args, { encoding: 'utf8' })
        return { status, out: stdout, err: stderr }
      }
      const err = 'uptick: ENOSPC: no space left on device, write\n'
      expect(check(file, '> /dev/full')).toEqual({ status: 2, out: '', err })
      expect(check(at('none.csv'), '2> /dev/full')).toEqual({ status: 2, out: '', err: '' })
    },
  )

  it('info and check read a recording', async () => {
    const file = put('a.csv.gz', gzipSync(csv))
    const broken = put('b.csv', `${csv}${firstAt + 5},9,1,,\n`)
    const [info, good, wrong, none] = await Promise.all([
      run('info', file, '--json'),
      run('check', file),
      run('check', broken),
      run('info', put('c.csv', 'time;price\n')),
    ])
    expect(JSON.parse(info.out)).toMatchObject({
      ticks: 3,
      seconds: 60,
      low: '10.00',
      volume: '6.5',
      skipped: 0,
    })
    expect(good).toMatchObject({ code: 0, out: '3 ticks, in order\n' })
    expect(wrong).toMatchObject({ code: 1 })
    const why = 'it is older than the row before'
    expect(wrong.out).toBe(
      `wrong: 1 of 4 rows are not ticks; the first is line 5, "${firstAt + 5},9,1,,": ${why}\n  1 × ${why}\n`,
    )
    expect(none).toMatchObject({ code: 2, out: '' })
    expect(none.err).toContain('bad header')
  })

  it('info and check know the sample by its name, and say that a file is no text', async () => {
    const picture = put(
      'picture.csv',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
    )
    const [info, check, unknown, noText] = await Promise.all([
      run('info', 'btc-2022-01-15', '--json'),
      run('check', 'btc-2022-01-15'),
      run('check', 'btc'),
      run('convert', picture, '-o', at('picture.jsonl')),
    ])
    expect(JSON.parse(info.out)).toMatchObject({ ticks: 368 })
    expect(check).toMatchObject({ code: 0, out: '368 ticks, in order\n' })
    expect(unknown.err).toContain('no recording btc: there are btc-2022-01-15')
    expect(noText).toMatchObject({ code: 2, out: '' })
    expect(noText.err).toContain('no known format: it is no text')
  })

  it('convert replaces no input, and writes JSON lines to a file that is named so', async () => {
    const file = put('own.csv', csv)
    const [same, lines] = await Promise.all([
      run('convert', file, '-o', file, '--force'),
      run('convert', file, '-o', at('own.jsonl')),
    ])
    expect(same).toMatchObject({ code: 2, out: '' })
    expect(same.err).toContain('the output is the input')
    expect(readFileSync(file, 'utf8')).toBe(csv)
    expect(lines).toMatchObject({ code: 0 })
    expect(JSON.parse(readFileSync(at('own.jsonl'), 'utf8').split('\n')[0]!)).toMatchObject({ at: firstAt })
  })

  it('verify says who signed the order: this venue, a key that is not the venue’s, one that may be it, or nobody', async () => {
    const exported = (of: CompleteProof) =>
      JSON.stringify(proofFile({ proof: of, heads: [], agreed: null, savedAt: 1 }))
    const { logKey } = logKeys
    const own = signedProof()
    const byVenue = put('by-venue.json', exported({ ...own, log: cosigned(logOf()) }))
    const stranger = createSigner(new Uint8Array(32).fill(99))
    const byStranger = exported({ ...signedProof({}, stranger), log: logOf() })
    const lie = { ...sampleProof({ amount: '99.00' }), receipt: own.receipt }
    const long = { leaf: '', index: 0, path: Array(65).fill('') as string[], checkpoint: '' }
    const [given, without, forged, unsigned, changed, path, large] = await Promise.all([
      run('verify', byVenue, '--log', logKey),
      run('verify', byVenue, '--json'),
      run('verify', put('by-stranger.json', byStranger), '--log', logKey),
      run('verify', put('unsigned.json', proof)),
      run('verify', put('lie.json', exported(lie))),
      run('verify', put('path.json', exported({ ...sampleProof(), log: long }))),
      run('verify', put('large.json', `${proof}${' '.repeat(16_000_000)}`)),
    ])
    expect(given).toMatchObject({ code: 0 })
    expect(given.out).toContain(`order: signed by this venue with ${logKey}, given with --log\n`)
    expect(given.out).toContain(
      'prices: in the public log; gaps and changes of source are as the file states them: no signature covers',
    )
    expect(unsigned.out).toContain('; gaps and changes of source are as the file states them: no signature')
    expect(unsigned.out).toContain(
      'prices: nobody has signed them: they could be made up, and so could the result',
    )
    expect(JSON.parse(without.out)).toMatchObject({
      kind: 'holds',
      signed: { by: 'unknown key' },
      prices: 'file',
    })
    expect(forged.out).toContain(`order: signed by a key that is not the venue's, ${origin}+`)
    expect(unsigned.out).toContain('order: not signed: this only shows that the file is consistent\n')
    expect(changed).toMatchObject({ code: 1 })
    expect(changed.out).toContain('step "receipt"')
    expect(changed.out).toContain('differs: ["amount"]')
    expect([path.code, large.code]).toEqual([2, 2])
    expect(path.err).toContain('more than 64 hashes')
    expect(large.err).toContain('more than 16 MB')
  })

  it('verify compares the public log with keys', async () => {
    const exported = (of: ReturnType<typeof logOf> | null) =>
      JSON.stringify(proofFile({ proof: { ...sampleProof(), log: of }, heads: [], agreed: null, savedAt: 1 }))
    const { logKey, logWitnesses } = logKeys
    const signed = put('signed.json', exported(logOf()))
    const [holds, alone, unlogged, other, noKey] = await Promise.all([
      run(
        'verify',
        put('seen.json', exported(cosigned(logOf()))),
        '--log',
        logKey,
        '--witness',
        logWitnesses[0]!,
      ),
      run('verify', signed, '--log', logKey, '--witness', logWitnesses[0]!),
      run('verify', put('unlogged.json', exported(null)), '--log', logKey),
      run('verify', signed, '--log', signer.verifierKey('another.test/log')),
      run('verify', signed, '--log', 'nonsense'),
    ])
    expect(holds).toMatchObject({ code: 0, err: '' })
    expect(holds.out).toMatch(/public log: entry 1 of .+Z, witnesses: w\.test\n$/)
    expect(alone).toMatchObject({ code: 1 })
    expect(alone.out).toContain('w.test has not cosigned it')
    expect(unlogged).toMatchObject({ code: 1 })
    expect(other.out).toContain('no entry of a log that this key signed')
    expect(noKey).toMatchObject({ code: 2 })
  })

  it('witness cosigns what continues, and nothing else, after a restart too', async () => {
    const args = ['witness', at('witness'), '--name', 'w.test', '--log', logKeys.logKey, '--port', '0']
    const listening = async <T extends { output: { out: string } }>(witness: T) => {
      await expect.poll(() => witness.output.out).toMatch(/http:\/\/127\.0\.0\.1:\d+\n/)
      const [key = '', url = ''] = witness.output.out.trim().split('\n')
      const ask = async (old: number, proof: string[], note: string) => {
        const body = [`old ${old}`, ...proof, '', note].join('\n')
        const answer = await fetch(`${url}/add-checkpoint`, { method: 'POST', body })
        return { status: answer.status, text: await answer.text() }
      }
      return { witness, key: parseVerifierKey(key)!, url, ask }
    }
    const [one, two] = [hashOf('1'), hashOf('2')]
    const noteOf = (size: number, root: Uint8Array) => signer.sign({ origin, size, root })
    const first = await listening(start(...args))
    const note = noteOf(1, one)
    const answer = await first.ask(0, [], note)
    expect(answer.status).toBe(200)
    const cosignature = parseSignature(answer.text.trim())!
    const { text } = parseNote(note)!
    expect(await verifyCosignatures({ text, signatures: [cosignature] }, [first.key])).toHaveLength(1)
    expect(await first.ask(0, [], note)).toEqual({ status: 409, text: '1\n' })
    first.witness.child.kill('SIGINT')
    expect((await first.witness.ended).code).toBe(0)

    const again = await listening(open(...args))
    expect(again.key).toEqual(first.key)
    const forked = noteOf(2, nodeHash(other, two))
    expect((await again.ask(1, [toBase64(two)], forked)).status).toBe(422)
    const [cosigned, raced] = await Promise.all([
      again.ask(1, [toBase64(two)], noteOf(2, nodeHash(one, two))),
      again.ask(1, [toBase64(two)], noteOf(2, nodeHash(one, two))),
    ])
    expect([cosigned.status, raced.status].sort((a, b) => a - b)).toEqual([200, 409])
    const stored = await fetch(`${again.url}/${hash('sha256', origin)}/checkpoint`)
    expect(parseNote(await stored.text())!.signatures.map(({ name }) => name)).toEqual([origin, 'w.test'])
    again.witness.interrupt()
    expect((await again.witness.ended).code).toBe(0)
  })

  it('witness names the file that it cannot use', async () => {
    const refusal = async (name: string): Promise<string> => {
      const args = ['--name', 'w.test', '--log', logKeys.logKey, '--port', '0']
      const { code, err } = await run('witness', at('damaged'), ...args)
      expect(code).toBe(2)
      rmSync(at(name))
      return err
    }
    mkdirSync(at('damaged'))
    expect(await refusal(put('damaged/witness.key', 'half').slice(folder.length + 1))).toContain(
      'witness.key',
    )
    const stored = `damaged/${hash('sha256', origin)}.checkpoint`
    put(stored, 'half')
    expect(await refusal(stored)).toContain(at(stored))
  })

  it('check follows the chain of a venue’s recording', async () => {
    const moved = log.map(([seq, instant, price, size]) => [seq, firstAt + instant, price, size] as const)
    const headAt = (seq: number) => {
      const chain = verifyChain('A', genesis('A'), moved.slice(0, seq))
      return chain.ok ? chain.head : null
    }
    const rows = moved.map(([seq, instant, price, size]) => `${instant},${price},${size},,,${seq}`)
    const text = ['ts_ms,price,size,bid,ask,seq', ...rows, ''].join('\n')
    const note = JSON.stringify({
      product: { id: 'A', priceDecimals: 2, sizeDecimals: 0, chain: 1 },
      venue: 'http://venue',
      heads: [headAt(0), headAt(20), headAt(60)],
    })
    for (const name of ['whole', 'changed', 'hole', 'short', 'twice']) put(`${name}.json`, note)
    const changed = text.replace(rows[29]!, rows[29]!.replace(',1,', ',2,'))
    const [whole, other, hole, short, twice] = await Promise.all([
      run('check', put('whole.csv', text)),
      run('check', put('changed.csv', changed)),
      run('check', put('hole.csv', text.replace(`${rows[29]}\n`, ''))),
      run('check', put('short.csv', text.slice(0, text.indexOf(rows[50]!)))),
      run('check', put('twice.csv', text.replace(rows[29]!, `${rows[28]}\n${rows[29]}`))),
    ])
    expect(whole).toMatchObject({
      code: 0,
      out: '60 ticks, in order; the chain meets 3 heads of the venue\n',
    })
    expect(other).toMatchObject({ code: 1 })
    expect(other.out).toContain('up to 60')
    expect(hole).toMatchObject({ code: 1, out: 'wrong: tick 30 is missing\n' })
    expect(twice).toMatchObject({ code: 1, out: 'wrong: the tick after 29 has the number 29\n' })
    expect(short).toMatchObject({ code: 1, out: 'wrong: ticks 51 to 60 are missing at the end\n' })
  })

  it('verify says whether a proof holds, and which step does not', async () => {
    const lie = proof.replace(/"payout": ?"[\d.]+"/, '"payout":"999.00"')
    const heads = put('heads.json', JSON.stringify([{ seq: 10, hash: '0'.repeat(64) }]))
    const file = put('proof.json', proof)
    const [good, refuted, rewritten, unusable, missing] = await Promise.all([
      run('verify', file),
      run('verify', put('lie.json', lie)),
      run('verify', file, '--heads', heads),
      run('verify', put('cut.json', proof.slice(0, 500))),
      run('verify', at('none.json')),
    ])
    expect(good).toMatchObject({ code: 0, err: '' })
    expect(good.out).toMatch(/^holds: order /)
    expect(refuted).toMatchObject({ code: 1 })
    expect(refuted.out).toContain('step "payout"')
    expect(rewritten.out).toContain('step "chain"')
    expect(unusable).toMatchObject({ code: 2, out: '' })
    expect(unusable.err).toContain('is not JSON')
    expect(missing).toMatchObject({ code: 2 })
  })

  it('verify compares gaps with those that the venue states: a refund is no win without its gap', async () => {
    const gap = { from: closeAt - 200, to: closeAt + 900 }
    const older = { from: 1, to: 2 }
    const lie = put('no-gap.json', proof)
    const exported = (gaps: (typeof gap)[]) =>
      JSON.stringify(proofFile({ proof: sampleProof({}, gaps), heads: [], agreed: null, savedAt: 1 }))
    const refund = put('gap.json', exported([gap]))
    const venueOf = (pages: unknown[][]) =>
      withServer(({ url = '' }, response) => {
        const query = new URLSearchParams(url.split('?')[1])
        if (!url.includes('/gaps'))
          return response.end(JSON.stringify({ before: headAt(Number(query.get('afterSeq'))) }))
        const page = Number(query.get('cursor') ?? 0)
        const nextCursor = page + 1 < pages.length ? String(page + 1) : null
        return response.end(JSON.stringify({ items: pages[page], nextCursor }))
      })
    const later = { from: closeAt + 2000, to: null }
    const [had, none] = await Promise.all([venueOf([[later], [gap], [older]]), venueOf([[older]])])
    const [left, kept, madeUp, right] = await Promise.all([
      run('verify', lie, '--venue', had.url),
      run('verify', refund, '--venue', had.url),
      run('verify', refund, '--venue', none.url),
      run('verify', lie, '--venue', none.url),
    ])
    for (const refuted of [left, madeUp]) expect(refuted).toMatchObject({ code: 1, err: '' })
    expect(left.out).toMatch(/step "gaps"[^]*statedByVenue: {"from":1029800[^]*inFile: null/)
    expect(madeUp.out).toMatch(/step "gaps"[^]*statedByVenue: null/)
    for (const holds of [kept, right]) expect(holds).toMatchObject({ code: 0, err: '' })
    expect(kept.out).toContain(
      'prices: those that the venue states now; gaps are those that the venue states',
    )
  })

  it('verify does not read gaps without an end from a venue that repeats a page', async () => {
    let asked = 0
    const venue = await withServer(({ url = '' }, response) => {
      const afterSeq = new URLSearchParams(url.split('?')[1]).get('afterSeq')
      if (!url.includes('/gaps')) return response.end(JSON.stringify({ before: headAt(Number(afterSeq)) }))
      if (asked++ > 4) return response.end('<html>')
      const items = [{ from: closeAt + 2000, to: null }]
      return response.end(JSON.stringify({ items, nextCursor: 'again' }))
    })
    const found = await run('verify', put('again.json', proof), '--venue', venue.url)
    expect(found).toMatchObject({ code: 0, err: 'the venue does not state the gaps of A: not compared\n' })
    expect(asked).toBe(2)
  })

  it('verify compares a proof with what a venue states now, and waits when it says so', async () => {
    const file = put('stated.json', proof)
    const venueWith = async (respond: Parameters<typeof withServer>[0]) => (await withServer(respond)).url
    const seqIn = (url = ''): number => Number(new URLSearchParams(url.split('?')[1]).get('afterSeq'))
    let busy = 0
    const venues = await Promise.all([
      venueWith(({ url }, response) => {
        if (busy++ < 2) return response.writeHead(429, { 'Retry-After': '0' }).end('{}')
        return response.end(JSON.stringify({ ticks: [], complete: true, before: headAt(seqIn(url)) }))
      }),
      venueWith(({ url }, response) =>
        response.end(JSON.stringify({ before: { seq: seqIn(url), hash: '0'.repeat(64) } })),
      ),
      venueWith((_request, response) => response.writeHead(410).end('{}')),
      venueWith((_request, response) => response.end('<html>')),
      venueWith((_request, response) =>
        response.writeHead(500).end(JSON.stringify({ error: { code: 'INTERNAL', requestId: 'r-17' } })),
      ),
    ])
    const [holds, rewritten, pruned, nonsense, damaged] = await Promise.all(
      venues.map((url) => run('verify', file, '--venue', url)),
    )
    expect(holds).toMatchObject({ code: 0, err: 'the venue does not state the gaps of A: not compared\n' })
    expect(holds!.out).toContain('2 heads met')
    // Two heads, the gaps and the key that it signs with, each after it was asked to wait or not.
    expect(busy).toBe(6)
    expect(rewritten).toMatchObject({ code: 1 })
    expect(rewritten!.out).toMatch(/step "chain"[^]*statedBy: venue/)
    expect(pruned).toMatchObject({ code: 0 })
    expect(pruned!.err).toContain('the venue no longer has tick')
    expect(nonsense).toMatchObject({ code: 2, out: '' })
    expect(nonsense!.err).toContain('is it a venue?')
    // A venue whose own log is damaged is one, and its operator can find the request.
    expect(damaged).toMatchObject({ code: 2, out: '' })
    expect(damaged!.err).toContain('the venue cannot say: 500 INTERNAL, request r-17')
    expect(damaged!.err).not.toContain('is it a venue?')
  })

  it('verify compares ticks with the trades that Binance published', async () => {
    const fingerprint = 'live:binance:BTCUSDT'
    const terms = { ...sampleOrder().terms, source: fingerprint }
    const plain = sampleProof({ terms }, [], [{ ...source, fingerprint }])
    const tradedAt = (instant: number): number => 1_723_160_000_000 + instant
    /** The proof as a file, with these ids of its ticks. */
    const exportWith = (name: string, idOf: (seq: number) => number): string => {
      const ticks = plain.ticks.map(([seq, instant, price, size]): WireTick => {
        return [seq, instant, price, size, String(idOf(seq)), tradedAt(instant)]
      })
      const chain = verifyChain('A', plain.before!, ticks)
      const live = { ...plain, ticks: ticks.map(toRestTick), after: chain.ok ? chain.head : null }
      return put(name, JSON.stringify(proofFile({ proof: live, heads: [], agreed: null, savedAt: 1 })))
    }
    const file = exportWith('live.json', (seq) => 5000 + seq)
    // With the decimals that the venue does not have, and in microseconds, as spot files are.
    const trades = plain.ticks.map(([seq, instant, price, size]) => {
      return `${5000 + seq},${price}000,${size}.00000000,1.0,${tradedAt(instant)}123,True,True`
    })
    const whole = [
      '4000,1.0,1.0,1.0,1723160000000,True,True',
      ...trades,
      '9000,1.0,1.0,1.0,1723160000000,True,True',
    ]
    const aggregates = plain.ticks.map(([seq, instant, price]) => {
      return `${seq},${price},99.0,${5000 + seq},${5000 + seq},${tradedAt(instant)},true`
    })
    const header = 'agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker'
    const history = (name: string, lines: string[]): string => put(name, `${lines.join('\n')}\n`)
    const changed = whole.map((row, i) => (i === 9 ? row.replace(',1.00000000,', ',2.00000000,') : row))
    const [first = 0] = plain.ticks[0] ?? []
    const skipping = exportWith('skipping.json', (seq) => 5000 + seq + (seq > first + 5 ? 1 : 0))
    const oneMore = trades.flatMap((row, i) => {
      const moved = row.replace(/^\d+/, (id) => String(Number(id) + (i > 5 ? 1 : 0)))
      return i === 6 ? [row, moved] : [moved]
    })
    const verifyWith = (path: string, proofPath = file) => run('verify', proofPath, '--against', path)
    const [csvFile, zipFile, packed, size, missing, leftOut, noTrades, otherDay, replayed] =
      await Promise.all([
        verifyWith(history('trades.csv', whole)),
        verifyWith(put('trades.zip', zipOf(`${whole.join('\n')}\n`))),
        verifyWith(put('aggregates.csv.gz', gzipSync(`${[header, ...aggregates].join('\n')}\n`))),
        verifyWith(history('size.csv', changed)),
        verifyWith(history('missing.csv', whole.toSpliced(9, 1))),
        verifyWith(history('one-more.csv', oneMore), skipping),
        verifyWith(history('no-trades.csv', ['one line', ...whole])),
        verifyWith(history('other-day.csv', whole.slice(20))),
        verifyWith(history('some.csv', whole), put('replayed.json', proof)),
      ])
    for (const good of [csvFile, zipFile, packed]) {
      expect(good).toMatchObject({ code: 0, err: '' })
      expect(good.out).toContain(`exchange: ${plain.ticks.length} ticks are those that it published`)
    }
    for (const bad of [size, missing, leftOut]) expect(bad).toMatchObject({ code: 1, err: '' })
    expect(size.out).toMatch(/step "history"\n {2}why: the size differs\n/)
    expect(missing.out).toContain('why: the exchange has no trade with this id')
    expect(leftOut.out).toContain('why: a trade of the exchange is left out')
    for (const unusable of [noTrades, otherDay, replayed])
      expect(unusable).toMatchObject({ code: 2, out: '' })
    expect(noTrades.err).toContain('is no file of trades')
    expect(otherDay.err).toContain('the proof those from')
    expect(replayed.err).toContain('compares ticks of binance')
  })

  it('convert makes a recording of an exchange’s messages', async () => {
    const frames = 'tests/fixtures/frames/binance_spot_ethusdt_20240808.ndjson.gz'
    const done = await run('convert', frames, '-o', at('eth.csv'))
    expect(done).toMatchObject({ code: 0 })
    const [header, first = ''] = readFileSync(at('eth.csv'), 'utf8').split('\n')
    expect(header).toBe('ts_ms,price,size,bid,ask')
    expect(first).toMatch(/^1723161\d{6},26\d\d(\.\d+)?,[\d.]+,,$/)
    const [again, whole] = await Promise.all([
      run('convert', frames, '-o', at('eth.csv')),
      run('check', at('eth.csv')),
    ])
    expect(again).toMatchObject({ code: 2 })
    expect(again.err).toContain('--force replaces it')
    expect(whole.code).toBe(0)
  })

  it('convert -o - writes to the output, and says what it read beside it', async () => {
    const frames = 'tests/fixtures/frames/binance_spot_ethusdt_20240808.ndjson.gz'
    const [filed, piped, lines] = await Promise.all([
      run('convert', frames, '-o', at('filed.csv')),
      start('convert', frames, '-o', '-').ended,
      start('convert', frames, '-o', '-', '--to', 'jsonl').ended,
    ])
    expect([filed.code, piped.code, lines.code]).toEqual([0, 0, 0])
    expect(piped.out).toBe(readFileSync(at('filed.csv'), 'utf8'))
    expect(piped.err).toBe(filed.out.replace(at('filed.csv'), 'the output'))
    expect(lines.out.split('\n')[0]).toMatch(/^\{"at":1723161\d{6},"price":/)
    expect(existsSync('-')).toBe(false)
  })

  it('record writes files, so it refuses -o -', async () => {
    const refused = await Promise.all([
      run('record', 'binance:BTCUSDT', '-o', '-'),
      run('record', 'http://127.0.0.1:1', '-o', '-'),
    ])
    for (const { code, err } of refused) {
      expect(code).toBe(2)
      expect(err).toContain('-o is a folder')
    }
    expect(existsSync('-')).toBe(false)
  })

  it('exchange runs until Ctrl-C, and names a wrong argument', async () => {
    const exchange = start('exchange', '--port', '0')
    await expect.poll(() => exchange.output.out).toContain('{"exchangeAddresses":{"binance":"ws://127.0.0.1:')
    exchange.child.kill('SIGINT')
    expect(await exchange.ended).toMatchObject({ code: 0, err: '' })
    const wrong = await run('exchange', '--faults', 'sleepy@3s')
    expect(wrong).toMatchObject({ code: 2 })
    expect(wrong.err).toContain('sleepy@3s is no fault')
  })

  it('replay serves a recording to a venue’s client, as fast as it goes and step by step', async () => {
    const file = 'streams/recordings/BTCUSD_PERP_binance_coinm_2024-08-08T2354.csv.gz'
    const served = start('replay', file, '--port', '0', '--speed', 'max', '--gap', '10s..20s')
    await expect.poll(() => served.output.out).toContain('BTCUSD at http')
    const url = served.output.out.trim().split(' ').at(-1)!
    const venue = connectVenue(url)
    const seen: Tick[] = []
    venue.run$('BTCUSD').subscribe((run) => seen.push(...ticksOf(run)))
    const csv = gunzipSync(readFileSync(file)).toString()
    const { at: instants } = parseRecording(csv, priceDecimalsOf(csv))
    const from = instants[0]! + 10_000
    const heard = [...instants].filter((instant) => instant <= from || instant > from + 10_000)
    const first = heard.findIndex((instant) => instant > instants[0]!)
    await expect.poll(() => seen.at(-1)?.seq).toBe(heard.length)
    expect(seen.map(({ at: instant }) => instant)).toEqual(heard.slice(first))
    const gaps = (await (await fetch(`${url}/api/products/BTCUSD/gaps`)).json()) as { items: unknown[] }
    expect(gaps.items).toMatchObject([{ from, to: from + 10_000 }])
    venue.close()

    const paused = await steer(url, { paused: true, speed: 20 })
    expect(paused).toMatchObject({ paused: true, speed: 20 })
    const later = Number(paused['now']) + 5000
    expect(await steer(url, { seek: later })).toMatchObject({ now: later })
    expect(await steer(url, { seek: 1 })).toHaveProperty('error')
    for (const speed of ['fast', 0, 1001])
      expect(await steer(url, { speed })).toEqual({ error: `the speed is 0.1 to 1000, or max, not ${speed}` })
    expect(await steer(url, { speed: 'max' })).toMatchObject({ speed: 'max' })
    expect((await fetch(`${url}/api/me`)).status).toBe(401)
    served.child.kill('SIGINT')
    expect(await served.ended).toMatchObject({ code: 0, err: '' })
    const wrong = await run('replay', file, '--speed', '0')
    expect(wrong).toMatchObject({ code: 2 })
    expect(wrong.err).toContain('the speed is 0.1 to 1000')
  })
})

it('uptick replay closes a product while its recording is silent', async () => {
  const rows = [0, 1000, 3_601_000, 3_602_000].map((ms) => `${firstAt + ms},10.00,1,,`)
  const file = put('FX.csv', ['ts_ms,price,size,bid,ask', ...rows, ''].join('\n'))
  const statusWith = async (...args: string[]): Promise<unknown> => {
    const served = open('replay', file, '--port', '0', '--from', '5m', '--pause', ...args)
    await expect.poll(() => served.output.out).toContain('FX at http')
    const url = served.output.out.trim().split(' ').at(-1)!
    const answer = await (await fetch(`${url}/api/products/FX`)).json()
    served.interrupt()
    expect(await served.ended).toMatchObject({ code: 0, err: '' })
    return answer
  }
  expect(await statusWith()).toMatchObject({ status: 'closed', opensAt: firstAt + 3_601_000, closesAt: null })
  expect(await statusWith('--closed', '2h')).toMatchObject({ status: 'open', closesAt: null })
  expect(await statusWith('--closed', 'never')).toMatchObject({ status: 'open', closesAt: null })
  expect(await run('replay', file, '--closed', 'soon')).toMatchObject({ code: 2, out: '' })
})

it('uptick replay starts recordings of different days together, or plays each at its own instants', async () => {
  const later = firstAt + 3_600_000
  const a = put('AA.csv', csv)
  const b = put(
    'BB.csv',
    csv.replaceAll(/^\d+/gm, (at) => String(Number(at) + 3_600_000)),
  )
  const stateWith = async (...args: string[]) => {
    const served = open('replay', a, b, '--port', '0', '--pause', '--closed', 'never', ...args)
    await expect.poll(() => served.output.out).toContain('AA, BB at http')
    const url = served.output.out.trim().split(' ').at(-1)!
    const [replay, product] = await Promise.all(
      ['replay', 'api/products/BB'].map(
        async (path) => (await (await fetch(`${url}/${path}`)).json()) as object,
      ),
    )
    await killUpticks()
    return { replay, product }
  }
  const { replay: together, product } = await stateWith()
  expect(together).toMatchObject({ now: firstAt, from: firstAt, to: firstAt + 60_000 })
  expect(product).toMatchObject({ last: '10.00', lastAt: firstAt })
  const byClock = await stateWith('--align', 'time')
  expect(byClock.replay).toMatchObject({ now: firstAt, from: firstAt, to: later + 60_000 })
  expect(byClock.product).toMatchObject({ last: '0.00', lastAt: firstAt })
  expect((await run('replay', a, '--align', 'end')).err).toContain('--align is start or time, not end')
})

it('uptick replay plays a report that the app saved, and says in one line why it cannot', async () => {
  const report = {
    format: 'uptick-report',
    version: 1,
    savedAt: 1_700_000_011_000,
    appVersion: '1.0.0',
    build: 'index-a1b2.js',
    page: '/pages/set/set',
    previousPage: '/pages/Detail/Detail?id=BTCUSDT',
    wire: {
      products: [{ id: 'BTCUSDT', priceDecimals: 2, sizeDecimals: 1 }],
      frames: [1, 2, 3].map((n) => ({
        receivedAt: 1_700_000_000_000 + n * 1000,
        blocks: [{ id: 'BTCUSDT', seq0: n, values: [1_700_000_000_000 + n * 900, 10_000 + n, 5] }],
      })),
    },
  }
  const file = put('uptick-report-a.json', JSON.stringify(report))
  const served = open(
    'replay',
    file,
    'streams/recordings/EURUSD_dukascopy_2019-02-04.csv.gz',
    '--port',
    '0',
    '--pause',
  )
  await expect.poll(() => served.output.out).toContain('BTCUSDT, EURUSD at http')
  expect(served.output.out).toContain(
    'report of 2023-11-14T22:13:31.000Z: page /pages/set/set, before it /pages/Detail/Detail?id=BTCUSDT, app 1.0.0 (index-a1b2.js)\n',
  )
  const url = served.output.out.trim().split(' ').at(-1)!
  const { savedAt, appVersion, build, page, previousPage } = report
  expect(await steer(url, { seek: 1_700_000_002_500 })).toMatchObject({
    report: { savedAt, appVersion, build, page, previousPage },
  })
  const answer = await (await fetch(`${url}/api/products/BTCUSDT/ticks?afterSeq=0`)).json()
  expect(answer).toMatchObject({
    ticks: [
      [1, 1_700_000_000_900, '100.01', '0.5'],
      [2, 1_700_000_001_800, '100.02', '0.5'],
    ],
  })
  served.interrupt()
  expect(await served.ended).toMatchObject({ code: 0, err: '' })
  const broken = put('broken.json', JSON.stringify({ ...report, version: 9 }))
  expect(await run('replay', broken)).toEqual({
    code: 2,
    out: '',
    err: `uptick replay: ${broken} is no report of this format: see its version\n`,
  })
  expect(await run('replay', file, file)).toMatchObject({ code: 2, out: '' })
})

describe('uptick record', () => {
  it('records what replay serves, and continues a file that was cut off', async () => {
    const rows = Array.from(
      { length: 400 },
      (_, i) => `${firstAt + i * 50},${(10 + (i % 7) / 100).toFixed(2)},1,,`,
    )
    const file = put('A.csv', ['ts_ms,price,size,bid,ask', ...rows, ''].join('\n'))
    const served = open('replay', file, '--port', '0', '--speed', 'max')
    await expect.poll(() => served.output.out).toContain('A at http')
    const url = served.output.out.trim().split(' ').at(-1)!
    const recorded = at('recorded/A.csv')
    const lines = (): string[] =>
      existsSync(recorded) ? readFileSync(recorded, 'utf8').trim().split('\n') : []

    const recording = start('record', url, '-o', at('recorded'), '--history')
    await expect.poll(() => lines().length).toBe(401)
    recording.child.kill('SIGINT')
    expect(await recording.ended).toMatchObject({ code: 0, out: 'A: 400 ticks, up to 400\n', err: '' })
    expect(lines().slice(1)).toEqual(rows.map((row, i) => `${row},${i + 1}`))

    const whole = readFileSync(recorded, 'utf8')
    writeFileSync(recorded, whole.slice(0, whole.length - 200))
    const again = open('record', url, '-o', at('recorded'))
    await expect.poll(() => lines().length).toBe(401)
    again.interrupt()
    expect(await again.ended).toMatchObject({ code: 0, err: '' })
    expect(readFileSync(recorded, 'utf8')).toBe(whole)
    expect(await run('check', recorded)).toMatchObject({ code: 0 })
    const wrong = await run('record', url, '--products', 'B')
    expect(wrong).toMatchObject({ code: 2 })
    expect(wrong.err).toContain('no product B')
    served.interrupt()
    expect(await served.ended).toMatchObject({ code: 0 })
  })

  it('records an exchange with its messages, continues a file that was cut off, and names what it missed', async () => {
    const exchange = open('exchange', '--port', '0', '--rate', '40')
    await expect.poll(() => exchange.output.out).toContain('exchangeAddresses')
    const url = /ws:[^"]+/.exec(exchange.output.out)![0]
    const recorded = at('exchange/BTCUSDT.csv')
    const rows = (): string[] =>
      existsSync(recorded) ? readFileSync(recorded, 'utf8').trim().split('\n').slice(1) : []
    const record = (...args: string[]) =>
      open('record', 'binance:btc/usdt', '--url', url, '-o', at('exchange'), ...args)

    const first = record('--raw')
    await expect.poll(() => rows().length).toBeGreaterThan(20)
    first.interrupt()
    const ended = await first.ended
    expect(ended).toMatchObject({ code: 0, err: '' })
    expect(ended.out).toBe(`BTCUSDT: ${rows().length} ticks\n`)
    expect(rows()[0]).toMatch(/^\d{13},[\d.]+,[\d.]+,,,\d+,\d{13}$/)
    expect(await run('check', recorded)).toMatchObject({ code: 0 })

    const converted = await run('convert', at('exchange/binance.ndjson'), '-o', at('converted.csv'))
    expect(converted).toMatchObject({ code: 0 })
    const prices = rows().map((row) => `${row.split(',').slice(0, 3).join(',')},,`)
    expect(readFileSync(at('converted.csv'), 'utf8').trim().split('\n').slice(1)).toEqual(prices)

    const before = rows()
    writeFileSync(recorded, readFileSync(recorded, 'utf8').slice(0, -8))
    const again = record('--for', '1h')
    await expect.poll(() => rows().length).toBeGreaterThan(before.length)
    again.interrupt()
    expect(await again.ended).toMatchObject({ code: 0 })
    expect(again.output.err).toMatch(/^BTCUSDT: trades \d+ to \d+ are missing\n$/)
    expect(rows().slice(0, before.length - 1)).toEqual(before.slice(0, -1))
    exchange.interrupt()
    await exchange.ended
    const wrong = await run('record', 'kraken:btcusd')
    expect(wrong).toMatchObject({ code: 2 })
    expect(wrong.err).toContain('kraken has no symbol like "BTCUSD"')
  })

  it('rotates: files of a size that are continued after a restart, without a row twice or out of order', async () => {
    const exchange = open('exchange', '--port', '0', '--rate', '200')
    await expect.poll(() => exchange.output.out).toContain('exchangeAddresses')
    const url = /ws:[^"]+/.exec(exchange.output.out)![0]
    mkdirSync(at('rotated'))
    const inRotated = (ending: string): string[] =>
      readdirSync(at('rotated'))
        .filter((name) => name.endsWith(ending))
        .map((name) => join(at('rotated'), name))
    const files = (): string[] => inRotated('.csv')
    const ids = (): number[] =>
      files().flatMap((file) => {
        const rows = readFileSync(file, 'utf8').trim().split('\n').slice(1)
        return rows.map((row) => Number(row.split(',')[5]))
      })
    const record = () =>
      open('record', 'binance:btc/usdt', '--url', url, '-o', at('rotated'), '--rotate', '2kB', '--raw')
    const missing: string[] = []
    for (const isContinued of [false, true]) {
      if (isContinued) {
        // So that at least one trade is missing, however soon the recording goes on.
        const newest = files()
          .toSorted((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs)
          .at(-1)!
        writeFileSync(newest, readFileSync(newest, 'utf8').slice(0, -8))
      }
      const enough = files().length + 3
      const recording = record()
      await expect.poll(() => files().length).toBeGreaterThanOrEqual(enough)
      recording.interrupt()
      const { code, err } = await recording.ended
      expect(code).toBe(0)
      missing.push(...err.split('\n').slice(0, -1))
    }
    expect(missing.length).toBe(1)
    const [, from = '', to = ''] = /^BTCUSDT: trades (\d+) to (\d+) are missing$/.exec(missing[0]!) ?? []
    const sorted = ids().toSorted((a, b) => a - b)
    const gaps = sorted.flatMap((id, i) =>
      i > 0 && id !== sorted[i - 1]! + 1 ? [[sorted[i - 1]! + 1, id - 1]] : [],
    )
    expect(gaps).toEqual([[Number(from), Number(to)]])
    for (const file of files()) {
      expect(statSync(file).size).toBeLessThanOrEqual(2000)
      expect(await run('check', file)).toMatchObject({ code: 0 })
    }
    const messages = inRotated('.ndjson')
    expect(messages.length).toBeGreaterThan(files().length)
    for (const file of messages) expect(statSync(file).size).toBeLessThanOrEqual(2000)
    const lines = messages.flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))
    const traded = lines.flatMap((line) => {
      const { raw } = JSON.parse(line) as { raw: string }
      return Number(/"t":(\d+)/.exec(raw)?.[1] ?? [])
    })
    // The row that was cut off has its message still.
    expect(traded).toEqual(expect.arrayContaining(sorted))
    exchange.interrupt()
    await exchange.ended
    const wrong = await run('record', 'binance:BTCUSDT', '--rotate', 'week')
    expect(wrong).toMatchObject({ code: 2 })
    expect(wrong.err).toContain('--rotate is day, 100MB or day,100MB, not week')
  })

  it('rotates what it records of a venue, each file with its heads', async () => {
    const midnight = Date.UTC(2024, 0, 2)
    const rows = Array.from({ length: 40 }, (_, i) => `${midnight - 1000 + i * 50},${10 + i}.00,1,,`)
    const file = put('B.csv', ['ts_ms,price,size,bid,ask', ...rows, ''].join('\n'))
    const served = open('replay', file, '--port', '0', '--speed', 'max')
    await expect.poll(() => served.output.out).toContain('B at http')
    const url = served.output.out.trim().split(' ').at(-1)!
    const days = [at('daily/B_2024-01-01.csv'), at('daily/B_2024-01-02.csv')]
    const rowsOf = (path: string): string[] =>
      existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').slice(1) : []
    // A replay states no heads.
    const venue = await inFrontOf(url, (path) => {
      const seq = /ticks\?afterSeq=(\d+)&limit=1$/.exec(path)?.[1]
      return seq && { before: { seq: Number(seq), hash: '00'.repeat(32), at: midnight } }
    })
    const recording = open('record', venue.url, '-o', at('daily'), '--history', '--rotate', 'day')
    await expect.poll(() => days.flatMap(rowsOf).length).toBe(40)
    recording.interrupt()
    expect(await recording.ended).toMatchObject({ code: 0, out: 'B: 40 ticks, up to 40\n', err: '' })
    expect(days.map((path) => rowsOf(path).length)).toEqual([20, 20])
    const heads = days.map((path) => {
      const note = JSON.parse(readFileSync(path.replace('.csv', '.json'), 'utf8')) as {
        heads: { seq: number }[]
      }
      return note.heads.map(({ seq }) => seq)
    })
    expect(heads).toEqual([
      [0, 20],
      [20, 40],
    ])
    served.interrupt()
    await served.ended
  })

  it('ends with the reason if a file cannot be written', async () => {
    const exchange = open('exchange', '--port', '0', '--rate', '40')
    await expect.poll(() => exchange.output.out).toContain('exchangeAddresses')
    const url = /ws:[^"]+/.exec(exchange.output.out)![0]
    const lost = at('lost')
    const recording = open('record', 'binance:btc/usdt', '--url', url, '-o', lost, '--rotate', '1kB')
    await expect.poll(() => existsSync(lost) && readdirSync(lost).length).toBeTruthy()
    // The next file has no folder.
    rmSync(lost, { recursive: true })
    const { code, err } = await recording.ended
    expect(code).toBe(2)
    expect(err).toContain('uptick record: ENOENT')
    exchange.interrupt()
    await exchange.ended
  })

  it('leaves out trades with an instant of the future, which every later one would have too', async () => {
    // Each second, because nobody knows when the recording begins.
    const faults = Array.from({ length: 60 }, (_, i) => `future-tick@${i + 1}sx3`).join(',')
    const exchange = open('exchange', '--port', '0', '--rate', '40', '--faults', faults)
    await expect.poll(() => exchange.output.out).toContain('exchangeAddresses')
    const url = /ws:[^"]+/.exec(exchange.output.out)![0]
    const file = at('future/BTCUSDT.csv')
    const recording = open('record', 'binance:btc/usdt', '--url', url, '-o', at('future'))
    const rows = (): number[][] =>
      existsSync(file)
        ? readFileSync(file, 'utf8')
            .trim()
            .split('\n')
            .slice(1)
            .map((row) => row.split(',').map(Number))
        : []
    await expect.poll(() => recording.output.err).toContain('is not now in ms: left out')
    const before = rows().length
    await expect.poll(() => rows().length).toBeGreaterThan(before + 20)
    recording.interrupt()
    expect(await recording.ended).toMatchObject({ code: 0 })
    expect(rows().filter((row) => (row[0] ?? 0) > (row[6] ?? 0) + 60_000)).toEqual([])
    expect(await run('check', file)).toMatchObject({ code: 0 })
    exchange.interrupt()
    await exchange.ended
  })
})

const steer = async (url: string, message: object): Promise<Record<string, unknown>> => {
  const answer = await fetch(`${url}/replay`, { method: 'POST', body: JSON.stringify(message) })
  return (await answer.json()) as Record<string, unknown>
}
