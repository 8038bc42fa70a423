import type { MemberBus } from '../../platform/ports.ts'
import type { Bus } from '../../platform/cluster/bus.ts'

type MemberMessage = { memberId: string; event: Parameters<MemberBus['emit']>[1]; payload: unknown }
type SessionEndMessage = { sessionId: string; reason: Parameters<MemberBus['endSession']>[1] }

/** Publishes to a member's sockets on every node: those of this one, and over the bus those of the others. */
export function relayMemberBus(local: MemberBus, bus: Bus): MemberBus & { stop(): void } {
  const stopEvents = bus.subscribe('member', (message) => {
    const { memberId, event, payload } = JSON.parse(Buffer.from(message).toString()) as MemberMessage
    local.emit(memberId, event, payload)
  })
  const stopEnds = bus.subscribe('session-ended', (message) => {
    const { sessionId, reason } = JSON.parse(Buffer.from(message).toString()) as SessionEndMessage
    local.endSession(sessionId, reason)
  })
  const publish = (subject: 'member' | 'session-ended', message: MemberMessage | SessionEndMessage): void =>
    bus.publish(subject, Buffer.from(JSON.stringify(message)))
  return {
    emit: (memberId, event, payload) => {
      local.emit(memberId, event, payload)
      publish('member', { memberId, event, payload })
    },
    endSession: (sessionId, reason) => {
      local.endSession(sessionId, reason)
      publish('session-ended', { sessionId, reason })
    },
    stop: () => {
      stopEvents()
      stopEnds()
    },
  }
}
