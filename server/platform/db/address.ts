import type { MessagePort } from 'node:worker_threads'
import type { RoleNames } from './roles/roles.ts'

/** `roles` are null until `useRoles`. */
export type DatabaseAddress =
  | { kind: 'embedded'; port: MessagePort; roles: RoleNames | null }
  | PostgresAddress

export type PostgresAddress = {
  kind: 'postgres'
  databaseUrl: string
  /** Of the tables' owner, if it is another login than the venue's: for the schema and rights. */
  ownerUrl: string | null
  sessionName: string
  roles: RoleNames | null
}
