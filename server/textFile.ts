import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import type { Readable } from 'node:stream'
import { createGunzip, createInflateRaw } from 'node:zlib'
import { startOfText } from '../contract/fileText.ts'

const zipHeaderBytes = 30
const zipEndBytes = 22
const deflated = 8
const pieceBytes = 256 * 1024

/**
 * The text of a file in pieces, without its byte order mark: as it is, gzipped, or the only file of a zip.
 * @param options `gzipOnly` refuses every other file
 * @throws RangeError if it is not such a file, the error of Node if it cannot be read or is cut off
 */
export async function* textOfFile(
  path: string,
  options: { gzipOnly?: boolean } = {},
): AsyncGenerator<string> {
  let isBegun = false
  for await (const piece of (await openFile(path, options)) as AsyncIterable<string>) {
    yield isBegun ? piece : startOfText(piece)
    isBegun = true
  }
}

async function openFile(path: string, { gzipOnly = false }: { gzipOnly?: boolean }): Promise<Readable> {
  const packing = await packingOf(path)
  if (gzipOnly && packing.kind !== 'gzip') throw new RangeError('it is not gzipped')
  const bytes = createReadStream(path, { start: packing.start, highWaterMark: pieceBytes })
  if (packing.kind === 'none') return bytes.setEncoding('utf8')
  const unpack = (packing.kind === 'gzip' ? createGunzip : createInflateRaw)({ chunkSize: pieceBytes })
  // The reader of the text is told of an error.
  return pipeline(bytes, unpack, () => undefined).setEncoding('utf8')
}

type Packing = { kind: 'none' | 'gzip' | 'zip'; start: number }

/** @throws RangeError if the file is packed in another way, or a folder */
async function packingOf(path: string): Promise<Packing> {
  const file = await open(path)
  try {
    const stat = await file.stat()
    if (stat.isDirectory()) throw new RangeError('it is a folder')
    // A pipe has no beginning to look at.
    if (!stat.isFile()) return { kind: 'none', start: 0 }
    const head = Buffer.alloc(zipHeaderBytes)
    const { bytesRead } = await file.read(head, 0, zipHeaderBytes, 0)
    if (head.readUInt16BE(0) === 0x1f8b) return { kind: 'gzip', start: 0 }
    if (bytesRead < zipHeaderBytes || head.readUInt32LE(0) !== 0x04034b50) return { kind: 'none', start: 0 }
    if (head.readUInt16LE(8) !== deflated) throw new RangeError('it is packed in a way that is not known')
    const end = Buffer.alloc(zipEndBytes)
    await file.read(end, 0, zipEndBytes, Math.max(0, stat.size - zipEndBytes))
    const files = end.readUInt32LE(0) === 0x06054b50 ? end.readUInt16LE(10) : 1
    if (files > 1) throw new RangeError(`it has ${files} files: unpack it`)
    return { kind: 'zip', start: zipHeaderBytes + head.readUInt16LE(26) + head.readUInt16LE(28) }
  } finally {
    await file.close()
  }
}

/** The SHA-256 of a file of any size, hex. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

/** Why Node could not read a file, after its name. */
export function whyUnreadable(error: unknown): string {
  const { code = '', message } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) }
  if (code === 'ENOENT') return 'is missing'
  return code === 'Z_BUF_ERROR' ? 'is cut off: unexpected end of file' : `cannot be read: ${message}`
}

/** Why `parseJsonFile` or reading the file for it failed, after the file's name. */
export function whyNotJson(error: unknown): string {
  if (error instanceof RangeError) return `cannot be read: ${error.message}`
  return error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
}
