// Many sockets that only listen, in a separate process. They are plain TCP with a minimal WebSocket, so that the bench
// measures the sending side: full clients would be most of the work.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { socketPath } from '../../../contract/socket.ts'
import { framePrefix, nowUs, type FromReceivers, type Side, type ToReceivers } from './messages.ts'

const [side, port, size, products] = process.argv.slice(2) as [Side, string, string, string]
let count = 0
const atOnce = 100
/** Enough for ten seconds at the venue's pace; a saturated measurement only counts beyond it. */
const delaysMax = 2_000_000

const delays = new Float64Array(delaysMax)
let delayCount = 0
let frames = 0
let startedUs = 0
let received = 0
const report = (message: FromReceivers): void => void process.send?.(message)

function onTicks(sentUs: number, atUs: number): void {
  if (delayCount < delaysMax) delays[delayCount++] = atUs - sentUs
  frames += 1
  received += 1
  if (received % count === 0) report({ kind: 'delivered' })
}

process.on('message', (message: ToReceivers) => {
  const at = nowUs()
  if (typeof message === 'object') {
    void open(message.open)
    return
  }
  if (message === 'begin') {
    delayCount = 0
    frames = 0
    startedUs = at
    return
  }
  const sorted = delays.slice(0, delayCount).sort()
  const ms = (share: number): number => (sorted[Math.ceil(delayCount * share) - 1] ?? Number.NaN) / 1000
  report({
    kind: 'measured',
    perSecond: frames / ((at - startedUs) / 1e6),
    p50Ms: ms(0.5),
    p99Ms: ms(0.99),
  })
})
process.on('disconnect', () => process.exit(0))

/** All sockets read into one buffer, because each read is processed before the next. */
const shared = Buffer.alloc(64 * 1024)

const digit0 = '0'.charCodeAt(0)
const tickMark = framePrefix.charCodeAt(2 + 2)

/** Parses server frames (unmasked, complete) and passes on the range of each payload. */
function frameReader(onPayload: (bytes: Buffer, from: number, to: number) => void) {
  let rest: Buffer | undefined
  return (chunk: Buffer): void => {
    const bytes = rest ? Buffer.concat([rest, chunk]) : chunk
    rest = undefined
    let at = 0
    while (at < bytes.length) {
      const short = (bytes[at + 1] ?? 0) & 0x7f
      const head = short === 126 ? 4 : 2
      if (short === 127) throw new Error('a frame is too long')
      const length = at + head > bytes.length ? Infinity : short === 126 ? bytes.readUInt16BE(at + 2) : short
      const end = at + head + length
      if (end > bytes.length) break
      onPayload(bytes, at + head, end)
      at = end
    }
    if (at < bytes.length) rest = Buffer.from(bytes.subarray(at))
  }
}

/** A client's text frame: masked, with a mask of zeros. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const head =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0])
      : Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 0xff, 0, 0, 0, 0])
  return Buffer.concat([head, payload])
}

/** Opens one socket, and subscribes if the sender is the venue. */
async function openReceiver(): Promise<void> {
  let onReady = (): void => undefined
  const ready = new Promise<void>((done) => (onReady = done))
  let upgraded = false
  let head = ''

  const read = frameReader((bytes, from, to) => {
    if (bytes[from + 4] === tickMark && bytes[from + 1] === framePrefix.charCodeAt(1)) {
      let sent = 0
      for (let i = from + framePrefix.length; i < to; i++) {
        const digit = (bytes[i] ?? 0) - digit0
        if (digit < 0 || digit > 9) break
        sent = sent * 10 + digit
      }
      onTicks(sent, nowUs())
    } else answer(bytes.toString('utf8', from, to))
  })
  const answer = (text: string): void => {
    if (text === '2') socket.write(textFrame('3'))
    else if (text.startsWith('0')) socket.write(textFrame('40'))
    else if (text.startsWith('40')) socket.write(textFrame(`420["subscribe",{"products":${products}}]`))
    else if (text.startsWith('430')) onReady()
  }
  const onBytes = (bytes: Buffer): void => {
    if (upgraded) return read(bytes)
    head += bytes.toString('latin1')
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    if (!head.startsWith('HTTP/1.1 101')) throw new Error(head)
    upgraded = true
    if (side === 'raw') onReady()
    const more = Buffer.from(head.slice(end + 4), 'latin1')
    if (more.length > 0) read(more)
  }
  const socket: Socket = connect({
    host: '127.0.0.1',
    port: Number(port),
    onread: {
      buffer: shared,
      callback: (length) => {
        onBytes(shared.subarray(0, length))
        return true
      },
    },
  })
  socket.setNoDelay(true)
  await once(socket, 'connect')
  socket.write(
    [
      `GET ${side === 'raw' ? '/' : `${socketPath}/?EIO=4&transport=websocket`} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      '\r\n',
    ].join('\r\n'),
  )
  await ready
  socket.on('close', () => {
    throw new Error('a socket was closed')
  })
}

/** Opens more sockets. Reports when they are connected. */
async function open(more: number): Promise<void> {
  count += more
  received = 0
  let remaining = more
  const openReceivers = async (): Promise<void> => {
    while (remaining > 0) {
      remaining -= 1
      await openReceiver()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, openReceivers))
  report({ kind: 'ready' })
}

await open(Number(size))
