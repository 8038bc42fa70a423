import { randomBytes } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { seededRandom } from '../random.ts'
import type { Guest } from '../house.ts'
import { photo, sendFile } from '../walletHouse.ts'
import type { WalletHouse } from '../walletHouse.ts'

type Bytes = Uint8Array
type Sent = Parameters<typeof sendFile>[2]
/** A file that means harm: refused with this status, or taken and then harmless. */
export type BadFile = { name: string; expected: 'refused' | 'rewritten'; make: () => Promise<Sent> }

const marker = 'HARM-MARKER-'
const html = `<html><script>alert('${marker}')</script></html>`
const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert('${marker}')</script></svg>`
const jpeg = (width = 64): Promise<Buffer> => photo(width)
const as = async (format: 'png' | 'webp' | 'gif' | 'tiff' | 'avif'): Promise<Buffer> =>
  sharp(await jpeg())
    .toFormat(format)
    .toBuffer()
const frames = (): Promise<Buffer> =>
  sharp(Buffer.alloc(8 * 16 * 3, 90), { raw: { width: 8, height: 16, channels: 3, pageHeight: 8 } })
    .webp({ loop: 0 })
    .toBuffer()

/** A PNG chunk: length, type, data, checksum. */
function chunk(type: string, data: Bytes): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc(body))
  return Buffer.concat([length, body, sum])
}
const crc = (data: Bytes): number => crc32(data)
const inPng = async (type: string, data: Bytes): Promise<Buffer> => {
  const png = await as('png')
  return Buffer.concat([png.subarray(0, 33), chunk(type, data), png.subarray(33)])
}
/** A JPEG segment right behind the start of the picture. */
const inJpeg = async (kind: number, data: Bytes): Promise<Buffer> => {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(data.length + 2)
  const picture = await jpeg()
  return Buffer.concat([picture.subarray(0, 2), Buffer.from([0xff, kind]), length, data, picture.subarray(2)])
}

/** A few hundred bytes that claim so many pixels. */
function claimed(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const data = chunk('IDAT', deflateSync(Buffer.alloc(100_000)))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    data,
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const file =
  (content: () => Bytes | Promise<Bytes>, more: Sent = {}) =>
  async (): Promise<Sent> => ({
    purpose: 'service',
    file: await content(),
    ...more,
  })
const refused = (name: string, make: BadFile['make']): BadFile => ({ name, expected: 'refused', make })
const rewritten = (name: string, make: BadFile['make']): BadFile => ({ name, expected: 'rewritten', make })
const text = (body: string) => () => Buffer.from(body)

/** Kinds of files, names and forms that have harmed other venues. */
export const badFiles: readonly BadFile[] = [
  refused('SVG with a script', file(text(svg), { filename: 'a.svg', type: 'image/svg+xml' })),
  refused('SVG called .jpg', file(text(svg))),
  refused('HTML called .jpg', file(text(html))),
  refused('script', file(text('#!/bin/sh\nrm -rf /\n'))),
  refused(
    'GIF',
    file(() => as('gif')),
  ),
  refused(
    'TIFF',
    file(() => as('tiff')),
  ),
  refused(
    'AVIF',
    file(() => as('avif')),
  ),
  refused('PDF', file(text('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF'))),
  refused(
    'ZIP',
    file(() => Buffer.from('504b0304140000000000000000000000', 'hex')),
  ),
  refused(
    'program',
    file(() => Buffer.concat([Buffer.from('7f454c4602010100', 'hex'), randomBytes(200)])),
  ),
  refused(
    'nothing',
    file(() => Buffer.alloc(0)),
  ),
  refused(
    'JPEG head, then HTML',
    file(() => Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from(html)])),
  ),
  refused(
    'JPEG cut short',
    file(async () => (await photo(300, 300)).subarray(0, 400)),
  ),
  refused(
    'PNG of 3.6 billion pixels',
    file(() => claimed(60_000, 60_000)),
  ),
  refused(
    'PNG of a single endless line',
    file(() => claimed(2 ** 31 - 1, 1)),
  ),
  refused(
    'animated PNG',
    file(() => inPng('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))),
  ),
  refused(
    '11 MiB',
    file(async () => Buffer.concat([await jpeg(), Buffer.alloc(11 * 1024 * 1024)])),
  ),
  refused('two files', async () => {
    const one = { name: 'file', value: await jpeg(), filename: 'a.jpg' }
    return { parts: [one, one, { name: 'purpose', value: 'service' }] }
  }),
  refused('a thousand fields', async () => ({
    parts: Array.from({ length: 1000 }, (_, i) => ({ name: `f${i}`, value: 'x' })),
  })),
  refused('a field that is the prototype', async () => ({
    parts: [
      { name: '__proto__', value: 'x' },
      { name: 'file', value: await jpeg(), filename: 'a.jpg' },
    ],
  })),
  refused('a purpose of a megabyte', async () => ({
    parts: [
      { name: 'purpose', value: 'x'.repeat(1024 * 1024) },
      { name: 'file', value: await jpeg(), filename: 'a.jpg' },
    ],
  })),
  rewritten(
    'JPEG with HTML behind it',
    file(async () => Buffer.concat([await jpeg(), Buffer.from(html)])),
  ),
  rewritten(
    'JPEG with a ZIP behind it',
    file(async () => Buffer.concat([await jpeg(), Buffer.from(`PK\u0003\u0004${marker}`)])),
  ),
  rewritten(
    'JPEG with a comment of HTML',
    file(() => inJpeg(0xfe, Buffer.from(html))),
  ),
  rewritten(
    'EXIF with a position',
    file(async () =>
      sharp(await jpeg())
        .withExif({ IFD0: { Make: marker }, IFD3: { GPSLatitude: '31/1 13/1 0/1' } })
        .toBuffer(),
    ),
  ),
  rewritten(
    'XMP',
    file(() => inJpeg(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0<x>${marker}</x>`))),
  ),
  rewritten(
    'ICC profile of rubbish',
    file(() =>
      inJpeg(
        0xe2,
        Buffer.concat([Buffer.from(`ICC_PROFILE\0\u0001\u0001${marker}`), Buffer.alloc(60_000, 7)]),
      ),
    ),
  ),
  rewritten(
    'PNG with text',
    file(() => inPng('tEXt', Buffer.from(`x\0${html}`))),
  ),
  rewritten(
    'PNG with a bomb of text',
    file(() =>
      inPng('zTXt', Buffer.concat([Buffer.from('x\0\0'), deflateSync(Buffer.alloc(20_000_000, 65))])),
    ),
  ),
  rewritten('animated WebP', file(frames)),
  rewritten(
    'wrong content type',
    file(() => as('png'), { type: 'text/html' }),
  ),
  rewritten('double extension', file(jpeg, { filename: 'a.jpg.php' })),
  rewritten('a way out of the folder as its name', file(jpeg, { filename: '../../../desk.key' })),
  rewritten('NUL in its name', file(jpeg, { filename: 'a.php\0.jpg' })),
]

