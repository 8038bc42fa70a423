import type { SessionEvent } from '../../../contract/socket.ts'
import type { MemberBus } from '../../platform/ports.ts'
import type { SocketClient } from './socketClient.ts'

/** A socket that was in its handshake when its session ended is disconnected if it connects within this time. */
const endedRetentionMs = 60_000

/** The sockets of each member. Other modules use it as {@link MemberBus}. */
export type MemberSockets = MemberBus & {
  add(client: SocketClient): void
  remove(client: SocketClient): void
}

export function createMemberSockets(clock: { now(): number }): MemberSockets {
  const byMember = new Map<string, Set<SocketClient>>()
  const endedSessions = new Map<string, { at: number; reason: SessionEvent['reason'] }>()

  const remove = (client: SocketClient): void => {
    if (!client.member) return
    const clients = byMember.get(client.member.memberId)
    clients?.delete(client)
    if (clients?.size === 0) byMember.delete(client.member.memberId)
  }
  const disconnect = (client: SocketClient, reason: SessionEvent['reason']): void => {
    remove(client)
    client.send('session', { reason })
    client.disconnect()
  }
  return {
    add: (client) => {
      if (!client.member) return
      const end = endedSessions.get(client.member.sessionId)
      if (end) {
        disconnect(client, end.reason)
        return
      }
      const clients = byMember.get(client.member.memberId) ?? new Set()
      clients.add(client)
      byMember.set(client.member.memberId, clients)
    },
    remove,
    emit: (memberId, event, payload) => {
      for (const client of byMember.get(memberId) ?? []) client.send(event, payload)
    },
    endSession: (sessionId, reason) => {
      const now = clock.now()
      for (const [id, { at }] of endedSessions) {
        if (now - at > endedRetentionMs) endedSessions.delete(id)
      }
      endedSessions.set(sessionId, { at: now, reason })
      const connected = [...byMember.values()].flatMap((clients) => [...clients])
      for (const client of connected) if (client.member?.sessionId === sessionId) disconnect(client, reason)
    },
  }
}
