import { contentRoutes } from '../../contract/content.ts'
import { runningScript } from './runningScript.ts'

/** Why a part of the app could not be loaded. `missing`: a newer version has replaced it. */
export type LoadFailure = 'timeout' | 'missing' | 'other'

const resourceMaxLength = 300
const buildMaxLength = 64
/** `monotonicAt` is the instant by `performance.now()`. */
export type KnownFailure = { kind: LoadFailure; resource: string; monotonicAt: number }

const reported = new Map<string, KnownFailure>()

/** What failed during this visit, newest last. */
export const knownFailures = (): KnownFailure[] => [...reported.values()]

/**
 * Reports to the venue that a page or another file of the app failed to load, once per visit and kind. It carries no
 * member data, only the file's name, the kind of failure and the build. It must work if hardly anything was loaded, so it
 * uses plain fetch instead of the API client, and ignores its own failure.
 */
export function reportFailure(kind: LoadFailure, resource: string, script = runningScript()): void {
  const name = `${kind} ${resource}`
  if (reported.has(name)) return
  reported.set(name, { kind, resource: resource.slice(0, resourceMaxLength), monotonicAt: performance.now() })
  const body = JSON.stringify({
    kind,
    resource: resource.slice(0, resourceMaxLength),
    build: (script?.split('/').at(-1) ?? '').slice(0, buildMaxLength),
  })
  const headers = { 'Content-Type': 'application/json' }
  const { method, path } = contentRoutes.reportClientError
  fetch(`/api${path}`, { method, headers, body, keepalive: true }).catch(() => undefined)
}
