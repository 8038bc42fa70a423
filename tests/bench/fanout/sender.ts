// One sending side in a process of its own, with a crowd in another: the venue's gateway, or raw `ws`. It fills up,
// sends at the venue's pace, then as fast as the crowd can take it, and tells what that came to.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type * as Ws from 'ws'
import { frameIntervalMs } from '../../../contract/constants.ts'
import { noRateLimits } from '../../../server/http/rateLimiter.ts'
import { createMemberSockets } from '../../../server/realtime/memberSockets.ts'
import { createRealtime } from '../../../server/realtime/realtime.ts'
import { manualClock } from '../../support/manualClock.ts'
import { singleMemberAuthenticator } from '../../support/httpApp.ts'
import { fakeVenueMarket } from '../../support/fakeVenueMarket.ts'
import { framePrefix, nowUs } from './messages.ts'
import type { SideResult, FromReceivers, Side, Measurement, ToReceivers } from './messages.ts'

const [side, size, seconds] = process.argv.slice(2) as [Side, string, string]
const count = Number(size)
const stretchMs = Number(seconds) * 1000
const warmUpMs = 1000
/** Frames on their way at once while saturated: enough that the sender never waits for news of the last one. */
const inFlight = 4

/** As one page watches them; each ticks twice in a frame. */
const products = Array.from({ length: 10 }, (_, i) => `P${i}`)
const prices = [6_000_012, 6_000_013]

/** The types leave out the framing, which `ws` itself describes as the way to write one frame to many. */
type WithSender = typeof Ws & {
  Sender: { frame(payload: Buffer, options: Record<string, boolean | number>): Buffer[] }
}
type Sender = { server: Server; send: () => void; connections: () => number }

/** The venue's own sockets. Its clock stands still, so that no heartbeat comes beside the frames that are compared. */
function venue(): Sender {
  const clock = manualClock()
  const market = fakeVenueMarket(products, clock.now())
  const server = createServer()
  const realtime = createRealtime({
    server,
    clock,
    market,
    members: createMemberSockets(clock),
    authenticator: singleMemberAuthenticator,
    build: 'bench',
    publicOrigin: null,
    trustProxy: false,
    rateLimiter: noRateLimits,
    onError: (error) => {
      throw error
    },
  })
  const ticks = Object.fromEntries(products.map((id) => [id, prices]))
  return {
    server,
    send: () => market.flush(nowUs(), ticks),
    connections: () => realtime.counts().sockets,
  }
}

/** The least that can be done: the `ws` that engine.io brings, and one write of one buffer for each socket. */
function raw(): Sender {
  const server = createServer()
  const near = createRequire(createRequire(import.meta.url).resolve('socket.io'))
  const ws = createRequire(near.resolve('engine.io'))('ws') as WithSender
  const sockets = new Set<Socket>()
  new ws.WebSocketServer({ server, perMessageDeflate: false }).on('connection', (client, request) => {
    sockets.add(request.socket)
    client.once('close', () => sockets.delete(request.socket))
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
  return { server, send, connections: () => sockets.size }
}

const { server, send, connections } = side === 'venue' ? venue() : raw()
server.listen({ host: '127.0.0.1', port: 0, backlog: 1024 })
await once(server, 'listening')

const memory = async (): Promise<NodeJS.MemoryUsage> => {
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.()
    await pause(50)
  }
  return process.memoryUsage()
}
const empty = await memory()

const { port } = server.address() as AddressInfo
const receivers = fork(
  join(import.meta.dirname, 'receivers.ts'),
  [side, String(port), size, JSON.stringify(products)],
  { execArgv: ['--import', 'tsx'] },
)
const receiversExited = once(receivers, 'exit')
const command = (word: ToReceivers): void => void receivers.send(word)

/** Frames that not everybody has yet. */
const flow = { underWay: 0 }
let onRound = (): void => undefined
let onMeasurement: (told: FromReceivers & { kind: 'stretch' }) => void = () => undefined
const allConnected = new Promise<void>((done) => {
  receivers.on('message', (message: FromReceivers) => {
    if (message.kind === 'in') done()
    else if (message.kind === 'stretch') onMeasurement(message)
    else {
      flow.underWay -= 1
      onRound()
    }
  })
})
const sendFrame = (): void => {
  flow.underWay += 1
  send()
}
const drained = async (): Promise<void> => {
  while (flow.underWay > 0) await pause(20)
}

/** Measures from after the warm-up until the end, while something else sends. */
async function measured(): Promise<Measurement> {
  await pause(warmUpMs)
  command('begin')
  const before = process.cpuUsage()
  const startedUs = nowUs()
  await pause(stretchMs)
  command('end')
  const { user, system } = process.cpuUsage(before)
  const elapsedS = (nowUs() - startedUs) / 1e6
  const { perSecond, p50Ms, p99Ms } = await new Promise<FromReceivers & { kind: 'stretch' }>(
    (done) => (onMeasurement = done),
  )
  return { perSecond, p50Ms, p99Ms, cpuUs: (user + system) / (perSecond * elapsedS) }
}

/** One frame every 50 ms. A beat that is missed is left out, as the venue's own flush would have taken it along. */
async function paced(): Promise<Measurement> {
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
  const stretch = await measured()
  clearTimeout(timer!)
  await drained()
  return stretch
}

/** The next frame as soon as there is room for it. */
async function saturated(): Promise<Measurement> {
  let filling = false
  let over = false
  const fill = (): void => {
    filling = !over && flow.underWay < inFlight
    if (!filling) return
    sendFrame()
    setImmediate(fill)
  }
  onRound = () => {
    if (!filling) fill()
  }
  fill()
  const stretch = await measured()
  over = true
  return stretch
}

await Promise.race([
  allConnected,
  receiversExited.then(() => Promise.reject(new Error('the crowd did not get in'))),
])
const pacedStretch = await paced()
const full = await memory()
const saturatedStretch = await saturated()
await drained()
receivers.kill()
await receiversExited
while (connections() > 0) await pause(20)
const left = await memory()
const result: SideResult = {
  // Against the empty house: a process that shrinks does not give everything back.
  bytesASocket: (full.rss - empty.rss) / count,
  // Against the house that everybody left: by then it has loaded and compiled all it will.
  heapASocket: (full.heapUsed - left.heapUsed) / count,
  paced: pacedStretch,
  saturated: saturatedStretch,
}
process.send?.(result, () => process.exit(0))
