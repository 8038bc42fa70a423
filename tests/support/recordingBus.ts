import type { MemberEvent } from '../../contract/socket.ts'
import type { MemberSockets } from '../../server/market/realtime/memberSockets.ts'

/** The sockets of members, which also record what the venue publishes, in order. */
export function recordingBus(sockets: MemberSockets) {
  const events: { memberId: string; event: MemberEvent; payload: unknown }[] = []
  const endedSessions: { sessionId: string; reason: string }[] = []
  const recording: MemberSockets = {
    ...sockets,
    emit: (memberId, event, payload) => {
      events.push({ memberId, event, payload })
      sockets.emit(memberId, event, payload)
    },
    endSession: (sessionId, reason) => {
      endedSessions.push({ sessionId, reason })
      sockets.endSession(sessionId, reason)
    },
  }
  const eventsFor = <T>(memberId: string, event: MemberEvent): T[] =>
    events.filter((e) => e.memberId === memberId && e.event === event).map((e) => e.payload as T)
  return { ...recording, events, endedSessions, eventsFor }
}
