import type { Passwords } from '../members/index.ts'
import type { PushTransport } from '../notices/index.ts'
import type { Core } from '../platform/module.ts'
import type { Settings } from './config.ts'
import type { Engine } from './engine/engine.ts'

/** What all modules are built on. A test passes its own engine and so on. */
export type VenueCore = Core & {
  passwords: Passwords
  engine: Engine
  settings: Settings
  /** How notifications reach devices; default: over the push services of their browsers. */
  pushTransport?: PushTransport
}
