import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { formatLeaf, type LogLeaf } from '../../contract/tlog/leaf.ts'
import { packEntries } from '../../contract/tlog/tiles.ts'
import { verifyLogFiles } from '../../packages/uptick/src/cli/verifyLog.ts'
import { logKeyOf, witnessKeyOf } from '../../packages/uptick/src/cli/logFiles.ts'
import { logKeys, origin, other, signer } from '../support/sampleLog.ts'
import { runUptick } from '../support/uptickCommand.ts'
import { answerLog, cosignedFiles, logFiles, sampleLeaf } from '../support/wholeLog.ts'
import { withServer } from '../support/withServer.ts'

const folder = mkdtempSync(join(tmpdir(), 'uptick-log-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const served = async (files: ReadonlyMap<string, Uint8Array>): Promise<string> =>
  (await withServer(answerLog(files))).url
const { logKey, logWitnesses } = logKeys
const verify = (...args: string[]) => runUptick('verify', ...args, '--log', logKey)
const key = logKeyOf(logKey)
const audit = (files: ReadonlyMap<string, Uint8Array>, witnesses: string[] = []) =>
  verifyLogFiles(async (path) => files.get(path), { key, witnesses: witnesses.map(witnessKeyOf) })

/** With the file at a path replaced, or without it. */
const withFile = (files: ReadonlyMap<string, Uint8Array>, path: string, bytes?: Uint8Array) => {
  const changed = new Map(files)
  if (bytes) changed.set(path, bytes)
  else changed.delete(path)
  return changed
}
const withFlip = (files: ReadonlyMap<string, Uint8Array>, path: string, at: number) => {
  const bytes = Uint8Array.from(files.get(path)!)
  bytes[at]! ^= 1
  return withFile(files, path, bytes)
}
const size = 300
const files = logFiles(size)
/** 70,000 leaves have a tile of level 2: what is in the leaves does not matter here. */
const large = logFiles(70_000, (i) => formatLeaf(sampleLeaf(i, ['A'])))

describe('uptick verify of a whole log', () => {
  it('reads it from a venue, and says what it covers', async () => {
    const url = await served(cosignedFiles(files))
    const [text, json] = await Promise.all([
      verify('--venue', url, '--witness', logWitnesses[0]!),
      verify('--venue', url, '--json'),
    ])
    expect(text).toMatchObject({ code: 0, err: '' })
    expect(text.out.split('\n')).toEqual([
      `holds: ${size} leaves of ${origin} give the signed root`,
      'from 2023-11-14T22:13:20.000Z to 2023-11-14T22:18:19.000Z, 0 seconds without a leaf',
      '2 products: A, B',
      'witnesses: w.test at 1970-01-01T00:00:09.000Z',
      '',
    ])
    const head = { seq: 900, hash: sampleLeaf(size - 1).heads[0]!.hash }
    expect(JSON.parse(json.out)).toMatchObject({
      kind: 'holds',
      size,
      missingSeconds: 0,
      products: { A: head },
    })
  })

  it('reads a copy in a folder', async () => {
    for (const [path, bytes] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), bytes)
    }
    expect(await verify('--tiles', folder)).toMatchObject({ code: 0, err: '' })
    rmSync(join(folder, 'tile/entries/000'))
    const partial = await verify('--tiles', folder)
    expect(partial).toMatchObject({ code: 2, out: '' })
    expect(partial.err).toContain('tile/entries/000 cannot be read: ENOENT')
  })

  it('names the tile and leaf that are wrong', async () => {
    const url = await served(withFlip(files, 'tile/entries/001.p/44', 100))
    const changed = await verify('--venue', url)
    expect(changed).toMatchObject({ code: 1, err: '' })
    expect(changed.out).toMatch(
      /^refuted: the public log\n {2}tile: tile\/entries\/001\.p\/44\n {2}leaf: 256\n {2}why: /,
    )
    const [unsigned, silent] = await Promise.all([
      runUptick('verify', '--venue', url, '--log', signer.verifierKey('another.test/log')),
      verify('--venue', url, '--witness', logWitnesses[0]!),
    ])
    expect(unsigned).toMatchObject({ code: 1 })
    expect(unsigned.out).toContain('why: the checkpoint is not signed by another.test/log')
    expect(silent.out).toContain('why: w.test has not cosigned the checkpoint')
  })

  it('waits when the venue says so, and does not take nonsense for a log', async () => {
    let refused = 0
    const busy = await withServer(({ url = '' }, response) => {
      if (refused++ < 3) return response.writeHead(429, { 'Retry-After': '0' }).end('{}')
      return response.end(files.get(url.replace('/log/', '')))
    })
    const nonsense = await withServer((_request, response) => response.end('<html>'))
    const broken = await withServer(({ url = '' }, response) =>
      response.writeHead(url === '/log/checkpoint' ? 200 : 500).end(files.get('checkpoint')),
    )
    const never = await withServer((_request, response) =>
      response.writeHead(429, { 'Retry-After': '86400' }).end(),
    )
    const [waited, html, failing, longer, nobody] = await Promise.all(
      [busy.url, nonsense.url, broken.url, never.url, 'http://127.0.0.1:1'].map((url) =>
        verify('--venue', url),
      ),
    )
    expect(waited).toMatchObject({ code: 0 })
    expect(html).toMatchObject({ code: 2, out: '' })
    expect(html!.err).toContain('no checkpoint of a public log')
    expect(failing).toMatchObject({ code: 2, out: '' })
    expect(failing!.err).toContain('answered 500')
    expect(longer!.err).toContain('a pause of 86400 s')
    expect(nobody!.err).toContain('does not answer')
  })

  it('says which arguments do not go together', async () => {
    const wrong = await Promise.all([
      verify('--venue', 'http://127.0.0.1:1', '--heads', 'heads.json'),
      verify('--venue', 'http://127.0.0.1:1', '--tiles', folder),
      verify(),
      runUptick('verify', '--venue', 'http://127.0.0.1:1', '--witness', logWitnesses[0]!),
    ])
    for (const each of wrong) expect(each).toMatchObject({ code: 2, out: '' })
  })
})

