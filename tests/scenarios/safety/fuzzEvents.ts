import fc from 'fast-check'
import { io, type Socket } from 'socket.io-client'
import * as wire from '../../../contract/socket.ts'
import { decodeDelta, decodeTicks } from '../../../contract/tickFrame.ts'
import {
  clientEvents,
  memberResources,
  venueEvents,
  type SocketEvent,
  type SocketRequest,
} from '../../../contract/socketEvents.ts'
import { oddValues } from './attacks.ts'
import { matchesExactly } from './answerCheck.ts'
import { fromSchema } from './fromSchema.ts'
import type { TickingVenue } from '../../support/tickingVenue.ts'

export type EventReport = { sent: number; answered: number; received: number; violations: string[] }

/** Events that the venue may emit; frames of ticks have their own decoders. */
const emitted: Record<string, SocketEvent> = { ...venueEvents, ...memberResources }
const requests: Record<string, SocketRequest> = clientEvents

const frameDecoders: Record<string, (payload: unknown) => unknown> = {
  ticks: decodeTicks,
  delta: decodeDelta,
}

type FuzzedEvent = { event: string; args: unknown[]; ack: boolean }

const oddValue = fc.oneof(
  fc.constantFrom(...oddValues),
  fc.constant(Buffer.from([0, 255, 1])),
  fc.jsonValue(),
)
const products = fc.constantFrom('BTCUSDT', 'XAUUSD', 'NONE', '')
const known = (field: string) => (field === 'products' ? products : null)
const payloads: Record<string, fc.Arbitrary<unknown>> = {
  clock: fc.oneof(fc.maxSafeInteger(), fc.double()),
  subscribe: fromSchema(wire.subscribeRequest, known),
  unsubscribe: fromSchema(wire.unsubscribeRequest, known),
}
const event: fc.Arbitrary<FuzzedEvent> = fc
  .tuple(
    fc.constantFrom(
      'clock',
      'subscribe',
      'unsubscribe',
      'subscribe',
      'subscribe',
      'unsubscribe',
      'order',
      'ticks',
      'session',
      '',
      'x'.repeat(300),
    ),
    fc.nat(6),
    fc.array(oddValue, { maxLength: 3 }),
    fc.nat(3).map((n) => n > 0),
  )
  .chain(([name, kind, odds, ack]) =>
    (payloads[name] ?? oddValue).map((payload) => ({
      event: name,
      ack,
      args: kind < 5 ? [payload] : kind === 5 ? odds : [payload, ...odds],
    })),
  )

const answeredWithinMs = 60_000
/** A larger frame closes its socket, which is tested separately. */
const frameBytes = 14_000
const fitsFrame = ({ args }: FuzzedEvent): boolean => Buffer.byteLength(JSON.stringify(args)) < frameBytes

/** Over both sockets: below the rate limit, so that events are processed and not rejected. */
const perSecond = 34

/**
 * Sends events generated from the schemas and malformed ones to a venue's sockets, as a member and as a visitor. Every
 * acknowledgement and every event of the venue must match its schema, and the venue must keep answering.
 */
export async function fuzzEvents(venue: TickingVenue, count: number, seed: number): Promise<EventReport> {
  const report: EventReport = { sent: 0, answered: 0, received: 0, violations: [] }
  const member = await venue.registerMember()
  const listeners = [
    await connectListener(venue, report, `sid=${member.sid}`),
    await connectListener(venue, report, ''),
  ]
  try {
    const events = fc.sample(event.filter(fitsFrame), { numRuns: count, seed })
    for (const [i, one] of events.entries()) {
      const socket = listeners[i % listeners.length]
      if (!socket) break
      if (i % perSecond === 0) await syncSockets(venue, listeners)
      sendEvent(socket, one, report)
    }
    await syncSockets(venue, listeners)
    await sendMalformedFrames(venue, report, seed)
  } finally {
    for (const socket of listeners) socket.disconnect()
  }
  return { ...report, violations: report.violations.map((violation) => `seed ${seed}: ${violation}`) }
}

async function connectListener(venue: TickingVenue, report: EventReport, cookie: string): Promise<Socket> {
  const socket = io((await venue.listen()).url, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    ...(cookie === '' ? { query: { ticks: 'delta' } } : { extraHeaders: { cookie } }),
  })
  socket.onAny((name: string, ...args: unknown[]) => {
    report.received += 1
    const violation = eventViolation(name, args)
    if (violation !== null) report.violations.push(violation)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('hello', () => resolve())
    socket.once('connect_error', reject)
  })
  return socket
}

function eventViolation(name: string, args: unknown[]): string | null {
  const [payload] = args
  const event = emitted[name]
  const decodeFrame = frameDecoders[name]
  const isValid =
    args.length === 1 &&
    (decodeFrame !== undefined
      ? decodeFrame(payload) !== undefined
      : event !== undefined && matchesExactly(event.payload, payload))
  return isValid ? null : `the venue emitted ${name} ${JSON.stringify(args).slice(0, 200)}`
}

/** A `clock` request is answered in order, so everything sent before it has been processed by then. */
async function syncSockets(venue: TickingVenue, listeners: readonly Socket[]): Promise<void> {
  const open = listeners.filter((socket) => socket.connected)
  await Promise.all(open.map((socket) => socket.timeout(answeredWithinMs).emitWithAck('clock', 0)))
  await venue.clock.advance(1000)
}

function sendEvent(socket: Socket, { event: name, args, ack }: FuzzedEvent, report: EventReport): void {
  report.sent += 1
  const describe = (): string => `${name} ${JSON.stringify(args).slice(0, 200)}`
  if (!socket.connected) {
    report.violations.push(`${describe()}: the socket is closed`)
    return
  }
  const checkAnswer = (...answer: unknown[]): void => {
    report.answered += 1
    const request = requests[name]
    if (answer.length !== 1 || !request || !matchesExactly(request.reply, answer[0])) {
      report.violations.push(`${describe()}: answered ${JSON.stringify(answer).slice(0, 200)}`)
    }
  }
  if (ack) socket.emit(name, ...args, checkAnswer)
  else socket.emit(name, ...args)
}

/** A frame that is not a packet closes its own socket; other sockets are still served. */
async function sendMalformedFrames(venue: TickingVenue, report: EventReport, seed: number): Promise<void> {
  const frames = [
    '',
    '4',
    '42',
    '42[',
    '42["subscribe"',
    '45',
    '451-["x"]',
    '4{}',
    '9',
    '42["subscribe",{}]extra',
    '40{',
    '\u0000',
    `42["subscribe","${'x'.repeat(20_000)}"]`,
  ]
  const random = fc.sample(fc.string({ maxLength: 60, unit: 'binary' }), { numRuns: 20, seed })
  for (const frame of [...frames, ...random]) {
    report.sent += 1
    const socket = await connectListener(venue, report, '')
    socket.io.engine.write(frame)
    const other = await connectListener(venue, report, '')
    const reply: unknown = await other
      .timeout(10_000)
      .emitWithAck('clock', 1)
      .catch(() => null)
    if (!matchesExactly(wire.clockReply, reply))
      report.violations.push(`frame ${JSON.stringify(frame)}: no answer to other sockets`)
    socket.disconnect()
    other.disconnect()
  }
}
