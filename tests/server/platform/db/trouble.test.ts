import { connect } from 'node:net'
import { DrizzleQueryError } from 'drizzle-orm'
import { DatabaseError } from 'pg'
import { expect, it } from 'vitest'
import { openPool, postgresPoolConfig } from '../../../../server/platform/db/database.ts'
import { databaseTrouble } from '../../../../server/platform/db/trouble.ts'
import { deserializeError, serializeError } from '../../../../server/start/engine/errors.ts'

const answered = (code: string): Error =>
  new DrizzleQueryError('select', [], Object.assign(new DatabaseError('could not', 0, 'error'), { code }))

it.each([
  ['53100', 'full'],
  ['58030', 'full'],
  ['53300', 'gone'],
  ['57P03', 'lost'],
  ['25006', 'gone'],
  ['28P01', 'gone'],
  ['57P01', 'lost'],
  ['57P02', 'lost'],
  ['08006', 'lost'],
  ['57014', 'slow'],
  ['55P03', 'slow'],
])('SQLSTATE %s is trouble of the database: %s', (code, kind) => {
  expect(databaseTrouble(answered(code))).toMatchObject({ kind, code })
  // From the engine's thread too.
  expect(databaseTrouble(deserializeError(serializeError(answered(code))))).toMatchObject({ kind, code })
})

it.each(['23505', '40001', '42P01', 'UT002', 'XX000', '08P01', '25P03'])(
  'SQLSTATE %s is an answer to the statement',
  (code) => {
    expect(databaseTrouble(answered(code))).toBeNull()
  },
)

it.each([
  ['Connection terminated unexpectedly', 'lost'],
  ['Client has encountered a connection error and is not queryable', 'lost'],
  ['timeout exceeded when trying to connect', 'slow'],
])('the driver’s “%s” is trouble without a code: %s', (message, kind) => {
  expect(databaseTrouble(new Error('outer', { cause: new Error(message) }))).toMatchObject({
    kind,
    code: null,
  })
})

it('a refused connection is the database’s only if it was to the database', async () => {
  const pool = openPool(postgresPoolConfig('postgres://postgres@127.0.0.1:1/none', 'tests'), () => undefined)
  const error: unknown = await pool.query('SELECT 1').catch((thrown: unknown) => thrown)
  await pool.end()
  const refused = { kind: 'gone', code: 'ECONNREFUSED', what: 'refuses connections' }
  expect(databaseTrouble(error)).toEqual(refused)
  expect(databaseTrouble(deserializeError(serializeError(error)))).toEqual(refused)

  const other = await new Promise((resolve) => connect(1, '127.0.0.1').once('error', resolve))
  expect(other).toMatchObject({ code: 'ECONNREFUSED' })
  expect(databaseTrouble(other)).toBeNull()
})
