import { endSession, session } from '../state/session.ts'
import { createClient } from './client.ts'

/** The venue that served this page. */
export const call = createClient({ session: { token: () => session.token, ended: endSession } })