export type FileReport = { tried: number; refused: number; rewritten: number; faults: string[] }

/** Sends each kind, and looks at what became of it: on disk, for its member, for others and for nobody. */
export async function sendBadFiles(house: WalletHouse, files: readonly BadFile[]): Promise<FileReport> {
  const report: FileReport = { tried: 0, refused: 0, rewritten: 0, faults: [] }
  const other = await house.enrol()
  const folder = join(house.dataDir, 'uploads')
  for (const { name, expected, make } of files) {
    const member = await house.enrol()
    const before = (await readdir(folder).catch(() => [])).length
    const reply = await sendFile(house.app, member, await make())
    report.tried += 1
    if (reply.status === 201) {
      const { uploadId } = reply.body as { uploadId: string }
      const faults = await faultsOf(house, member, other, uploadId)
      report.faults.push(...faults.map((fault) => `${name}: ${fault}`))
      report.rewritten += 1
    } else {
      const after = (await readdir(folder).catch(() => [])).length
      if (![400, 413, 415].includes(reply.status)) report.faults.push(`${name}: ${reply.status}`)
      if (after !== before) report.faults.push(`${name}: refused, and yet something was written`)
      report.refused += 1
    }
    const found = reply.status === 201 ? 'rewritten' : 'refused'
    if (found !== expected) report.faults.push(`${name}: ${found}`)
  }
  return report
}

async function faultsOf(house: WalletHouse, owner: Guest, other: Guest, id: string): Promise<string[]> {
  const faults: string[] = []
  const get = (headers: Record<string, string>) =>
    house.app.inject({ method: 'GET', url: `/api/uploads/${id}`, headers })
  const [own, others, nobodys] = [
    await get({ cookie: `sid=${owner.sid}` }),
    await get({ cookie: `sid=${other.sid}` }),
    await get({}),
  ]
  if (own.statusCode !== 200) faults.push(`its member sees ${own.statusCode}`)
  if (others.statusCode !== 404 || nobodys.statusCode !== 401)
    faults.push(`others see ${others.statusCode}, nobody ${nobodys.statusCode}`)
  const { exif, xmp, iptc, icc, pages } = await sharp(own.rawPayload).metadata()
  if (exif ?? xmp ?? iptc ?? icc ?? own.rawPayload.includes(marker))
    faults.push('something came along beside the pixels')
  if ((pages ?? 1) > 1) faults.push('it moves')
  const stored = await readFile(join(house.dataDir, 'uploads', id))
  if (stored.includes(own.rawPayload.subarray(0, 32)) || stored.includes(marker))
    faults.push('it lies there readable')
  const looks = async (): Promise<number> =>
    (await house.audit.list({ limit: 10 }, { subjectKind: 'upload', subjectId: id })).items.length
  const before = await looks()
  await house.uploads.viewForDesk(id, 'mei')
  if ((await looks()) !== before + 1) faults.push('the desk looked without a record')
  return faults
}

/** Pictures with some of their bytes changed, cut or doubled: taken or refused, never a fault. */
export function damaged(count: number, seed: number): BadFile[] {
  const random = seededRandom(seed)
  const below = (n: number): number => Math.floor(random.next() * n)
  return Array.from({ length: count }, (_, i): BadFile => {
    const make = async (): Promise<Sent> => {
      const whole = await [jpeg, () => as('png'), () => as('webp')][i % 3]?.()
      const bytes = Buffer.from(whole ?? [])
      for (let k = 0; k <= below(6); k++) bytes[12 + below(bytes.length - 12)] = below(256)
      const cut = below(4) === 0 ? bytes.subarray(0, below(bytes.length)) : bytes
      return { purpose: 'service', file: cut }
    }
    return { name: `damaged ${i}`, expected: 'refused', make }
  })
}

/** What became of damaged pictures: either way is right, so long as it is one of the two. */
export async function sendDamaged(house: WalletHouse, count: number, seed: number): Promise<FileReport> {
  const report = await sendBadFiles(house, damaged(count, seed))
  const either = /^damaged \d+: rewritten$/
  return { ...report, faults: report.faults.filter((fault) => !either.test(fault)) }
}
