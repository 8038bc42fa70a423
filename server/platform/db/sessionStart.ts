import type { ClientBase } from 'pg'
import { SettingsError } from '../settingsError.ts'
import { timeLimits } from './database.ts'

const limitNames = Object.keys(timeLimits)

/**
 * A pooler may drop what the venue sends when it opens a connection. Its sessions are shared: the lock that is the lease would
 * belong to another process's session.
 * @throws SettingsError if a session does not begin with time limits and as the login itself
 */
export async function assertOwnSession(client: Pick<ClientBase, 'query'>): Promise<void> {
  const names = [...limitNames, 'role']
  const columns = names.map((name) => `current_setting('${name}') AS ${name}`)
  const { rows } = await client.query<Record<string, string>>(`SELECT ${columns.join(', ')}`)
  const session = rows[0] ?? {}
  const lost =
    limitNames.find((name) => session[name] === '0') ?? (session['role'] === 'none' ? null : 'role')
  if (lost === null) return
  throw new SettingsError(
    `DATABASE_URL: a session begins without the ${lost} that it asks for, as behind a pooler: ` +
      'set the address of the database itself',
  )
}
