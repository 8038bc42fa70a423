import { BusError, type Bus, type Subject, type Transport } from '../../server/platform/cluster/bus.ts'
import { sealBus } from '../../server/platform/cluster/sealedBus.ts'
import type { BusKeys } from '../../server/platform/cluster/seal.ts'

type Listener = Parameters<Transport['subscribe']>[1]

export type MemoryBusServer = {
  /** Another node of the venue. */
  connect(now?: () => number): Bus
  /** A bare connection, as a stranger has one. */
  transport(): Transport
  /** While it returns true, a published message is lost. */
  loses: (subject: Subject) => boolean
  /** Lines that nodes have logged about dropped messages. */
  warnings: string[]
}

export const testBusKeys: BusKeys = { space: 'test', sealKey: Buffer.alloc(32, 7) }

/** A bus within the test, for nodes of one process: sealed, as over NATS. */
export function memoryBusServer(): MemoryBusServer {
  const connections = new Set<Map<Subject, Set<Listener>>>()
  const server: MemoryBusServer = {
    loses: () => false,
    warnings: [],
    transport: () => {
      const own = new Map<Subject, Set<Listener>>()
      connections.add(own)
      const listenersOf = (subject: Subject): Listener[] =>
        [...connections].filter((each) => each !== own).flatMap((each) => [...(each.get(subject) ?? [])])
      return {
        publish: (subject, message) => {
          if (server.loses(subject)) return
          for (const listener of listenersOf(subject)) listener(message, null)
        },
        subscribe: (subject, listener) => {
          own.set(subject, (own.get(subject) ?? new Set()).add(listener))
          return () => void own.get(subject)?.delete(listener)
        },
        request: async function* (subject, message, timeoutMs) {
          const listeners = listenersOf(subject)
          if (listeners.length === 0) throw new BusError('no node answers')
          const answers = new Answers()
          for (const listener of listeners) listener(message, (answer) => answers.push(answer))
          const timer = setTimeout(() => answers.end(), timeoutMs)
          try {
            for (;;) {
              const answer = await answers.next()
              if (answer === null) return
              yield answer
            }
          } finally {
            clearTimeout(timer)
          }
        },
        isConnected: () => true,
        close: async () => void connections.delete(own),
      }
    },
    connect: (now = () => 0) =>
      sealBus({
        transport: server.transport(),
        keys: testBusKeys,
        now,
        warn: (line) => server.warnings.push(line),
        report: () => undefined,
      }),
  }
  return server
}

/** Answers in the order in which they came, then null. */
class Answers {
  readonly #queue: (Uint8Array | null)[] = []
  #wake: () => void = () => undefined

  push(answer: Uint8Array): void {
    this.#queue.push(answer)
    this.#wake()
  }

  end(): void {
    this.#queue.push(null)
    this.#wake()
  }

  async next(): Promise<Uint8Array | null> {
    while (this.#queue.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve))
    return this.#queue.shift() ?? null
  }
}
