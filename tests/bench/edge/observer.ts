// Between the nodes and PostgreSQL, and a socket at each edge: it sees when PostgreSQL answers that a flush is committed,
// when a follower of the log has applied it, and when an edge has sent it to a socket. It is a process of its own, because
// the load beside it would delay what it sees.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { io } from 'socket.io-client'
import type { SubscribeReply } from '../../../contract/socket.ts'
import { followVenue } from './follower.ts'
import type { Delays, FromObserver, ToObserver } from './messages.ts'

const target = new URL(process.argv[2] ?? '')
const report = (message: FromObserver): void => void process.send?.(message)

/** The name of the statement that writes a flush, as PostgreSQL's protocol ends a text. */
const statement = Buffer.from('insert_tick_batch\0')
const committed = Buffer.from('INSERT 0 1\0')
/** Flushes whose arrival at an edge can still come. */
const flushesMax = 400

/** When each flush was committed, by its instant. */
const committedAt = new Map<number, number>()
let delays: Delays | null = null
let endFollowing = async (): Promise<void> => undefined

/** The instant of a flush: the second parameter of the statement in these bytes; null if they do not write a flush. */
function flushInstant(bytes: Buffer): number | null {
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
  return Number(readText())
}

function onCommit(at: number): void {
  committedAt.set(at, performance.now())
  if (committedAt.size <= flushesMax) return
  const [eldest] = committedAt.keys()
  if (eldest !== undefined) committedAt.delete(eldest)
}

/** Adds the time since a flush was committed. */
function onArrival(at: number | undefined, to: keyof Delays): void {
  const commit = committedAt.get(at ?? 0)
  if (commit !== undefined) delays?.[to].push(performance.now() - commit)
}

const server = createServer({ noDelay: true }, (node) => {
  const postgres = connect({ host: target.hostname, port: Number(target.port), noDelay: true })
  let writing: number | null = null
  node.on('data', (bytes) => {
    writing = flushInstant(bytes) ?? writing
    postgres.write(bytes)
  })
  postgres.on('data', (bytes) => {
    if (writing !== null && bytes.includes(committed)) {
      onCommit(writing)
      writing = null
    }
    node.write(bytes)
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
    if (delays !== null) throw new Error(`the edge ended the observer's socket: ${reason}`)
  })
  socket.on('ticks', ([at]: number[]) => onArrival(at, 'receivedMs'))
  await new Promise<void>((done) => socket.once('hello', () => done()))
  const reply = (await socket.emitWithAck('subscribe', { products: [product] })) as SubscribeReply
  if (!reply.ok) throw new Error(`subscribing failed: ${reply.code}`)
}

async function handle(message: ToObserver): Promise<void> {
  if (message.kind === 'watch') {
    endFollowing = await followVenue(message.venue, (at) => onArrival(at, 'appliedMs'))
    await Promise.all(message.urls.map((url) => watch(url, message.product)))
    report({ kind: 'watching' })
  } else if (message.kind === 'unwatch') {
    await endFollowing()
    report({ kind: 'unwatched' })
  } else if (message.kind === 'begin') delays = { appliedMs: [], receivedMs: [] }
  else {
    report({ kind: 'measured', ...(delays ?? { appliedMs: [], receivedMs: [] }) })
    delays = null
  }
}
process.on('message', (message: ToObserver) => void handle(message))
process.on('disconnect', () => process.exit(0))

server.listen(0, '127.0.0.1')
await once(server, 'listening')
report({ kind: 'listening', port: (server.address() as AddressInfo).port })
