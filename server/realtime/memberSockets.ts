import type { SessionEvent } from '../../contract/socket.ts'
import type { MemberBus } from '../ports.ts'
import type { Viewer } from './viewer.ts'

/** A handshake that was being judged while its session ended is caught if it arrives within this time. */
const endedKeepMs = 60_000

/** Which sockets belong to whom; the other rooms know it as the {@link MemberBus}. */
export type MemberSockets = MemberBus & {
  add(viewer: Viewer): void
  remove(viewer: Viewer): void
}

export function createMemberSockets(clock: { now(): number }): MemberSockets {
  const byMember = new Map<string, Set<Viewer>>()
  const ended = new Map<string, { at: number; reason: SessionEvent['reason'] }>()

  const remove = (viewer: Viewer): void => {
    if (!viewer.member) return
    const viewers = byMember.get(viewer.member.memberId)
    viewers?.delete(viewer)
    if (viewers?.size === 0) byMember.delete(viewer.member.memberId)
  }
  const dismiss = (viewer: Viewer, reason: SessionEvent['reason']): void => {
    remove(viewer)
    viewer.tell('session', { reason })
    viewer.dismiss()
  }
  return {
    add: (viewer) => {
      if (!viewer.member) return
      const end = ended.get(viewer.member.sessionId)
      if (end) {
        dismiss(viewer, end.reason)
        return
      }
      const viewers = byMember.get(viewer.member.memberId) ?? new Set()
      viewers.add(viewer)
      byMember.set(viewer.member.memberId, viewers)
    },
    remove,
    emit: (memberId, event, payload) => {
      for (const viewer of byMember.get(memberId) ?? []) viewer.tell(event, payload)
    },
    endSession: (sessionId, reason) => {
      const now = clock.now()
      for (const [id, { at }] of ended) if (now - at > endedKeepMs) ended.delete(id)
      ended.set(sessionId, { at: now, reason })
      const theirs = [...byMember.values()].flatMap((viewers) => [...viewers])
      for (const viewer of theirs) if (viewer.member?.sessionId === sessionId) dismiss(viewer, reason)
    },
  }
}
