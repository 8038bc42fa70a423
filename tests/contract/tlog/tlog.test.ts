import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import { fromBase64, toBase64 } from '../../../contract/tlog/base64.ts'
import { formatCheckpoint, parseCheckpoint } from '../../../contract/tlog/checkpoint.ts'
import { formatLeaf, parseLeaf } from '../../../contract/tlog/leaf.ts'
import {
  appendToRange,
  consistencyProof,
  emptyRoot,
  inclusionProof,
  leafHash,
  nodeHash,
  rootAt,
  rootOf,
  rootOfRange,
  verifyConsistency,
  verifyInclusion,
  type TreeRange,
} from '../../../contract/tlog/merkle.ts'
import {
  createTileReader,
  packEntries,
  parseTilePath,
  tilePath,
  unpackEntries,
  widthInTree,
} from '../../../contract/tlog/tiles.ts'
import vectors from './merkleVectors.json' with { type: 'json' }

const bytesOf = (text: string): Uint8Array => fromBase64(text)!
const hex = bytesToHex

/** RFC 6962 reference leaves and roots by size, as certificate-transparency and transparency-dev/merkle test them. */
const leaves = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
]
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

describe('the lines of a leaf', () => {
  const top = 'uptick/v1\nvenue.test/log\n1700000000000\n'
  const head = (id: string): string => `${id} 1 ${'ab'.repeat(32)}\n`

  it('are those of products, ascending, then those of gaps, in any order', () => {
    expect(parseLeaf(`${top}${head('A')}${head('B')}gap B 5 -\ngap A 3 4\n`)).toMatchObject({
      heads: [{ productId: 'A' }, { productId: 'B' }],
      gaps: [{ productId: 'B' }, { productId: 'A' }],
    })
    expect(parseLeaf(`${top}${head('A')}gap A 3 4\n${head('B')}`)).toBeNull()
    expect(parseLeaf(`${top}${head('B')}${head('A')}`)).toBeNull()
    expect(parseLeaf(`${top}${head('A')}${head('A')}`)).toBeNull()
  })
})

describe('the Merkle tree of RFC 6962', () => {
  it('has the published hashes', () => {
    expect(hex(emptyRoot())).toBe(roots[0])
    expect(hex(leafHash(utf8ToBytes('L123456')))).toBe(
      '395aa064aa4c29f7010acfe3f25db9485bbd4b91897b6ad7ad547639252b4d56',
    )
    expect(hex(nodeHash(utf8ToBytes('N123'), utf8ToBytes('N456')))).toBe(
      'aa217fe888e47007fa15edab33c2b492a722cb106c64667fc2b044444de66bbb',
    )
    const hashes = leaves.map((leaf) => leafHash(hexToBytes(leaf)))
    expect(roots.map((_, size) => hex(rootOf(hashes.slice(0, size))))).toEqual(roots)
  })

  it.each(vectors.inclusion as [string, boolean, number, number, string, string, string[]][])(
    'checks inclusion as transparency-dev does: %s is %s',
    (_name, holds, index, size, leaf, root, path) => {
      const claim = { index, size, leaf: bytesOf(leaf), root: bytesOf(root) }
      expect(verifyInclusion(claim, path.map(bytesOf))).toBe(holds)
    },
  )

  it.each(vectors.consistency as [string, boolean, number, number, string, string, string[]][])(
    'checks consistency as transparency-dev does: %s is %s',
    (_name, holds, from, to, fromRoot, toRoot, path) => {
      const trees = [
        { size: from, root: bytesOf(fromRoot) },
        { size: to, root: bytesOf(toRoot) },
      ] as const
      // RFC 6962 defines no proof from the empty tree; C2SP tlog-witness has it consistent with any tree.
      const isFromEmpty = from === 0 && to > 0 && path.length === 0 && fromRoot === toBase64(emptyRoot())
      expect(verifyConsistency(...trees, path.map(bytesOf))).toBe(holds || isFromEmpty)
    },
  )
})