describe('the check of a whole log', () => {
  it.each([1, 2, 255, 256, 257, 300, 512, 70_000])('holds for %i leaves', async (leaves) => {
    const verdict = await audit(leaves === 70_000 ? large : logFiles(leaves))
    expect(verdict).toMatchObject({ kind: 'holds', span: { leaves } })
  })

  it('holds for a log without leaves', async () => {
    expect(await audit(logFiles(0))).toMatchObject({ kind: 'holds', span: { leaves: 0, from: null } })
  })

  it.each(
    [...large.keys()].filter((path) => /^tile\/(2|1|0\/(000|100|273)|entries\/(000|100|273))/.test(path)),
  )('names %s if a byte of it is changed, or it is missing or cut off', async (tile) => {
    const changed = await audit(withFlip(large, tile, 20))
    expect(changed).toMatchObject({ kind: 'refuted', found: { tile } })
    expect(await audit(withFile(large, tile))).toMatchObject({ kind: 'refuted', found: { tile } })
    const cut = large.get(tile)!.slice(0, -1)
    expect(await audit(withFile(large, tile, cut))).toMatchObject({ kind: 'refuted', found: { tile } })
  })

  it('names a leaf that was changed together with the hashes above it', async () => {
    const rewritten = logFiles(size, (i) => formatLeaf(sampleLeaf(i, i === 7 ? ['A', 'C'] : ['A', 'B'])))
    const mixed = new Map([...rewritten, ['checkpoint', files.get('checkpoint')!]])
    expect(await audit(mixed)).toMatchObject({
      kind: 'refuted',
      found: { why: 'the tiles do not give the signed root' },
    })
    const upToTile = new Map([...mixed, ['tile/1/000.p/1', files.get('tile/1/000.p/1')!]])
    expect(await audit(upToTile)).toMatchObject({ kind: 'refuted', found: { tile: 'tile/0/000' } })
    const entries = withFile(files, 'tile/entries/000', rewritten.get('tile/entries/000'))
    expect(await audit(entries)).toMatchObject({ found: { tile: 'tile/entries/000', leaf: 7 } })
    const fewer = withFile(files, 'tile/entries/000', packEntries([new Uint8Array(5)]))
    expect(await audit(fewer)).toMatchObject({ found: { why: 'it has 1 entries, and not 256' } })
  })

  it.each<[string, (i: number) => Partial<LogLeaf> | string]>([
    ['the entry is no leaf', (i) => (i === 290 ? 'uptick/v1\n' : {})],
    ['the leaf is not of a later second', (i) => (i === 290 ? { at: sampleLeaf(289).at + 999 } : {})],
    ['a head goes back', (i) => (i === 290 ? { heads: sampleLeaf(200).heads } : {})],
    [
      'a head has another hash than before',
      (i) =>
        i === 290 ? { heads: sampleLeaf(289).heads.map((head) => ({ ...head, hash: 'ab'.repeat(32) })) } : {},
    ],
    [`the leaf goes back to the name ${origin}`, (i) => (i === 289 ? { origin: 'another.test/log' } : {})],
  ])('names the leaf, signed or not: %s', async (why, changeAt) => {
    const leafAt = (i: number): string => {
      const change = changeAt(i)
      return typeof change === 'string' ? change : formatLeaf({ ...sampleLeaf(i), ...change })
    }
    const found = { tile: 'tile/entries/001.p/44', leaf: 290, why }
    expect(await audit(logFiles(size, leafAt))).toMatchObject({ kind: 'refuted', found })
  })

  it('follows a log to its name after a backup, counts missing seconds, and needs the newest name to be the signed one', async () => {
    const renamed = (i: number): string =>
      formatLeaf({
        ...sampleLeaf(i),
        ...(i < 10 && { origin: 'before.test/log' }),
        ...(i >= 20 && { at: sampleLeaf(i + 5).at }),
      })
    expect(await audit(logFiles(size, renamed))).toMatchObject({
      kind: 'holds',
      span: {
        missingSeconds: 5,
        names: [
          { origin: 'before.test/log', leaf: 0 },
          { origin, leaf: 10 },
        ],
      },
    })
    const foreign = logFiles(2, (i) => formatLeaf({ ...sampleLeaf(i), origin: 'another.test/log' }))
    expect(await audit(foreign)).toMatchObject({
      found: { leaf: 1, why: 'the newest leaf is of another.test/log' },
    })
  })

  it('needs the cosignature of each witness', async () => {
    expect(await audit(files, logWitnesses)).toMatchObject({ kind: 'refuted' })
    expect(await audit(cosignedFiles(files), logWitnesses)).toMatchObject({ kind: 'holds' })
    const forged = signer.sign({ origin, size, root: other })
    expect(await audit(withFile(files, 'checkpoint', Buffer.from(forged)))).toMatchObject({
      found: { why: 'the tiles do not give the signed root' },
    })
  })
})
