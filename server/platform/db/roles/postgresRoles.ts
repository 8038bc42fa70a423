import type { Pool, PoolConfig } from 'pg'
import { openPool, postgresPoolConfig, withOwner, withRole } from '../database.ts'
import type { PostgresAddress } from '../address.ts'
import { renewConnections, routeByRole } from './roleContext.ts'
import { applyRoles } from './roles.ts'

/** @param role null is the login itself */
export function poolConfigOf(address: PostgresAddress, role: string | null, max?: number): PoolConfig {
  const { databaseUrl, sessionName } = address
  return withRole(postgresPoolConfig(databaseUrl, sessionName, max), role)
}

/** Connections for calls of the office, as a role of its own. */
const officeConnections = 4

/** The roles of a PostgreSQL database, and the pools that use them. */
export class PostgresRoles {
  readonly #pool: Pool
  readonly #address: PostgresAddress
  readonly #onError: (error: unknown) => void
  #office: Pool | null = null

  constructor(pool: Pool, address: PostgresAddress, onError: (error: unknown) => void) {
    this.#pool = pool
    this.#address = address
    this.#onError = onError
  }

  async use(): Promise<boolean> {
    const address = this.#address
    const login = address.ownerUrl === null ? null : decodeURIComponent(new URL(address.databaseUrl).username)
    const roles = await withOwner(address, async (owner) => {
      const client = await owner.connect()
      try {
        return await applyRoles(client, { login, isShared: true })
      } finally {
        client.release()
      }
    })
    address.roles = roles
    if (roles === null) return false
    Object.assign(this.#pool.options, { options: poolConfigOf(address, roles.calls).options })
    this.#office = openPool(poolConfigOf(address, roles.office, officeConnections), this.#onError)
    routeByRole(this.#pool, { office: this.#office })
    await renewConnections(this.#pool)
    return true
  }

  async close(): Promise<void> {
    await this.#office?.end()
  }
}
