import { endSession, session } from '../state/session.ts'
import { createDownloader } from './downloader.ts'

/** Fetches a file from the venue that served this page. */
export const fetchFile = createDownloader({ token: () => session.token, onEnded: endSession })
