import { pino } from 'pino'
import type { RequestContext } from '../../server/platform/http/requestContext.ts'
import { createDownloads } from '../../server/platform/http/downloads.ts'
import { noRateLimits } from '../../server/platform/http/rateLimiter.ts'
import { createHttpApp, type HttpAppParts } from '../../server/platform/http/httpApp.ts'
import type { Authenticator, Idempotency } from '../../server/platform/ports.ts'
import { manualClock } from './manualClock.ts'

/** Knows one member `m`: the cookie `live` is their session `s`, with the CSRF token `token`. */
export const singleMemberAuthenticator: Authenticator = {
  findBySid: async (sid) => (sid === 'live' ? { memberId: 'm', sessionId: 's', csrfHash: 'token' } : null),
  cachedSessionId: () => null,
  csrfMatches: (hash, token) => hash === token,
}
export const memberHeaders = { cookie: 'sid=live', 'x-csrf-token': 'token' }

/** Idempotency keys that store nothing: records the requests, and how many keys are locked. */
export function fakeIdempotencyKeys() {
  const requests: unknown[][] = []
  const state = { lockedCount: 0, requests, replay: null as { status: number; body: unknown } | null }
  const begin: Idempotency['begin'] = async (memberId, method, path, key, body, deferLookup) => {
    requests.push([memberId, method, path, key, body])
    if (state.replay && !deferLookup) return { replay: state.replay }
    state.lockedCount += 1
    return {
      proceed: true,
      release: () => void (state.lockedCount -= 1),
      find: async () => state.replay,
    }
  }
  return Object.assign(state, { begin })
}

/** The venue's HTTP app with a manual clock and no routes. */
export async function openHttpApp(context: Partial<RequestContext> = {}, parts: Partial<HttpAppParts> = {}) {
  const clock = manualClock()
  const keys = fakeIdempotencyKeys()
  const app = await createHttpApp({
    requestContext: {
      clock,
      authenticator: singleMemberAuthenticator,
      idempotency: keys,
      rateLimiter: noRateLimits,
      downloads: createDownloads(),
      freezes: { frozenUntil: () => null },
      publicOrigin: null,
      ...context,
    },
    logger: pino({ level: 'silent' }),
    trustProxy: false,
    imageBaseHost: '',
    onLogDamaged: () => undefined,
    ...parts,
  })
  return { app, clock, keys }
}
