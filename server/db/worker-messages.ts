import type { MessagePort } from 'node:worker_threads'

export interface WorkerSettings {
  /** Folder of the embedded database's files. */
  readonly dir: string
}

export type ToWorker = { readonly kind: 'connect'; readonly port: MessagePort } | { readonly kind: 'close' }

export type FromWorker = { readonly kind: 'ready' } | { readonly kind: 'closed' }
