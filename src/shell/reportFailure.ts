import { contentRoutes } from '../../contract/content.ts'
import type { ResourceFailure } from './resource.ts'
import { runningScript } from './runningScript.ts'

const resourceMax = 300
const buildMax = 64
const told = new Set<string>()

/**
 * Tells the venue that a page or another file of the app would not load, once a visit and kind. Nothing of the member's
 * goes with it: what failed, how, and in which build. It must work where hardly anything was loaded, so it is a plain
 * fetch and not the client; whether it arrives changes nothing.
 */
export function reportFailure(kind: ResourceFailure, resource: string, script = runningScript()): void {
  const name = `${kind} ${resource}`
  if (told.has(name)) return
  told.add(name)
  const body = JSON.stringify({
    kind,
    resource: resource.slice(0, resourceMax),
    build: (script?.split('/').at(-1) ?? '').slice(0, buildMax),
  })
  const headers = { 'Content-Type': 'application/json' }
  const { method, path } = contentRoutes.clientError
  fetch(`/api${path}`, { method, headers, body, keepalive: true }).catch(() => undefined)
}
