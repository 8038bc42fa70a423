import { describe, expect, it } from 'vitest'
import { BusError, type Bus, type Subject, type Transport } from '../../../../server/platform/cluster/bus.ts'
import { busKeysOf, createOpener, createSealer } from '../../../../server/platform/cluster/seal.ts'
import { messageAgeMaxMs } from '../../../../server/platform/cluster/sealedBus.ts'
import { fc } from '../../../support/fastCheck.ts'
import { memoryBusServer } from '../../../support/memoryBus.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)
const text = (message: Uint8Array): string => Buffer.from(message).toString()
const subjects: Subject[] = ['flush', 'member', 'session-ended', 'place-order', 'await-order']

/** Two nodes of a venue whose clock the test sets, and a stranger who reads and sends what he likes. */
function open() {
  let now = 1_000_000
  const server = memoryBusServer()
  const leader = server.connect(() => now)
  const edge = server.connect(() => now)
  const stranger = server.transport()
  const overheard: { subject: Subject; message: Uint8Array }[] = []
  for (const subject of subjects)
    stranger.subscribe(subject, (message) => overheard.push({ subject, message }))
  return { server, leader, edge, stranger, overheard, pass: (ms: number): void => void (now += ms) }
}

function receivedBy(bus: Bus): string[] {
  const received: string[] = []
  for (const subject of subjects)
    bus.subscribe(subject, (message) => received.push(`${subject} ${text(message)}`))
  return received
}

/** Sends a request as it is, and gives what comes back. */
async function ask(transport: Transport, subject: Subject, message: Uint8Array): Promise<Uint8Array[]> {
  const answers: Uint8Array[] = []
  for await (const answer of transport.request(subject, message, 20)) answers.push(answer)
  return answers
}

describe('messages between nodes', () => {
  it('are received as they were sent, each for its subject, and cannot be read by a stranger', () => {
    const { leader, edge, overheard } = open()
    const received = receivedBy(edge)
    leader.publish('member', bytes('balance 12.00'))
    leader.publish('flush', bytes('price 43000'))
    leader.publish('flush', bytes(''))
    expect(received).toEqual(['member balance 12.00', 'flush price 43000', 'flush '])
    const all = Buffer.concat(overheard.map(({ message }) => message)).toString('latin1')
    expect(all).not.toMatch(/balance|price|43000/)
    expect(edge.dropped()).toEqual({ unopened: 0, repeated: 0, late: 0 })
  })

  it('have no effect if they were changed anywhere, or are sent to another subject', () => {
    const { leader, edge, stranger, overheard } = open()
    leader.publish('member', bytes('balance 12.00'))
    const [sent] = overheard
    const received = receivedBy(edge)
    const message = Buffer.from(sent?.message ?? [])
    for (let i = 0; i < message.length; i++) {
      const changed = Buffer.from(message)
      changed[i] = (changed[i] ?? 0) ^ 1
      stranger.publish('member', changed)
    }
    stranger.publish('session-ended', message)
    expect(received).toEqual([])
    expect(edge.dropped().unopened).toBe(message.length + 1)
  })

  it('have no effect if a stranger makes them up', () => {
    const { edge, stranger } = open()
    const received = receivedBy(edge)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...subjects), (message, subject) => {
        stranger.publish(subject, message)
      }),
    )
    expect(received).toEqual([])
  })

  it('count once, however often and in whatever order they are repeated', () => {
    const { leader, edge, stranger, overheard, pass } = open()
    const received = receivedBy(edge)
    for (const each of ['1', '2', '3']) leader.publish('member', bytes(each))
    for (const { subject, message } of overheard.toReversed()) stranger.publish(subject, message)
    pass(messageAgeMaxMs)
    for (const { subject, message } of overheard) stranger.publish(subject, message)
    expect(received).toEqual(['member 1', 'member 2', 'member 3'])
    expect(edge.dropped()).toEqual({ unopened: 0, repeated: 6, late: 0 })
  })

  it('are late after five seconds, also for a node that was not there when they were sent', () => {
    const { server, leader, stranger, overheard, pass } = open()
    leader.publish('session-ended', bytes('s1'))
    pass(messageAgeMaxMs + 1)
    const restarted = server.connect(() => 1_000_000 + messageAgeMaxMs + 1)
    const received = receivedBy(restarted)
    for (const { subject, message } of overheard) stranger.publish(subject, message)
    expect(received).toEqual([])
    expect(restarted.dropped().late).toBe(1)
  })

  it('of a restarted node are received like those before', () => {
    const { server, leader, edge, pass } = open()
    const received = receivedBy(edge)
    for (const each of ['1', '2', '3']) leader.publish('flush', bytes(each))
    pass(1)
    server.connect(() => 1_000_001).publish('flush', bytes('4'))
    expect(received).toHaveLength(4)
  })

  it('that are dropped are a line a minute at most', () => {
    const { server, stranger, pass } = open()
    const edge = server.connect(() => 0)
    void receivedBy(edge)
    server.warnings.length = 0
    for (let i = 0; i < 1000; i++) stranger.publish('member', bytes(`junk ${i}`))
    expect(server.warnings.length).toBeLessThanOrEqual(3)
    pass(60_000)
    expect(edge.dropped().unopened).toBe(1000)
  })
})

