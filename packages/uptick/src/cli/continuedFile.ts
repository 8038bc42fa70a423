import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'
import { UsageError } from './command.ts'

/** Longer than any line that `record` writes, but those of messages. */
const blockBytes = 64 * 1024
const newline = 0x0a

/** A file that is continued. `isNew`: its header is not written yet; the rows are split at their commas, null if there is none. */
export type ContinuedFile = { isNew: boolean; first: string[] | null; last: string[] | null }

/**
 * Prepares a file for more rows: cuts off a row that was written in part, and a header too.
 * @throws UsageError if the file has another header, or its last row is none of `record`
 */
export function continueRows(path: string, header: string): ContinuedFile {
  if (!existsSync(path)) return { isNew: true, first: null, last: null }
  const fd = openSync(path, 'r+')
  try {
    const begin = textAt(fd, 0, blockBytes)
    if (`${header}\n`.startsWith(begin) && begin !== `${header}\n`) {
      ftruncateSync(fd, 0)
      return { isNew: true, first: null, last: null }
    }
    assertHeader(path, begin, header)
    const size = cutPartialLine(fd)
    if (size <= header.length + 1) return { isNew: false, first: null, last: null }
    const end = textAt(fd, Math.max(0, size - blockBytes), blockBytes)
    const [first = '', last = ''] = [begin.split('\n')[1], end.trimEnd().split('\n').at(-1)]
    return { isNew: false, first: fieldsOf(path, first, header), last: fieldsOf(path, last, header) }
  } finally {
    closeSync(fd)
  }
}

/** Cuts off the end of a line that was written in part. */
export function cutPartialLineOf(path: string): void {
  if (!existsSync(path)) return
  const fd = openSync(path, 'r+')
  try {
    cutPartialLine(fd)
  } finally {
    closeSync(fd)
  }
}

/** @returns the length of the file that is left, in bytes */
function cutPartialLine(fd: number): number {
  const block = Buffer.alloc(blockBytes)
  let end = fstatSync(fd).size
  for (; end > 0; end = Math.max(0, end - blockBytes)) {
    const from = Math.max(0, end - blockBytes)
    const length = readSync(fd, block, 0, end - from, from)
    const at = block.subarray(0, length).lastIndexOf(newline)
    if (at < 0) continue
    end = from + at + 1
    break
  }
  ftruncateSync(fd, end)
  return end
}

function textAt(fd: number, from: number, length: number): string {
  const block = Buffer.alloc(length)
  return block.subarray(0, readSync(fd, block, 0, length, from)).toString()
}

const whyOtherHeader: readonly (readonly [test: (begin: string, header: string) => boolean, why: string])[] =
  [
    [(begin) => begin.startsWith('\ufeff'), 'begins with a byte order mark'],
    [
      (begin, header) => begin.startsWith(`${header}\r`),
      'has line ends of Windows (CRLF) where "record" writes LF',
    ],
  ]

function assertHeader(path: string, begin: string, header: string): void {
  if (begin.startsWith(`${header}\n`)) return
  const changed = whyOtherHeader.find(([test]) => test(begin, header))
  if (changed)
    throw new UsageError(
      `${path} ${changed[1]}: another program has saved it`,
      'convert it back, or choose another folder with -o',
    )
  const line = begin.split('\n', 1)[0]?.slice(0, 80)
  throw new UsageError(
    `${path} has other columns than "record" writes here: ${JSON.stringify(line)}`,
    `it writes ${header}`,
  )
}

/** @throws UsageError if the row is not whole */
function fieldsOf(path: string, row: string, header: string): string[] {
  const fields = row.split(',')
  if (fields.length === header.split(',').length && /^\d+$/.test(fields[0] ?? '')) return fields
  throw new UsageError(`${path} has a row that "record" did not write: ${JSON.stringify(row.slice(0, 80))}`)
}
