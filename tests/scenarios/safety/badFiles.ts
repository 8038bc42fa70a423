import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { seededRandom } from '../../support/random.ts'
import type { MemberClient } from '../../support/apiCalls.ts'
import { photo, uploadFile } from '../../support/uploads.ts'
import type { TestVenue } from '../../support/testVenue.ts'

type Bytes = Uint8Array
type UploadRequest = Parameters<typeof uploadFile>[2]
/** A malicious file: rejected, or rewritten so that it is harmless. */
export type BadFile = { name: string; expected: 'rejected' | 'rewritten'; make: () => Promise<UploadRequest> }

const marker = 'HARM-MARKER-'
const html = `<html><script>alert('${marker}')</script></html>`
const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert('${marker}')</script></svg>`
const jpeg = (width = 64): Promise<Buffer> => photo(width)
const pictureAs = async (format: 'png' | 'webp' | 'gif' | 'tiff' | 'avif'): Promise<Buffer> =>
  sharp(await jpeg())
    .toFormat(format)
    .toBuffer()
const animatedWebp = (): Promise<Buffer> =>
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
  const png = await pictureAs('png')
  return Buffer.concat([png.subarray(0, 33), chunk(type, data), png.subarray(33)])
}
/** A JPEG with a segment right after its start. */
const inJpeg = async (kind: number, data: Bytes): Promise<Buffer> => {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(data.length + 2)
  const picture = await jpeg()
  return Buffer.concat([picture.subarray(0, 2), Buffer.from([0xff, kind]), length, data, picture.subarray(2)])
}

/** A few hundred bytes that claim this many pixels. */
function pngClaiming(width: number, height: number): Buffer {
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
  (content: () => Bytes | Promise<Bytes>, more: UploadRequest = {}) =>
  async (): Promise<UploadRequest> => ({
    purpose: 'service',
    file: await content(),
    ...more,
  })
const rejectedFile = (name: string, make: BadFile['make']): BadFile => ({ name, expected: 'rejected', make })
const rewrittenFile = (name: string, make: BadFile['make']): BadFile => ({
  name,
  expected: 'rewritten',
  make,
})
const text = (body: string) => () => Buffer.from(body)

/** Kinds of files, names and forms that have harmed other sites. */
export const badFiles: readonly BadFile[] = [
  rejectedFile('SVG with a script', file(text(svg), { filename: 'a.svg', type: 'image/svg+xml' })),
  rejectedFile('SVG called .jpg', file(text(svg))),
  rejectedFile('HTML called .jpg', file(text(html))),
  rejectedFile('script', file(text('#!/bin/sh\nrm -rf /\n'))),
  rejectedFile(
    'GIF',
    file(() => pictureAs('gif')),
  ),
  rejectedFile(
    'TIFF',
    file(() => pictureAs('tiff')),
  ),
  rejectedFile(
    'AVIF',
    file(() => pictureAs('avif')),
  ),
  rejectedFile('PDF', file(text('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF'))),
  rejectedFile(
    'ZIP',
    file(() => Buffer.from('504b0304140000000000000000000000', 'hex')),
  ),
  rejectedFile(
    'program',
    file(() => Buffer.concat([Buffer.from('7f454c4602010100', 'hex'), seededRandom(200).bytes(200)])),
  ),
  rejectedFile(
    'empty file',
    file(() => Buffer.alloc(0)),
  ),
  rejectedFile(
    'JPEG head, then HTML',
    file(() => Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from(html)])),
  ),
  rejectedFile(
    'JPEG cut short',
    file(async () => (await photo(300, 300)).subarray(0, 400)),
  ),
  rejectedFile(
    'PNG of 3.6 billion pixels',
    file(() => pngClaiming(60_000, 60_000)),
  ),
  rejectedFile(
    'PNG of a single endless line',
    file(() => pngClaiming(2 ** 31 - 1, 1)),
  ),
  rejectedFile(
    'animated PNG',
    file(() => inPng('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))),
  ),
  rejectedFile(
    '11 MiB',
    file(async () => Buffer.concat([await jpeg(), Buffer.alloc(11 * 1024 * 1024)])),
  ),
  rejectedFile('two files', async () => {
    const one = { name: 'file', value: await jpeg(), filename: 'a.jpg' }
    return { parts: [one, one, { name: 'purpose', value: 'service' }] }
  }),
  rejectedFile('a thousand fields', async () => ({
    parts: Array.from({ length: 1000 }, (_, i) => ({ name: `f${i}`, value: 'x' })),
  })),
  rejectedFile('a field that is the prototype', async () => ({
    parts: [
      { name: '__proto__', value: 'x' },
      { name: 'file', value: await jpeg(), filename: 'a.jpg' },
    ],
  })),
  rejectedFile('a purpose of a megabyte', async () => ({
    parts: [
      { name: 'purpose', value: 'x'.repeat(1024 * 1024) },
      { name: 'file', value: await jpeg(), filename: 'a.jpg' },
    ],
  })),
  rewrittenFile(
    'JPEG with HTML behind it',
    file(async () => Buffer.concat([await jpeg(), Buffer.from(html)])),
  ),
  rewrittenFile(
    'JPEG with a ZIP behind it',
    file(async () => Buffer.concat([await jpeg(), Buffer.from(`PK\u0003\u0004${marker}`)])),
  ),
  rewrittenFile(
    'JPEG with a comment of HTML',
    file(() => inJpeg(0xfe, Buffer.from(html))),
  ),
  rewrittenFile(
    'EXIF with a position',
    file(async () =>
      sharp(await jpeg())
        .withExif({ IFD0: { Make: marker }, IFD3: { GPSLatitude: '31/1 13/1 0/1' } })
        .toBuffer(),
    ),
  ),
  rewrittenFile(
    'XMP',
    file(() => inJpeg(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0<x>${marker}</x>`))),
  ),
  rewrittenFile(
    'ICC profile of rubbish',
    file(() =>
      inJpeg(
        0xe2,
        Buffer.concat([Buffer.from(`ICC_PROFILE\0\u0001\u0001${marker}`), Buffer.alloc(60_000, 7)]),
      ),
    ),
  ),
  rewrittenFile(
    'PNG with text',
    file(() => inPng('tEXt', Buffer.from(`x\0${html}`))),
  ),
  rewrittenFile(
    'PNG with a bomb of text',
    file(() =>
      inPng('zTXt', Buffer.concat([Buffer.from('x\0\0'), deflateSync(Buffer.alloc(20_000_000, 65))])),
    ),
  ),
  rewrittenFile('animated WebP', file(animatedWebp)),
  rewrittenFile(
    'wrong content type',
    file(() => pictureAs('png'), { type: 'text/html' }),
  ),
  rewrittenFile('double extension', file(jpeg, { filename: 'a.jpg.php' })),
  rewrittenFile('a path out of the folder as its name', file(jpeg, { filename: '../../../desk.key' })),
  rewrittenFile('NUL in its name', file(jpeg, { filename: 'a.php\0.jpg' })),
]

