import { createClient } from '../src/api/client.ts'
import { createDownloader } from '../src/api/downloader.ts'
import { createUploader } from '../src/api/uploader.ts'
import { attentionHeaders } from './state/attention.ts'
import { endSession } from './state/endSession.ts'
import { csrfToken } from './state/staff.ts'

const deskPath = '/desk'
const session = { token: csrfToken, onEnded: endSession }

/** The calls of the office, at the venue that served this page. */
export const call = createClient({ session, baseURL: deskPath, headers: attentionHeaders })
/** Files of the office: pictures and exports. */
export const fetchFile = createDownloader(session, deskPath)
/** Sends a picture for the next reply to a member. */
export const sendPicture = (memberId: string, picture: Blob) =>
  createUploader(
    session,
    `${deskPath}/service/${encodeURIComponent(memberId)}`,
  )({ purpose: 'service', picture })
/** Calls that everybody may make: prices and what is published. */
export const publicCall = createClient({ session: { token: () => null, onEnded: () => undefined } })
