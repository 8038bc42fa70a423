import { endSession, session } from '../state/session.ts'
import { createClient } from './client.ts'
import { takeEarly } from '../start/earlyAnswers.ts'
import { trackPendingReads } from './pendingReads.ts'

/** The venue that served this page. */
export const call = trackPendingReads(
  createClient({
    session: { token: () => session.token, memberId: () => session.userInfo?.id, onEnded: endSession },
    takeEarly: (address) => takeEarly(session.token, address),
  }),
)