export type FileReport = { tried: number; rejected: number; rewritten: number; violations: string[] }

/** Uploads each file and checks the result: on disk, for its member, for other members and for visitors. */
export async function sendBadFiles(venue: TestVenue, files: readonly BadFile[]): Promise<FileReport> {
  const report: FileReport = { tried: 0, rejected: 0, rewritten: 0, violations: [] }
  const other = await venue.createMember()
  const folder = join(venue.dataDir, 'uploads')
  for (const { name, expected, make } of files) {
    const member = await venue.createMember()
    const before = (await readdir(folder).catch(() => [])).length
    const reply = await uploadFile(venue.app, member, await make())
    report.tried += 1
    if (reply.status === 201) {
      const { uploadId } = reply.body as { uploadId: string }
      const violations = await violationsOf(venue, member, other, uploadId)
      report.violations.push(...violations.map((violation) => `${name}: ${violation}`))
      report.rewritten += 1
    } else {
      const after = (await readdir(folder).catch(() => [])).length
      if (![400, 413, 415].includes(reply.status)) report.violations.push(`${name}: ${reply.status}`)
      if (after !== before) report.violations.push(`${name}: rejected, but a file was written`)
      report.rejected += 1
    }
    const outcome = reply.status === 201 ? 'rewritten' : 'rejected'
    if (outcome !== expected) report.violations.push(`${name}: ${outcome}`)
  }
  return report
}

async function violationsOf(
  venue: TestVenue,
  owner: MemberClient,
  other: MemberClient,
  id: string,
): Promise<string[]> {
  const violations: string[] = []
  const get = (headers: Record<string, string>) =>
    venue.app.inject({ method: 'GET', url: `/api/uploads/${id}`, headers })
  const [own, others, anonymous] = [
    await get({ cookie: `sid=${owner.sid}` }),
    await get({ cookie: `sid=${other.sid}` }),
    await get({}),
  ]
  if (own.statusCode !== 200) violations.push(`its member gets ${own.statusCode}`)
  if (others.statusCode !== 404 || anonymous.statusCode !== 401)
    violations.push(`other members get ${others.statusCode}, visitors ${anonymous.statusCode}`)
  const { exif, xmp, iptc, icc, pages } = await sharp(own.rawPayload).metadata()
  if (exif ?? xmp ?? iptc ?? icc ?? own.rawPayload.includes(marker))
    violations.push('the picture has more than its pixels')
  if ((pages ?? 1) > 1) violations.push('it is animated')
  const stored = await readFile(join(venue.dataDir, 'uploads', id))
  if (stored.includes(own.rawPayload.subarray(0, 32)) || stored.includes(marker))
    violations.push('it is stored unencrypted')
  const auditCount = async (): Promise<number> =>
    (await venue.actLog.list({ limit: 10 }, { subjectKind: 'upload', subjectId: id })).items.length
  const before = await auditCount()
  await venue.uploads.viewForOffice(id, 'mei')
  if ((await auditCount()) !== before + 1)
    violations.push('the back office viewed it without an audit record')
  return violations
}

/** Pictures with some bytes changed or cut: rewritten or rejected, never an error. */
export function corruptedFiles(count: number, seed: number): BadFile[] {
  const random = seededRandom(seed)
  const below = (n: number): number => Math.floor(random.next() * n)
  return Array.from({ length: count }, (_, i): BadFile => {
    const make = async (): Promise<UploadRequest> => {
      const whole = await [jpeg, () => pictureAs('png'), () => pictureAs('webp')][i % 3]?.()
      const bytes = Buffer.from(whole ?? [])
      for (let k = 0; k <= below(6); k++) bytes[12 + below(bytes.length - 12)] = below(256)
      const bytesSent = below(4) === 0 ? bytes.subarray(0, below(bytes.length)) : bytes
      return { purpose: 'service', file: bytesSent }
    }
    return { name: `seed ${seed}, damaged ${i}`, expected: 'rejected', make }
  })
}

/** Uploads damaged pictures: both rewritten and rejected are correct. */
export async function sendCorrupted(venue: TestVenue, count: number, seed: number): Promise<FileReport> {
  const report = await sendBadFiles(venue, corruptedFiles(count, seed))
  const rewritten = /damaged \d+: rewritten$/
  return { ...report, violations: report.violations.filter((violation) => !rewritten.test(violation)) }
}
