import { randomBytes } from 'node:crypto'
import { readFile, readdir, writeFile, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync, crc32 } from 'node:zlib'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { uploadMaxBytes } from '../../../../contract/uploads.ts'
import { upload } from '../../../../server/notices/schema.ts'
import { createRateLimiter } from '../../../../server/platform/http/rateLimiter.ts'
import { testFence } from '../../../support/testFence.ts'
import { photo, uploadFile } from '../../../support/uploads.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue()
const { database } = venue
const member = await venue.createMember()
const send = (sent: Parameters<typeof uploadFile>[2]) => uploadFile(venue.app, member, sent)
const stored = async (id: string): Promise<Buffer> => (await venue.uploads.viewForOffice(id, 'test')).data
const raw = (id: string) =>
  venue.app.inject({ method: 'GET', url: `/api/uploads/${id}`, headers: { cookie: `sid=${member.sid}` } })

describe('valid pictures', () => {
  it.each(['jpeg', 'png', 'webp'] as const)('accepts %s with any file name', async (format) => {
    const file = await sharp(await photo())
      .toFormat(format)
      .toBuffer()
    const reply = await send({ purpose: 'service', file, filename: 'notes.txt', type: 'text/plain' })
    expect(reply.status).toBe(201)
    const { uploadId } = reply.body as { uploadId: string }
    expect((await sharp(await stored(uploadId)).metadata()).format).toBe(format)
  })

  it('accepts the purpose after the file', async () => {
    const parts = [
      { name: 'file', value: await photo(), filename: 'a.jpg', type: 'image/jpeg' },
      { name: 'purpose', value: 'service' },
    ]
    expect((await send({ parts })).status).toBe(201)
  })

  it('removes metadata', async () => {
    const file = await sharp(await photo(80, 40))
      .withExif({ IFD0: { Make: 'CanaryCam', Orientation: '6' }, IFD3: { GPSLatitude: '31/1 13/1 0/1' } })
      .toBuffer()
    expect(file.includes('CanaryCam')).toBe(true)
    const picture = await stored(await venue.upload(member, 'id_front', file))
    expect(picture.includes('CanaryCam')).toBe(false)
    const metadata = await sharp(picture).metadata()
    expect([metadata.exif, metadata.xmp, metadata.icc, metadata.iptc]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('scales down large pictures', async () => {
    const picture = await stored(await venue.upload(member, 'service', await photo(6000, 300)))
    expect(await sharp(picture).metadata()).toMatchObject({ width: 4096, height: 205 })
  })

  it('stores a picture in no more bytes than an upload may have', async () => {
    const width = 4800
    const blackAndWhite = randomBytes(width * width).map((byte) => (byte & 1) * 255)
    const file = await sharp(blackAndWhite, { raw: { width, height: width, channels: 1 } })
      .png({ palette: true, colours: 2, compressionLevel: 1 })
      .toBuffer()
    expect(file.length).toBeLessThan(uploadMaxBytes)
    const picture = await stored(await venue.upload(member, 'service', file))
    expect(picture.length).toBeLessThan(uploadMaxBytes)
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'jpeg', width: 4096 })
  })
})

describe('malicious files', () => {
  const html = '<html><script>alert(1)</script></html>'
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
  const other = (format: 'gif' | 'tiff' | 'avif') => photo().then((p) => sharp(p).toFormat(format).toBuffer())
  const kinds: [string, () => Promise<Uint8Array> | Uint8Array][] = [
    ['SVG', () => Buffer.from(svg)],
    ['SVG with an XML head', () => Buffer.from(`<?xml version="1.0"?>${svg}`)],
    ['HTML called .jpg', () => Buffer.from(html)],
    ['script', () => Buffer.from('#!/bin/sh\nrm -rf /\n')],
    ['GIF', () => other('gif')],
    ['TIFF', () => other('tiff')],
    ['AVIF', () => other('avif')],
    ['PDF', () => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF')],
    ['ZIP', () => Buffer.from('504b030414000000000000000000000000000000000000000000', 'hex')],
    ['executable', () => Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)])],
    ['ELF', () => Buffer.concat([Buffer.from('7f454c4602010100', 'hex'), Buffer.alloc(200)])],
    ['MP4', () => Buffer.from('0000001c667479706d703432000000006d70343269736f6d', 'hex')],
    ['BMP', () => Buffer.concat([Buffer.from('BM'), Buffer.alloc(100)])],
    ['nothing', () => Buffer.alloc(0)],
    ['one byte', () => Buffer.from([0xff])],
    ['JPEG head and then HTML', () => Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from(html)])],
    ['JPEG cut short', async () => (await photo(300, 300)).subarray(0, 400)],
    [
      'PNG cut short',
      async () =>
        (
          await sharp(await photo(300, 300))
            .png()
            .toBuffer()
        ).subarray(0, 120),
    ],
    [
      'WebP cut short',
      async () =>
        (
          await sharp(await photo(300, 300))
            .webp()
            .toBuffer()
        ).subarray(0, 60),
    ],
    ['decompression bomb', () => pngOf(60_000, 60_000)],
    [
      'animated PNG',
      async () =>
        animated(
          await sharp(await photo())
            .png()
            .toBuffer(),
        ),
    ],
  ]
  it.each(kinds)('rejects %s with 415', async (_name, createFile) => {
    const before = (await readdir(join(venue.dataDir, 'uploads'))).length
    const reply = await send({ purpose: 'id_front', file: await createFile() })
    expect([reply.status, reply.code]).toEqual([415, 'FILE_TYPE'])
    expect((await readdir(join(venue.dataDir, 'uploads'))).length).toBe(before)
  })

  it('removes data after the end of a picture', async () => {
    const zip = Buffer.from('504b0304hidden payload', 'latin1')
    const file = Buffer.concat([await photo(), Buffer.from(html), zip])
    const picture = await stored(await venue.upload(member, 'service', file))
    expect(picture.includes('alert(1)')).toBe(false)
    expect(picture.includes('hidden payload')).toBe(false)
  })

  it('removes text chunks of a PNG', async () => {
    const png = await sharp(await photo())
      .png()
      .toBuffer()
    const file = Buffer.concat([
      png.subarray(0, 33),
      chunk('tEXt', Buffer.from(`x\0${html}`)),
      png.subarray(33),
    ])
    const picture = await stored(await venue.upload(member, 'service', file))
    expect(picture.includes('alert(1)')).toBe(false)
  })
})

