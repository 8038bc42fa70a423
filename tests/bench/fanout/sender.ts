// One sending side in its own process, with the receivers in another: the venue's sockets, or raw `ws`. Once all receivers
// are connected it sends when it is told to, at the venue's pace or as fast as the receivers can read, and else is idle.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type * as Ws from 'ws'
import { assertNever } from '../../../contract/units.ts'
import { frameIntervalMs } from '../../../contract/constants.ts'
import type { Flush } from '../../../server/market/ports.ts'
import { noRateLimits } from '../../../server/platform/http/rateLimiter.ts'
import { createMemberSockets } from '../../../server/market/realtime/memberSockets.ts'
import { createRealtime } from '../../../server/market/realtime/realtime.ts'
import { manualClock } from '../../support/manualClock.ts'
import { singleMemberAuthenticator } from '../../support/httpApp.ts'
import { fakeMarket, testProduct } from '../../support/fakeMarket.ts'
import {
  framePrefix,
  nowUs,
  type FromReceivers,
  type FromSender,
  type Measurement,
  type Memory,
  type Pace,
  type Side,
  type ToReceivers,
  type ToSender,
} from './messages.ts'

const [side, size] = process.argv.slice(2) as [Side, string]
/** Not measured, after each change of sides: the other side's frames are out of the caches by then. */
const warmUpMs = 300
/** Frames in flight while saturated: enough that the sender never waits for the delivery of the last one. */
const inFlight = 4

/** The products of one page; each has two ticks per frame. */
const products = Array.from({ length: 10 }, (_, i) => `P${i}`)
const prices = [6_000_012, 6_000_013]

/** The types omit `Sender.frame`, which the `ws` documentation recommends for writing one frame to many sockets. */
type WithSender = typeof Ws & {
  Sender: { frame(payload: Buffer, options: Record<string, boolean | number>): Buffer[] }
}
type Sender = { server: Server; send: () => void }

/** The venue's own sockets. Its clock is stopped, so that there are no heartbeats beside the compared frames. */
function venue(): Sender {
  const clock = manualClock()
  const market = fakeMarket(
    clock,
    products.map((id) => ({ ...testProduct, id, code: id })),
  )
  let publish: (flush: Flush) => void = () => undefined
  const server = createServer()
  createRealtime({
    server,
    settings: { operatorConfig: { longPolling: false } },
    clock,
    // The fake market stores every tick, so the flushes come from here: this process's memory is measured.
    market: {
      ...market,
      onFlush: (listener) => {
        publish = listener
        return () => undefined
      },
    },
    members: createMemberSockets(clock),
    authenticator: singleMemberAuthenticator,
    build: 'bench',
    publicOrigin: null,
    trustProxy: false,
    rateLimiter: noRateLimits,
    report: (_message, error) => {
      throw error
    },
  })
  let seq0 = 1
  const send = (): void => {
    const at = nowUs()
    const values = prices.flatMap((price) => [at, price, 1])
    publish({ at, blocks: products.map((id) => ({ id, ix: market.index(id), seq0, values })) })
    seq0 += prices.length
  }
  return { server, send }
}

/** The minimum: engine.io's own `ws`, and one write of one buffer for each socket. */
function raw(): Sender {
  const server = createServer()
  const requireFromSocketIo = createRequire(createRequire(import.meta.url).resolve('socket.io'))
  const ws = createRequire(requireFromSocketIo.resolve('engine.io'))('ws') as WithSender
  const sockets = new Set<Socket>()
  new ws.WebSocketServer({ server, perMessageDeflate: false }).on('connection', (client, { socket }) => {
    sockets.add(socket)
    client.once('close', () => sockets.delete(socket))
  })
  let seq = 1
  const send = (): void => {
    const blocks = products.map((_, i) => `${i + 1},${seq},2,0,${prices[0]},1,0,${prices[1]},1`)
    seq += 2
    const payload = Buffer.from(`${framePrefix}${nowUs()},${blocks.join(',')}]]`)
    const frame = Buffer.concat(
      ws.Sender.frame(payload, { fin: true, rsv1: false, opcode: 1, mask: false, readOnly: true }),
    )
    for (const socket of sockets) socket.write(frame)
  }
  return { server, send }
}

