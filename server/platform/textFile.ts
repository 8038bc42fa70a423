import { isAscii } from 'node:buffer'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile, type FileHandle } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip, createInflateRaw } from 'node:zlib'
import { startOfText } from '../../contract/fileText.ts'
import { hasErrorCode } from './errorCode.ts'

const zipHeaderBytes = 30
const zipEndBytes = 22
const zipEntryBytes = 46
const zipDirectoryMax = 1_000_000
/** The first header of a zip, with the name of its file and what else it says, is shorter. */
const zipNameMax = 4096
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
  yield* unmarked(decoded(await openFile(path, options)))
}

/**
 * The text of a stream in pieces, packed as a file of `textOfFile` may be; of a zip the first file.
 * @throws RangeError if it is packed in another way, the error of Node if it cannot be read or is cut off
 */
export async function* textOfStream(stream: Readable): AsyncGenerator<string> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let head: Buffer = Buffer.alloc(0)
  let isEnded = false
  while (head.length < zipNameMax && !isEnded) {
    const next = await chunks.next()
    isEnded = next.done === true
    if (next.done !== true) head = Buffer.concat([head, next.value])
  }
  const packing = packingAt(head, 0)
  const all = Readable.from(
    (async function* () {
      yield head.subarray(packing.start)
      yield* { [Symbol.asyncIterator]: () => chunks }
    })(),
    { objectMode: false },
  )
  yield* unmarked(decoded(unpacked(all, packing.kind)))
}

async function* unmarked(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let isBegun = false
  for await (const piece of pieces) {
    yield isBegun ? piece : startOfText(piece)
    isBegun = true
  }
}

async function* decoded(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let isPlain = true
  for await (const chunk of bytes) {
    // Up to the first other character, as in nearly all files, there is nothing to decode.
    isPlain &&= isAscii(chunk)
    const piece = isPlain ? chunk.toString('latin1') : decoder.write(chunk)
    if (piece !== '') yield piece
  }
  const rest = decoder.end()
  if (rest !== '') yield rest
}

function unpacked(bytes: Readable, kind: Packing['kind']): Readable {
  if (kind === 'none') return bytes
  const unpack = (kind === 'gzip' ? createGunzip : createInflateRaw)({ chunkSize: pieceBytes })
  // An error reaches the reader of the text.
  return pipeline(bytes, unpack, () => undefined)
}

async function openFile(path: string, { gzipOnly = false }: { gzipOnly?: boolean }): Promise<Readable> {
  const packing = await packingOf(path)
  if (gzipOnly && packing.kind !== 'gzip') throw new RangeError('it is not gzipped')
  const bytes = createReadStream(path, { start: packing.start, highWaterMark: pieceBytes })
  return unpacked(bytes, packing.kind)
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
    const start = await zippedFileStart(file, stat.size)
    const head = Buffer.alloc(zipHeaderBytes)
    const { bytesRead } = await file.read(head, 0, zipHeaderBytes, start)
    return packingAt(head.subarray(0, bytesRead), start)
  } finally {
    await file.close()
  }
}

/** How the bytes are packed that begin with `head`, at `start` in the file. @throws RangeError if it is not known */
function packingAt(head: Buffer, start: number): Packing {
  if (head.length >= 2 && head.readUInt16BE(0) === 0x1f8b) return { kind: 'gzip', start }
  if (head.length < zipHeaderBytes || head.readUInt32LE(0) !== 0x04034b50) return { kind: 'none', start }
  if (head.readUInt16LE(8) !== deflated) throw new RangeError('it is packed in a way that is not known')
  return { kind: 'zip', start: start + zipHeaderBytes + head.readUInt16LE(26) + head.readUInt16LE(28) }
}

/**
 * Where the file of a zip begins that is read: the only one, or the only one that is no `.txt`. 0 in any other file.
 * @throws RangeError if there are several
 */
async function zippedFileStart(file: FileHandle, size: number): Promise<number> {
  const end = Buffer.alloc(zipEndBytes)
  await file.read(end, 0, zipEndBytes, Math.max(0, size - zipEndBytes))
  const count = end.readUInt16LE(10)
  if (end.readUInt32LE(0) !== 0x06054b50 || count <= 1) return 0
  const directory = Buffer.alloc(Math.min(end.readUInt32LE(12), zipDirectoryMax))
  await file.read(directory, 0, directory.length, end.readUInt32LE(16))
  const starts: number[] = []
  for (let at = 0; at + zipEntryBytes <= directory.length && directory.readUInt32LE(at) === 0x02014b50;) {
    const [name, extra, comment] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field))
    const nameEnd = at + zipEntryBytes + (name ?? 0)
    const isText = directory
      .toString('utf8', at + zipEntryBytes, nameEnd)
      .toLowerCase()
      .endsWith('.txt')
    if (!isText) starts.push(directory.readUInt32LE(at + 42))
    at = nameEnd + (extra ?? 0) + (comment ?? 0)
  }
  if (starts.length !== 1) throw new RangeError(`it has ${count} files: unpack it`)
  return starts[0] ?? 0
}

/** The SHA-256 of a file of any size, hex. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

/** The content of a file; null if there is none. */
export async function readIfThere(path: string | URL): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null
    throw error
  }
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
