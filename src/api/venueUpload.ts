import { endSession, session } from '../state/session.ts'
import { createUploader } from './uploader.ts'

/** Sends a picture to the venue that served this page. */
export const upload = createUploader({ token: () => session.token, onEnded: endSession })
