import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { SettingsError } from '../../../../../server/platform/settingsError.ts'
import type { Database } from '../../../../../server/platform/db/database.ts'
import { openPostgresDatabase } from '../../../../../server/platform/db/open.ts'
import { roleNamesOf } from '../../../../../server/platform/db/roles/roles.ts'
import { postgresServer, postgresUnavailableReason } from '../../../../support/scratchPostgres.ts'

const hasPostgres = (await postgresUnavailableReason()) === null

async function onServer(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: postgresServer() })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** An empty database, opened by a login that is no superuser. */
async function withPlainLogin(
  ownerOf: (login: string) => string,
  work: (database: Database, login: string) => Promise<void>,
): Promise<void> {
  const name = `uptick_test_plain_${randomUUID().slice(0, 8)}`
  const login = `${name}_login`
  await onServer(
    `CREATE ROLE ${login} LOGIN CREATEROLE PASSWORD 'plain'`,
    `CREATE DATABASE ${name} ${ownerOf(login)}`,
  )
  const url = Object.assign(new URL(postgresServer()), {
    username: login,
    password: 'plain',
    pathname: name,
  }).href
  const database = await openPostgresDatabase({ databaseUrl: url })
  try {
    await work(database, login)
  } finally {
    await database.close()
    const roles = [...Object.values(roleNamesOf(name)), login]
    await onServer(`DROP DATABASE ${name} WITH (FORCE)`, `DROP ROLE IF EXISTS ${roles.join()}`)
  }
}

describe.runIf(hasPostgres)('a login that is no superuser', () => {
  it('makes the tables of a database that it owns, and works as the run roles that it makes', () =>
    withPlainLogin(
      (login) => `OWNER ${login}`,
      async (database, login) => {
        await database.migrate()
        expect(await database.useRoles()).toBe(true)
        const { rows } = await database.pool.query('SELECT current_user AS name')
        expect(rows).toEqual([{ name: roleNamesOf(login.replace(/_login$/, '')).calls }])
      },
    ))

  it('starts on a database whose tables another login made, and owns nothing', () =>
    withPlainLogin(
      (login) => `OWNER ${login}`,
      async ({ postgres }, login) => {
        const venue = `${login}_venue`
        await onServer(`CREATE ROLE ${venue} LOGIN PASSWORD 'plain'`)
        const ownerUrl = postgres?.databaseUrl ?? ''
        const url = Object.assign(new URL(ownerUrl), { username: venue }).href
        const starts = [{ ownerUrl }, { ownerUrl: null }]
        try {
          for (const start of starts) {
            const database = await openPostgresDatabase({ databaseUrl: url, ...start })
            try {
              await database.migrate()
              expect(await database.useRoles()).toBe(true)
              await expect(database.owner.query('SET ROLE NONE; DROP TABLE audit')).rejects.toThrow(
                /must be owner/,
              )
            } finally {
              await database.close()
            }
          }
        } finally {
          await onServer(`DROP OWNED BY ${venue}; DROP ROLE ${venue}`)
        }
      },
    ))

  it('is told in one line that it must own the database', () =>
    withPlainLogin(
      () => '',
      async (database, login) => {
        const migrated = database.migrate()
        await expect(migrated).rejects.toThrow(SettingsError)
        await expect(migrated).rejects.toThrow(
          `DATABASE_URL: ${login} may not make the tables of ${login.replace(/_login$/, '')}: ` +
            'it must own them, or DATABASE_OWNER_URL is who does',
        )
      },
    ))
})