describe('a request to the leader', () => {
  it('is answered to its sender alone', async () => {
    const { leader, edge, overheard } = open()
    leader.respond('place-order', async (message) => bytes(`placed ${text(message)}`))
    expect(text(await edge.request('place-order', bytes('1'), 1000))).toBe('placed 1')
    expect(Buffer.concat(overheard.map(({ message }) => message)).toString('latin1')).not.toContain('placed')
  })

  it('is not answered by a stranger, whatever he says first', async () => {
    const { leader, edge, stranger, server } = open()
    const other = server.connect(() => 1_000_000)
    let earlier: Uint8Array = bytes('')
    stranger.subscribe('place-order', (message, reply) => {
      reply?.(bytes('{"order":{"payout":"99999.00"}}'))
      reply?.(message)
      // The leader's own answer to another request.
      reply?.(earlier)
    })
    leader.respond('place-order', async (message) => bytes(`placed ${text(message)}`))
    const { message } = createSealer(Buffer.alloc(32, 7), () => 1_000_000)('test place-order', bytes('0'))
    const answers = await ask(stranger, 'place-order', message)
    earlier = answers.find((answer) => answer.length > 0) ?? earlier
    expect(earlier.length).toBeGreaterThan(40)
    expect(text(await edge.request('place-order', bytes('1'), 1000))).toBe('placed 1')
    expect(edge.dropped().unopened).toBe(3)
    await other.close()
  })

  it('is carried out once: sent again by a stranger it has no effect and no answer', async () => {
    const { leader, edge, stranger, overheard } = open()
    const placed: string[] = []
    leader.respond('place-order', async (message) => {
      placed.push(text(message))
      return bytes('done')
    })
    await edge.request('place-order', bytes('order 1'), 1000)
    const request = overheard.find(({ subject }) => subject === 'place-order')?.message ?? bytes('')
    expect(await ask(stranger, 'place-order', request)).toEqual([])
    expect(placed).toEqual(['order 1'])
    expect(leader.dropped().repeated).toBe(1)
  })

  it('fails if nobody answers it, or only strangers', async () => {
    const { edge, stranger } = open()
    stranger.subscribe('await-order', (_message, reply) => reply?.(bytes('yes')))
    await expect(edge.request('await-order', bytes('1'), 10)).rejects.toThrow(BusError)
  })
})

describe('the keys of the bus', () => {
  const keys = { uploadKey: '01'.repeat(32), idempotencyKey: '02'.repeat(32), logKey: '03'.repeat(32) }

  it('are the same at every node of a venue, and of no other venue or key', () => {
    const own = busKeysOf(keys, 'venue-1')
    expect(busKeysOf(keys, 'venue-1')).toEqual(own)
    expect(own.space).not.toContain('venue')
    for (const other of [
      busKeysOf(keys, 'venue-2'),
      busKeysOf({ ...keys, logKey: '04'.repeat(32) }, 'venue-1'),
    ]) {
      expect(other.space).not.toBe(own.space)
      const { message } = createSealer(own.sealKey, () => 0)('a', bytes('secret'))
      expect(createOpener(other.sealKey)('a', message)).toBeNull()
      expect(createOpener(own.sealKey)('a', message)?.body.toString()).toBe('secret')
    }
  })
})