describe('invalid requests', () => {
  it.each([
    ['no purpose', async () => ({ file: await photo() }), { purpose: 'REQUIRED' }],
    ['no file', async () => ({ purpose: 'service' }), { file: 'REQUIRED' }],
    ['another purpose', async () => ({ purpose: 'avatar', file: await photo() }), { purpose: 'INVALID' }],
    [
      'another field',
      async () => ({ parts: [{ name: 'memberId', value: 'x' }] }),
      { memberId: 'UNKNOWN_FIELD' },
    ],
    [
      'two files',
      async () => {
        const file = { name: 'file', value: await photo(), filename: 'a.jpg' }
        return { parts: [file, file, { name: 'purpose', value: 'service' }] }
      },
      { file: 'INVALID' },
    ],
    [
      'two purposes',
      async () => {
        const purpose = { name: 'purpose', value: 'service' }
        return { parts: [purpose, purpose, { name: 'file', value: await photo(), filename: 'a.jpg' }] }
      },
      { file: 'INVALID' },
    ],
  ])('rejects %s with 400', async (_name, createForm, fields) => {
    const reply = await send(await createForm())
    expect([reply.status, reply.code, reply.fields]).toEqual([400, 'VALIDATION', fields])
  })

  it('rejects JSON with 415 and an incomplete form with 400', async () => {
    expect((await member.send('POST', '/uploads', {})).code).toBe('MEDIA_TYPE')
    const headers = { cookie: `sid=${member.sid}`, 'x-csrf-token': member.token }
    const half = await venue.app.inject({
      method: 'POST',
      url: '/api/uploads',
      headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
      payload: '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nhalf',
    })
    expect(half.statusCode).toBe(400)
    const nameless = await venue.app.inject({
      method: 'POST',
      url: '/api/uploads',
      headers: { ...headers, 'content-type': 'multipart/form-data' },
      payload: 'x',
    })
    expect(nameless.statusCode).toBeGreaterThanOrEqual(400)
    expect(nameless.statusCode).toBeLessThan(500)
  })

  it('rejects a form at other routes', async () => {
    const answer = await venue.app.inject({
      method: 'POST',
      url: '/api/verification',
      headers: {
        cookie: `sid=${member.sid}`,
        'x-csrf-token': member.token,
        'content-type': 'multipart/form-data; boundary=b',
      },
      payload: '--b--\r\n',
    })
    expect(answer.statusCode).toBe(415)
  })

  it('rejects more than 10 MiB with 413', async () => {
    const jpeg = await photo()
    const full = Buffer.concat([jpeg, Buffer.alloc(uploadMaxBytes - jpeg.length)])
    expect((await send({ purpose: 'service', file: full })).status).toBe(201)
    const over = Buffer.concat([full, Buffer.alloc(1)])
    expect(await send({ purpose: 'service', file: over })).toMatchObject({
      status: 413,
      code: 'FILE_TOO_LARGE',
    })
    const farOver = Buffer.alloc(uploadMaxBytes + 100_000)
    expect((await send({ purpose: 'service', file: farOver })).code).toBe('FILE_TOO_LARGE')
  })

  it('rejects a request without a session, and without the CSRF token', async () => {
    const anonymous = await venue.app.inject({ method: 'POST', url: '/api/uploads' })
    expect(anonymous.statusCode).toBe(401)
    const tokenless = await uploadFile(
      venue.app,
      { ...member, token: 'x' },
      { purpose: 'service', file: await photo() },
    )
    expect(tokenless.code).toBe('CSRF')
  })
})

