import type { MessagePort } from 'node:worker_threads'
import type { Priority } from './embeddedSession.ts'

export type WorkerSettings = {
  /** Folder of the embedded database's files. */
  readonly dir: string
}

/** Opens a connection over `port`. */
export type Connect = {
  readonly kind: 'connect'
  readonly port: MessagePort
  readonly priority: Priority
  /** Its statements run as this role; null is the superuser. */
  readonly role: string | null
}

/** `share` has a port through which another thread opens connections. */
export type ToWorker =
  | Connect
  | { readonly kind: 'share'; readonly port: MessagePort }
  | { readonly kind: 'close' }

export type FromWorker = { readonly kind: 'ready' } | { readonly kind: 'closed' }
