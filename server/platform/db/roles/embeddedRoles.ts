import type { Duplex } from 'node:stream'
import type { Pool } from 'pg'
import { embeddedPoolConfig, openPool } from '../database.ts'
import { renewConnections, routeByRole } from './roleContext.ts'
import { applyRoles, type RoleNames } from './roles.ts'

/** The connections of an embedded database, which has one superuser: each begins as the role that it is for. */
export class EmbeddedRoles {
  readonly #connect: (role: string | null) => Duplex
  readonly #onError: (error: unknown) => void
  /** Connections of the superuser, for housekeeping. */
  readonly owner: Pool
  /** Connections of the role `calls` once roles are used; before, of the superuser. */
  readonly pool: Pool
  #office: Pool | null = null
  names: RoleNames | null = null

  constructor(connect: (role: string | null) => Duplex, onError: (error: unknown) => void) {
    this.#connect = connect
    this.#onError = onError
    this.owner = this.#open(() => null)
    this.pool = this.#open(() => this.names?.calls ?? null)
  }

  async use(): Promise<boolean> {
    const client = await this.owner.connect()
    try {
      this.names = await applyRoles(client, { login: null, isShared: false })
    } finally {
      client.release()
    }
    this.#office = this.#open(() => this.names?.office ?? null)
    routeByRole(this.pool, { office: this.#office })
    await renewConnections(this.pool)
    return true
  }

  async close(): Promise<void> {
    await this.#office?.end()
    await this.owner.end()
  }

  #open(role: () => string | null): Pool {
    return openPool(
      embeddedPoolConfig(() => this.#connect(role())),
      this.#onError,
    )
  }
}
