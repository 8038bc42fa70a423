import { BusError } from '../../server/cluster/bus.ts'
import type { Bus, Subject } from '../../server/cluster/bus.ts'

export type MemoryBusServer = {
  /** Another node's connection. */
  connect(): Bus
  /** While it returns true, a published message is lost. */
  loses: (subject: Subject, message: Uint8Array) => boolean
}

/** A bus within the test, for nodes of one process. */
export function memoryBusServer(): MemoryBusServer {
  type Listener = (message: Uint8Array) => void
  type Answer = (message: Uint8Array) => Promise<Uint8Array>
  const nodes = new Set<{ listeners: Map<Subject, Set<Listener>>; answers: Map<Subject, Answer> }>()
  const server: MemoryBusServer = {
    loses: () => false,
    connect: () => {
      const own = { listeners: new Map<Subject, Set<Listener>>(), answers: new Map<Subject, Answer>() }
      nodes.add(own)
      return {
        publish: (subject, message) => {
          if (server.loses(subject, message)) return
          for (const node of nodes)
            if (node !== own) for (const listener of node.listeners.get(subject) ?? []) listener(message)
        },
        subscribe: (subject, listener) => {
          const all = own.listeners.get(subject) ?? new Set()
          own.listeners.set(subject, all.add(listener))
          return () => void all.delete(listener)
        },
        request: async (subject, message) => {
          const answer = [...nodes].find((node) => node.answers.has(subject))?.answers.get(subject)
          if (!answer) throw new BusError('no node answers', true)
          return answer(message).catch(() => {
            throw new BusError('no answer', false)
          })
        },
        respond: (subject, answer) => {
          own.answers.set(subject, answer)
          return () => void own.answers.delete(subject)
        },
        isConnected: () => true,
        close: async () => void nodes.delete(own),
      }
    },
  }
  return server
}