describe('viewing a picture', () => {
  it('sends service and deposit pictures to their owner, with strict headers', async () => {
    for (const purpose of ['service', 'deposit_proof'] as const) {
      const answer = await raw(await venue.upload(member, purpose))
      expect(answer.statusCode).toBe(200)
      expect(answer.headers).toMatchObject({
        'content-type': 'image/jpeg',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'cache-control': 'no-store',
      })
      expect((await sharp(answer.rawPayload).metadata()).width).toBe(64)
    }
  })

  it('answers 404 for photos of identity documents and pictures of others', async () => {
    for (const purpose of ['id_front', 'id_back'] as const) {
      expect((await raw(await venue.upload(member, purpose))).statusCode).toBe(404)
    }
    const other = await venue.createMember()
    expect((await raw(await venue.upload(other, 'service'))).statusCode).toBe(404)
    expect((await raw('nothing')).statusCode).toBe(404)
    expect((await raw('..%2f..%2fdesk.key')).statusCode).toBe(404)
  })

  it('writes an audit row for each view by the back office, and audit rows cannot change', async () => {
    const id = await venue.upload(member, 'id_front')
    await venue.uploads.viewForOffice(id, 'mei')
    await venue.uploads.viewForOffice(id, 'tom')
    const { items } = await venue.actLog.list({ limit: 10 }, { subjectKind: 'upload', subjectId: id })
    expect(items.map(({ actor, act, memberId }) => [actor, act, memberId])).toEqual([
      ['tom', 'view', member.id],
      ['mei', 'view', member.id],
    ])
    await expect(venue.uploads.viewForOffice('nothing', 'mei')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(database.pool.query(`UPDATE audit SET actor = 'x'`)).rejects.toThrow('never changed')
    await expect(database.pool.query('DELETE FROM audit')).rejects.toThrow('never changed')
    await expect(database.pool.query('TRUNCATE audit')).rejects.toThrow('never changed')
  })

  it('encrypts files, bound to their id', async () => {
    const [a, b] = [await venue.upload(member, 'service'), await venue.upload(member, 'service')]
    const path = (id: string): string => join(venue.dataDir, 'uploads', id)
    const bytes = await readFile(path(a))
    expect(bytes.includes('JFIF')).toBe(false)
    await writeFile(path(b), bytes)
    await expect(venue.uploads.viewForOffice(b, 'mei')).rejects.toThrow()
  })
})

describe('clean-up', () => {
  it('removes unused uploads after 24 h and orphaned files of an hour ago at the start', async () => {
    const [unused, used] = [
      await venue.upload(member, 'service'),
      await venue.upload(member, 'deposit_proof'),
    ]
    const by = { kind: 'test', id: '1' }
    const use = { id: used, memberId: member.id, sentBy: null, purpose: 'deposit_proof', by } as const
    expect(await venue.db.transaction((tx) => venue.uploads.use(tx, use))).toBe(true)
    expect(await venue.db.transaction((tx) => venue.uploads.use(tx, use))).toBe(false)
    await venue.clock.jumpBy(24 * 3_600_000 - 1)
    await venue.uploads.removeUnused(testFence)
    expect(await venue.db.select().from(upload).where(eq(upload.id, unused))).toHaveLength(1)
    await venue.clock.advance(1)
    const late = { ...use, id: unused, purpose: 'service' } as const
    expect(await venue.db.transaction((tx) => venue.uploads.use(tx, late))).toBe(false)
    expect(await venue.uploads.removeUnused(testFence)).toBeGreaterThan(0)
    expect(await venue.db.select().from(upload).where(eq(upload.id, unused))).toEqual([])

    const orphan = venue.random.uuid()
    const inFlight = `${venue.random.uuid()}.part`
    const writeFileAt = async (name: string, ageMs: number): Promise<void> => {
      const path = join(venue.dataDir, 'uploads', name)
      await writeFile(path, 'x')
      const at = new Date(venue.clock.now() - ageMs)
      await utimes(path, at, at)
    }
    await writeFileAt(orphan, 3_600_001)
    await writeFileAt(`${venue.random.uuid()}.part`, 3_600_001)
    await writeFileAt(inFlight, 3_599_999)
    await writeFile(join(venue.dataDir, 'uploads', 'README'), 'not ours')
    await venue.modules.start()
    const names = await readdir(join(venue.dataDir, 'uploads'))
    expect(names).toContain(used)
    expect(names).toContain('README')
    expect(names).not.toContain(unused)
    expect(names).not.toContain(orphan)
    // An upload that another node of the venue is receiving.
    expect(names.filter((name) => name.endsWith('.part'))).toEqual([inFlight])
    await expect(database.pool.query(`DELETE FROM upload WHERE id = '${used}'`)).rejects.toThrow('stays')
  })
})

it('allows 20 uploads an hour', () => {
  const rateLimiter = createRateLimiter(venue.clock)
  for (let i = 0; i < 20; i++) rateLimiter.take('uploads', 'm')
  expect(() => rateLimiter.take('uploads', 'm')).toThrow('RATE_LIMITED')
})

/** A PNG chunk: length, type, data, checksum. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(checksum(body))
  return Buffer.concat([length, body, sum])
}

const checksum = (data: Buffer): number => crc32(data)

/** A PNG that claims to be this large: a few hundred bytes that would decode to gigabytes. */
function pngOf(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const data = chunk('IDAT', deflateSync(Buffer.alloc(100_000)))
  return Buffer.concat([signature, chunk('IHDR', head), data, chunk('IEND', Buffer.alloc(0))])
}

/** Marks a PNG as animated with an `acTL` chunk. */
function animated(png: Buffer): Buffer {
  const frames = Buffer.alloc(8)
  frames.writeUInt32BE(2, 0)
  return Buffer.concat([png.subarray(0, 33), chunk('acTL', frames), png.subarray(33)])
}
