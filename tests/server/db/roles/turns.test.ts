import { Client } from 'pg'
import type { ClientBase } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyRoles } from '../../../../server/db/roles/roles.ts'
import { openScratchPostgres, postgresUnavailableReason } from '../../../support/scratchPostgres.ts'
import type { ScratchPostgres } from '../../../support/scratchPostgres.ts'

const hasPostgres = (await postgresUnavailableReason()) === null

describe.skipIf(!hasPostgres)('two nodes that start behind a pooler', () => {
  let scratch: ScratchPostgres
  const clients: Client[] = []
  beforeAll(async () => {
    scratch = await openScratchPostgres('turns')
    await scratch.database.close()
  })
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()))
    await scratch.drop()
  })
  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: scratch.url })
    await client.connect()
    clients.push(client)
    return client
  }

  it('take turns until the first one has ended the sessions of the owner', async () => {
    const [first, second, observer] = [await connect(), await connect(), await connect()]
    let endSessions = (): void => undefined
    const mayEnd = new Promise<void>((resolve) => (endSessions = resolve))
    let announceEnd = (): void => undefined
    const isAtEnd = new Promise<void>((resolve) => (announceEnd = resolve))
    const held = {
      query: async (text: string, values?: unknown[]) => {
        if (text.includes('pg_terminate_backend')) {
          announceEnd()
          await mayEnd
        }
        return first.query(text, values)
      },
    } as unknown as ClientBase
    const options = { login: null, isShared: true, isPooled: true }
    const isFirstDone = applyRoles(held, options)
    await isAtEnd
    const isSecondDone = applyRoles(second, options)
    const waiting = async (): Promise<number> => {
      const { rows } = await observer.query<{ pid: number }>(
        `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      )
      return rows.length
    }
    // A session without an advisory lock is ended; the others are the two nodes'.
    await observer.query('SELECT pg_advisory_lock(1)')
    try {
      await expect.poll(waiting).toBe(1)
    } finally {
      endSessions()
    }
    const names = await isFirstDone
    expect(await isSecondDone).toEqual(names)
  })
})
