import { pino } from 'pino'
import type { Gate } from '../../server/http/gate.ts'
import { createDownloads } from '../../server/http/downloads.ts'
import { noLimits } from '../../server/http/limits.ts'
import { createShell } from '../../server/http/shell.ts'
import type { ShellParts } from '../../server/http/shell.ts'
import type { Authenticator, Idempotency } from '../../server/ports.ts'
import { manualClock } from './clock.ts'

/** One member `m`: the cookie `live` is their session `s`, its token is `token`. */
export const oneMember: Authenticator = {
  bySid: async (sid) => (sid === 'live' ? { memberId: 'm', sessionId: 's', csrfHash: 'token' } : null),
  knownSession: () => null,
  csrfMatches: (hash, token) => hash === token,
}
export const memberHeaders = { cookie: 'sid=live', 'x-csrf-token': 'token' }

/** Keys without a memory: who asked, and how many are held. */
export function openKeys() {
  const asked: unknown[][] = []
  const state = { held: 0, asked, replay: null as { status: number; body: unknown } | null }
  const begin: Idempotency['begin'] = async (...call) => {
    asked.push(call)
    if (state.replay) return { replay: state.replay }
    state.held += 1
    return { proceed: true, release: () => void (state.held -= 1) }
  }
  return Object.assign(state, { begin })
}

/** The venue's HTTP shell with a clock that stands still; nothing is mounted. */
export async function openShell(gate: Partial<Gate> = {}, parts: Partial<ShellParts> = {}) {
  const clock = manualClock()
  const keys = openKeys()
  const app = await createShell({
    gate: {
      clock,
      authenticator: oneMember,
      idempotency: keys,
      limits: noLimits,
      downloads: createDownloads(),
      publicOrigin: null,
      ...gate,
    },
    logger: pino({ level: 'silent' }),
    trustProxy: false,
    imageBaseHost: '',
    ...parts,
  })
  return { app, clock, keys }
}