const { server, send } = side === 'venue' ? venue() : raw()
server.listen({ host: '127.0.0.1', port: 0, backlog: 1024 })
await once(server, 'listening')

const { port } = server.address() as AddressInfo
const receivers = fork(join(import.meta.dirname, 'receivers.js'), [
  side,
  String(port),
  size,
  JSON.stringify(products),
])
const receiversExited = once(receivers, 'exit')
const command = (message: ToReceivers): void => void receivers.send(message)

/** Frames that not all receivers have yet. */
const flow = { undelivered: 0 }
let onDelivered = (): void => undefined
let onMeasurement: (measurement: FromReceivers & { kind: 'measured' }) => void = () => undefined
let onConnected = (): void => undefined
receivers.on('message', (message: FromReceivers) => {
  if (message.kind === 'ready') onConnected()
  else if (message.kind === 'measured') onMeasurement(message)
  else {
    flow.undelivered -= 1
    onDelivered()
  }
})
/** Resolves when the receivers say that all they were told to open are connected. */
const connected = (): Promise<void> =>
  Promise.race([
    new Promise<void>((done) => (onConnected = done)),
    receiversExited.then(() => Promise.reject(new Error('the receivers did not connect'))),
  ])
const sendFrame = (): void => {
  flow.undelivered += 1
  send()
}
const drained = async (): Promise<void> => {
  while (flow.undelivered > 0) await pause(20)
}

/** Measures after a warm-up, while the caller sends. */
async function measureFor(measureMs: number): Promise<Measurement> {
  await pause(warmUpMs)
  command('begin')
  const before = process.cpuUsage()
  const startedUs = nowUs()
  await pause(measureMs)
  command('end')
  const { user, system } = process.cpuUsage(before)
  const elapsedS = (nowUs() - startedUs) / 1e6
  const { perSecond, p50Ms, p99Ms } = await new Promise<FromReceivers & { kind: 'measured' }>(
    (done) => (onMeasurement = done),
  )
  return { perSecond, p50Ms, p99Ms, cpuUs: (user + system) / (perSecond * elapsedS) }
}

/** One frame every 50 ms. A missed beat is skipped, because the venue's next flush would include its ticks. */
function sendPaced(): () => void {
  let timer: NodeJS.Timeout
  let due = performance.now()
  const beat = (): void => {
    sendFrame()
    due = Math.max(
      due + frameIntervalMs,
      Math.floor((performance.now() - due) / frameIntervalMs) * frameIntervalMs + due,
    )
    timer = setTimeout(beat, Math.max(0, due - performance.now()))
  }
  beat()
  return () => clearTimeout(timer)
}

/** The next frame as soon as the buffer can take it. */
function sendSaturated(): () => void {
  let filling = false
  let isOver = false
  const fill = (): void => {
    filling = !isOver && flow.undelivered < inFlight
    if (!filling) return
    sendFrame()
    setImmediate(fill)
  }
  onDelivered = () => {
    if (!filling) fill()
  }
  fill()
  return () => {
    isOver = true
    onDelivered = () => undefined
  }
}

async function measure(pace: Pace, ms: number): Promise<Measurement> {
  const stop = pace === 'paced' ? sendPaced() : sendSaturated()
  const measurement = await measureFor(ms)
  stop()
  await drained()
  return measurement
}

async function memory(): Promise<Memory> {
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.()
    await pause(50)
  }
  const { rss, heapUsed } = process.memoryUsage()
  return { resident: rss, heap: heapUsed }
}

async function answerTo(message: ToSender): Promise<FromSender> {
  switch (message.kind) {
    case 'connect':
      command({ open: message.more })
      await connected()
      return { kind: 'connected' }
    case 'measure':
      return { kind: 'measured', measurement: await measure(message.pace, message.ms) }
    case 'memory':
      return { kind: 'memory', memory: await memory() }
    case 'end':
      receivers.kill()
      await receiversExited
      return { kind: 'ended' }
    default:
      return assertNever(message)
  }
}

await connected()
process.on('message', (message: ToSender) => {
  void answerTo(message).then((answer) => process.send?.(answer))
})
process.on('disconnect', () => process.exit(0))
process.send?.({ kind: 'connected' } satisfies FromSender)
