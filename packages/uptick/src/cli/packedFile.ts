import { closeSync, createReadStream, existsSync, openSync, readSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip, createInflateRaw } from 'node:zlib'
import { UsageError } from './command.ts'

const zipHeaderBytes = 30
const deflated = 8

/** The text of a file: as it is, gzipped, or the first file of a zip. @throws UsageError */
export function openText(path: string): Readable {
  if (!existsSync(path)) throw new UsageError(`there is no file ${path}`)
  const head = Buffer.alloc(zipHeaderBytes)
  const fd = openSync(path, 'r')
  const length = readSync(fd, head)
  closeSync(fd)
  if (head.readUInt16BE(0) === 0x1f8b) return unpacked(createReadStream(path), createGunzip())
  if (length < zipHeaderBytes || head.readUInt32LE(0) !== 0x04034b50) return createReadStream(path)
  if (head.readUInt16LE(8) !== deflated) throw new UsageError(`${path} is packed in a way that is not known`)
  const start = zipHeaderBytes + head.readUInt16LE(26) + head.readUInt16LE(28)
  return unpacked(createReadStream(path, { start }), createInflateRaw())
}

/** An error of the file is one of the text. */
function unpacked(file: Readable, unpack: ReturnType<typeof createGunzip>): Readable {
  file.on('error', (error) => unpack.destroy(error))
  return file.pipe(unpack)
}