describe('tiles', () => {
  const size = 70_000
  const hashes = Array.from({ length: size }, (_, i) => leafHash(utf8ToBytes(String(i))))
  const levels = [hashes]
  for (let level = hashes; level.length >= 256;) {
    level = Array.from({ length: Math.floor(level.length / 256) }, (_, i) =>
      rootOf(level.slice(i * 256, i * 256 + 256)),
    )
    levels.push(level)
  }
  const fetched: string[] = []
  const readerOf = (treeSize: number) =>
    createTileReader(treeSize, async (tile) => {
      fetched.push(tilePath(tile))
      const own = levels[tile.level]!.slice(tile.index * 256, tile.index * 256 + tile.width)
      return Uint8Array.from(own.flatMap((hash) => [...hash]))
    })

  it('have the paths and widths of tlog-tiles', () => {
    expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe('tile/0/x001/x234/067')
    expect(tilePath({ level: 'entries', index: 0, width: 17 })).toBe('tile/entries/000.p/17')
    // The example of the specification: 273 full tiles and one of 112 hashes, one full and one of 17, one of 1.
    const widths = [
      [0, 272],
      [0, 273],
      [0, 274],
      [1, 0],
      [1, 1],
      [2, 0],
    ].map(([level = 0, index = 0]) => widthInTree({ level, index }, size))
    expect(widths).toEqual([256, 112, 0, 256, 17, 1])
    for (const path of ['tile/0/x001/x234/067', 'tile/63/999.p/255', 'tile/entries/x001/000'])
      expect(tilePath(parseTilePath(path)!)).toBe(path)
    const wrong = [
      'tile/0/1',
      'tile/0/x000/001',
      'tile/64/000',
      'tile/00/000',
      'tile/0/000.p/256',
      'tile/0/000.p/0',
    ]
    expect(wrong.map(parseTilePath)).toEqual(wrong.map(() => null))
  })

  it('give the root, and proofs that hold, from few tiles', async () => {
    const range = hashes.reduce<TreeRange>((before, hash) => appendToRange(before, hash), [])
    const root = rootOfRange(range)
    fetched.length = 0
    expect(hex(await rootAt(size, readerOf(size)))).toBe(hex(root))
    expect(fetched.toSorted()).toEqual(['tile/0/273.p/112', 'tile/1/001.p/17', 'tile/2/000.p/1'])
    for (const index of [0, 255, 256, 65_535, 65_536, 69_887, 69_888, 69_999]) {
      const path = await inclusionProof(index, size, readerOf(size))
      const claim = { index, size, leaf: hashes[index]!, root }
      expect([index, verifyInclusion(claim, path)]).toEqual([index, true])
      expect(verifyInclusion({ ...claim, index: index === 0 ? 1 : index - 1 }, path)).toBe(false)
    }
    for (const from of [0, 1, 2, 255, 256, 300, 65_536, 65_537, 69_999, 70_000]) {
      const path = await consistencyProof(from, size, readerOf(size))
      const earlier = { size: from, root: await rootAt(from, readerOf(from)) }
      expect([from, verifyConsistency(earlier, { size, root }, path)]).toEqual([from, true])
      const other = { size: from, root: sha256(earlier.root) }
      expect(verifyConsistency(other, { size, root }, path)).toBe(false)
    }
  })

  it('hold entries after their lengths', () => {
    const entries = ['', 'a', 'x'.repeat(300)].map(utf8ToBytes)
    const bytes = packEntries(entries)
    expect(Array.from(bytes.slice(0, 7))).toEqual([0, 0, 0, 1, 97, 1, 44])
    expect(unpackEntries(bytes)).toEqual(entries)
    expect(() => unpackEntries(bytes.slice(0, -1))).toThrow(RangeError)
    expect(() => packEntries([new Uint8Array(65_536)])).toThrow(RangeError)
  })
})

describe('the text of a leaf', () => {
  const hash = 'ab'.repeat(32)
  const text = `uptick/v1\nvenue.example/log\n1700000000000\nBTC 7 ${hash}\nEUR~x 0 ${hash}\ngap BTC 5 -\ngap BTC 5 9\n`

  it('is read back as it was', () => {
    const leaf = parseLeaf(text)!
    expect(leaf).toMatchObject({ origin: 'venue.example/log', at: 1_700_000_000_000 })
    expect(leaf.heads.map(({ productId, seq }) => [productId, seq])).toEqual([
      ['BTC', 7],
      ['EUR~x', 0],
    ])
    expect(leaf.gaps.map(({ to }) => to)).toEqual([null, 9])
    expect(formatLeaf(leaf)).toBe(text)
  })

  it.each([
    ['another first line', text.replace('v1', 'v2')],
    ['no newline at the end', text.slice(0, -1)],
    ['products that do not ascend', text.replace('BTC 7', 'Z 7')],
    ['a zero in front', text.replace('BTC 7', 'BTC 07')],
    ['an upper-case hash', text.replace(hash, hash.toUpperCase())],
    ['an unknown line', `${text}more\n`],
    ['a product twice', text.replace('EUR~x 0', 'BTC 8')],
    ['a number beyond 2^53', text.replace('BTC 7', 'BTC 9007199254740993')],
    ['an end of a gap beyond 2^53', text.replace('BTC 5 9', 'BTC 5 9007199254740993')],
    ['no instant', text.replace('1700000000000\n', '')],
    ['an instant of zero', text.replace('1700000000000', '0')],
    ['a short hash', text.replace(hash, hash.slice(1))],
    ['bytes before it', ` ${text}`],
    ['a gap before a head', text.replace(/(BTC 7.*\n)(EUR.*\n)(gap BTC 5 -\n)/, '$1$3$2')],
  ])('is refused with %s', (_what, changed) => expect(parseLeaf(changed)).toBeNull())
})

describe('the text of a checkpoint', () => {
  const text = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n'
  it('is that of the specification', () => {
    const checkpoint = parseCheckpoint(text)!
    expect([checkpoint.origin, checkpoint.size]).toEqual(['example.com/behind-the-sofa', 20_852_163])
    expect(formatCheckpoint(checkpoint)).toBe(text)
    expect(parseCheckpoint(`${text}an extension\n`)).toEqual(checkpoint)
  })
  it.each([
    ['a size with a zero in front', text.replace('2085', '02085')],
    ['a short root', text.replace('CsUY', '')],
    ['an empty extension line', `${text}\n`],
    ['no newline at the end', text.slice(0, -1)],
    ['an empty origin', text.replace(/^.*\n/, '\n')],
  ])('is refused with %s', (_what, changed) => expect(parseCheckpoint(changed)).toBeNull())
})
