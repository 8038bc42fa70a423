import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { sha256OfFile, textOfFile, whyUnreadable } from '../../../server/platform/textFile.ts'
import { sha256 } from '../../../server/platform/keyDerivation.ts'

const folder = mkdtempSync(join(tmpdir(), 'text-file-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const put = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}
/** Three bytes a character, so that pieces part inside of one. */
const text = '價格行情記錄\n'.repeat(50_000)

/** A zip that says how many files it has; it begins with one of this content. */
function zipOf(content: string, files: number): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(8, 8)
  head.writeUInt16LE('a.csv'.length, 26)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files, 10)
  return Buffer.concat([head, Buffer.from('a.csv'), deflateRawSync(content), end])
}

async function piecesOf(path: string): Promise<string[]> {
  const pieces: string[] = []
  for await (const piece of textOfFile(path)) pieces.push(piece)
  return pieces
}

describe('the text of a file', () => {
  it.each([
    ['plain', Buffer.from(`\ufeff${text}`)],
    ['gzipped', gzipSync(`\ufeff${text}`)],
    ['zipped', zipOf(`\ufeff${text}`, 1)],
    [
      'gzipped in members, with zeros behind',
      Buffer.concat([gzipSync(text.slice(0, 99)), gzipSync(text.slice(99)), Buffer.alloc(100_000)]),
    ],
  ])('comes in pieces and without a byte order mark, %s', async (_, content) => {
    const pieces = await piecesOf(put('text', content))
    expect(pieces.join('') === text).toBe(true)
    expect(pieces.length).toBeGreaterThan(2)
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(300_000)
  })

  it('need not be read to its end', async () => {
    for (const content of [text, gzipSync(text)])
      for await (const piece of textOfFile(put('begun', content))) {
        expect(text.startsWith(piece)).toBe(true)
        break
      }
  })

  it.each([
    ['a zip of several files', zipOf(text, 3), 'cannot be read: it has 3 files: unpack it'],
    ['a zip that broke off', zipOf(text, 1).subarray(0, 300), 'is cut off: unexpected end of file'],
    ['gzip that broke off', gzipSync(text).subarray(0, 300), 'is cut off: unexpected end of file'],
    ['UTF-16', Buffer.from('ts_ms,price', 'utf16le'), 'cannot be read: it is UTF-16 text: save it as UTF-8'],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 'cannot be read: it is UTF-16 text'],
  ])('of %s is refused', async (_, content, why) => {
    const read = piecesOf(put('refused', content)).catch(whyUnreadable)
    expect(await read).toContain(why)
  })

  it('of a file that is missing, and of a folder, is refused', async () => {
    expect(await piecesOf(join(folder, 'none')).catch(whyUnreadable)).toBe('is missing')
    expect(await piecesOf(folder).catch(whyUnreadable)).toContain('it is a folder')
  })

  it('has a hash', async () => expect(await sha256OfFile(put('hashed', text))).toBe(sha256(text)))
})
