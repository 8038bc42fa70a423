import * as z from 'zod/mini'
import { route } from './route.ts'

/**
 * The public log as C2SP tlog-tiles serves it. These paths are below `/log`, not `/api`; they need no session and may be
 * read from any origin.
 */
export const logRoutes = {
  logCheckpoint: route({
    method: 'GET',
    path: '/checkpoint',
    summary:
      'The newest signed checkpoint of the public log, as C2SP tlog-checkpoint; 404 before its first leaf',
    media: 'text/plain',
    cache: 'public, max-age=1',
    status: 200,
    answer: z.string(),
  }),
  logTile: route({
    method: 'GET',
    path: '/tile/:level/:index',
    summary: 'Hashes of a level, or entries, as C2SP tlog-tiles; slashes within the index need no escape',
    costly: true,
    params: z.object({
      level: z.string().check(z.regex(/^(entries|[1-5]?\d|6[0-3])$/)),
      index: z.string().check(z.regex(/^(x\d{3}\/)*\d{3}(\.p\/[1-9]\d{0,2})?$/)),
    }),
    media: 'application/octet-stream',
    // A tile never changes under one name of the log. Under another name, after a backup was restored, the same path
    // has another one: no cache may keep tiles for much longer.
    cache: 'public, max-age=3600',
    status: 200,
    answer: null,
  }),
}
