import { endSession, session } from '../state/session.ts'
import { createClient } from './client.ts'
import { countReads } from './reads.ts'

/** The venue that served this page. */
export const call = countReads(createClient({ session: { token: () => session.token, ended: endSession } }))
