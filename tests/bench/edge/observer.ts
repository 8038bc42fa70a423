// Between the nodes and PostgreSQL, and a socket at each edge: it sees when PostgreSQL answers that a flush is committed, and
// when an edge has sent it to a socket. It is a process of its own, because the load beside it would delay what it sees.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { io } from 'socket.io-client'
import type { SubscribeReply } from '../../../contract/socket.ts'
import { nowUs } from '../fanout/messages.ts'
import { orderBytes } from './bareOrder.ts'
import type { FromObserver, Seen, ToObserver } from './messages.ts'

const target = new URL(process.argv[2] ?? '')
const report = (message: FromObserver): void => void process.send?.(message)

/** The name of the statement that writes a flush, as PostgreSQL's protocol ends a text. */
const statement = Buffer.from('insert_tick_batch\0')
const committed = Buffer.from('INSERT 0 1\0')

let seen: Seen | null = null
let bareSender: Socket | null = null
let isBare = false

/** What writes a flush: its instant, and the bytes of the statement with its row. */
type Writing = { at: number; bytes: number }

/** The flush that these bytes write, its instant being the second parameter of the statement; null if they write none. */
function flushOf(bytes: Buffer): Writing | null {
  const name = bytes.lastIndexOf(statement)
  if (name < 0) return null
  let at = name + statement.length
  const readInt16 = (): number => bytes.readInt16BE((at += 2) - 2)
  const formats = readInt16()
  at += formats * 2
  if (readInt16() < 2) return null
  const readText = (): string => {
    const length = bytes.readInt32BE(at)
    const text = bytes.toString('latin1', at + 4, at + 4 + length)
    at += 4 + length
    return text
  }
  readText()
  return { at: Number(readText()), bytes: bytes.length }
}

function onCommit({ at }: Writing): void {
  seen?.committed.push([at, nowUs()])
}

/** Has as many bytes sent as the flush has, over the same ways. */
function orderBare({ at, bytes }: Writing): void {
  const order = Buffer.alloc(orderBytes)
  order.writeDoubleBE(at)
  order.writeUInt32BE(bytes, 8)
  bareSender?.write(order)
}

const server = createServer({ noDelay: true }, (node) => {
  const postgres = connect({ host: target.hostname, port: Number(target.port), noDelay: true })
  let writing: Writing | null = null
  node.on('data', (bytes) => {
    writing = flushOf(bytes) ?? writing
    postgres.write(bytes)
  })
  postgres.on('data', (bytes) => {
    const flush = writing !== null && bytes.includes(committed) ? writing : null
    if (flush !== null) onCommit(flush)
    node.write(bytes)
    if (flush === null) return
    writing = null
    if (isBare) orderBare(flush)
  })
  const end = (): void => {
    node.destroy()
    postgres.destroy()
  }
  const sockets: readonly Socket[] = [node, postgres]
  for (const socket of sockets) socket.on('close', end).on('error', end)
})

async function watch(url: string, product: string): Promise<void> {
  const socket = io(url, { transports: ['websocket'], forceNew: true, reconnection: false })
  socket.once('disconnect', (reason) => {
    if (seen !== null) throw new Error(`the edge ended the observer's socket: ${reason}`)
  })
  socket.on('ticks', ([at = 0]: number[]) => seen?.received.push([at, nowUs()]))
  await new Promise<void>((done) => socket.once('hello', () => done()))
  const reply = (await socket.emitWithAck('subscribe', { products: [product] })) as SubscribeReply
  if (!reply.ok) throw new Error(`subscribing failed: ${reply.code}`)
}

async function handle(message: ToObserver): Promise<void> {
  if (message.kind === 'watch') {
    bareSender = connect({ host: '127.0.0.1', port: message.barePort, noDelay: true })
    await Promise.all(message.urls.map((url) => watch(url, message.product)))
    report({ kind: 'watching' })
  } else if (message.kind === 'begin') {
    seen = { committed: [], received: [] }
    isBare = message.isBare
  } else {
    report({ kind: 'measured', seen: seen ?? { committed: [], received: [] } })
    seen = null
    isBare = false
  }
}
process.on('message', (message: ToObserver) => void handle(message))
process.on('disconnect', () => process.exit(0))

server.listen(0, '127.0.0.1')
await once(server, 'listening')
report({ kind: 'listening', port: (server.address() as AddressInfo).port })
