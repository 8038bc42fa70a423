import type { MemberEvent } from '../../contract/socket.ts'
import type { MemberBus } from '../../server/ports.ts'

/** A bus that records what modules emit, in order. */
export function recordingBus() {
  const events: { memberId: string; event: MemberEvent; payload: unknown }[] = []
  const endedSessions: { sessionId: string; reason: string }[] = []
  const bus: MemberBus = {
    emit: (memberId, event, payload) => void events.push({ memberId, event, payload }),
    endSession: (sessionId, reason) => void endedSessions.push({ sessionId, reason }),
  }
  const eventsFor = <T>(memberId: string, event: MemberEvent): T[] =>
    events.filter((e) => e.memberId === memberId && e.event === event).map((e) => e.payload as T)
  return { ...bus, events, endedSessions, eventsFor }
}
