import { contentRoutes } from '../../contract/content.ts'
import type { ResourceFailure } from './resource.ts'
import { runningScript } from './runningScript.ts'

const resourceMaxLength = 300
const buildMaxLength = 64
const reported = new Set<string>()

/**
 * Tells the venue that a page or another file of the app would not load, once a visit and kind. Nothing of the member's
 * goes with it: what failed, how, and in which build. It must work where hardly anything was loaded, so it is a plain
 * fetch and not the client; whether it arrives changes nothing.
 */
export function reportFailure(kind: ResourceFailure, resource: string, script = runningScript()): void {
  const name = `${kind} ${resource}`
  if (reported.has(name)) return
  reported.add(name)
  const body = JSON.stringify({
    kind,
    resource: resource.slice(0, resourceMaxLength),
    build: (script?.split('/').at(-1) ?? '').slice(0, buildMaxLength),
  })
  const headers = { 'Content-Type': 'application/json' }
  const { method, path } = contentRoutes.clientError
  fetch(`/api${path}`, { method, headers, body, keepalive: true }).catch(() => undefined)
}
