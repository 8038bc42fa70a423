import { BusError, type Bus, type DropReason, type Subject, type Transport } from './bus.ts'
import { createOpener, createSealer, type BusKeys, type Opened } from './seal.ts'

/**
 * A request that was sent longer ago has no effect, nor has an older message of a sender that this node has not met.
 */
export const messageAgeMaxMs = 5000
/** For so long after its newest message a sender is known. */
const knownMs = 600_000
const lineEveryMs = 60_000

export type SealedBusParts = {
  transport: Transport
  keys: BusKeys
  /** The venue's time as this node estimates it. */
  now: () => number
  /** Receives a line about dropped messages, at most once a minute. */
  warn: (line: string) => void
  report: (what: string, error: unknown) => void
}

/**
 * The bus of one venue over a transport that strangers may reach. They can read nothing, and what they send or repeat has no
 * effect: every message is sealed for its subject, every answer for its request, and each message counts once.
 */
export function sealBus({ transport, keys, now, warn, report }: SealedBusParts): Bus {
  // A sender for each subject: the receiver can compute the next number before its message arrives.
  const sealers = new Map<Subject, ReturnType<typeof createSealer>>()
  const seal = (subject: Subject, body: Uint8Array): ReturnType<ReturnType<typeof createSealer>> => {
    const sealer = sealers.get(subject) ?? createSealer(keys.sealKey, now)
    sealers.set(subject, sealer)
    return sealer(contextOf(subject), body)
  }
  const open = createOpener(keys.sealKey, true)
  const sealAnswer = createSealer(keys.sealKey, now)
  const openAnswer = createOpener(keys.sealKey)
  const drops = new DropCounts(now, warn)
  const guard = new RepeatGuard()
  const contextOf = (subject: Subject): string => `${keys.space} ${subject}`
  const answerContext = (subject: Subject, requestId: string): string =>
    `${contextOf(subject)} answer to ${requestId}`
  const receive = (subject: Subject, message: Uint8Array, isRequest = false): Opened | null => {
    const opened = open(contextOf(subject), message)
    const reason = opened === null ? 'unopened' : guard.findFault(subject, opened, now(), isRequest)
    if (reason === null) return opened
    drops.count(reason)
    return null
  }
  return {
    publish: (subject, message) => transport.publish(subject, seal(subject, message).message),
    prepare: (subject, body) => {
      const { message } = seal(subject, body)
      return () => transport.publish(subject, message)
    },
    subscribe: (subject, listener) =>
      transport.subscribe(subject, (message) => {
        const opened = receive(subject, message)
        if (!opened) return
        try {
          listener(opened.body)
        } catch (error) {
          report('a message of another node failed', error)
        }
      }),
    request: async (subject, body, timeoutMs) => {
      const { id, message } = seal(subject, body)
      for await (const answer of transport.request(subject, message, timeoutMs)) {
        const opened = openAnswer(answerContext(subject, id), answer)
        if (opened) return opened.body
        // An answer of another sender does not displace the leader's.
        drops.count('unopened')
      }
      throw new BusError('no answer in time')
    },
    respond: (subject, answer) =>
      transport.subscribe(subject, (message, reply) => {
        const opened = receive(subject, message, true)
        if (!opened || !reply) return
        answer(opened.body)
          .then((body) => reply(sealAnswer(answerContext(subject, opened.id), body).message))
          .catch((error: unknown) => report('answering a request of another node failed', error))
      }),
    isConnected: () => transport.isConnected(),
    dropped: () => drops.counts,
    close: () => transport.close(),
  }
}

/**
 * Each message of a sender counts higher than the one before, so what is repeated of a known one is found by its number. What
 * others recorded of senders that this node does not know is found by its age.
 */
class RepeatGuard {
  readonly #newest = new Map<string, { counter: number; receivedAt: number }>()
  #sweptAt = 0

  findFault(
    subject: Subject,
    { sender, counter, sentAt }: Opened,
    now: number,
    isRequest: boolean,
  ): DropReason | null {
    this.#sweep(now)
    const key = `${subject} ${sender}`
    const known = this.#newest.get(key)
    if (known && counter <= known.counter) return 'repeated'
    // A leader whose machine stood still is behind for a while: that is no reason not to listen to it.
    if ((isRequest || !known) && now - sentAt > messageAgeMaxMs) return 'late'
    this.#newest.set(key, { counter, receivedAt: now })
    return null
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < messageAgeMaxMs) return
    this.#sweptAt = now
    for (const [key, { receivedAt }] of this.#newest) if (now - receivedAt > knownMs) this.#newest.delete(key)
  }
}

/** Counts dropped messages, and says so at the first one and then at most once a minute. */
class DropCounts {
  readonly counts: Record<DropReason, number> = { unopened: 0, repeated: 0, late: 0 }
  readonly #now: () => number
  readonly #warn: (line: string) => void
  #saidAt = Number.NEGATIVE_INFINITY

  constructor(now: () => number, warn: (line: string) => void) {
    this.#now = now
    this.#warn = warn
  }

  count(reason: DropReason): void {
    this.counts[reason] += 1
    const now = this.#now()
    if (now - this.#saidAt < lineEveryMs) return
    this.#saidAt = now
    const { unopened, repeated, late } = this.counts
    this.#warn(
      `messages on the bus were dropped so far: ${unopened} not sealed by this venue, ${repeated} repeated, ${late} late`,
    )
  }
}
