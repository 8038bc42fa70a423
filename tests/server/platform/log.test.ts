import { DrizzleQueryError } from 'drizzle-orm'
import { DatabaseError } from 'pg'
import { expect, it } from 'vitest'
import { createLogger, logError } from '../../../server/platform/log.ts'

function openLog() {
  const written: string[] = []
  return { written, log: createLogger('debug', { write: (line) => void written.push(line) }) }
}
const canary = '13800138000'

it('logs only the allowed fields', () => {
  const { written, log } = openLog()
  log.info(
    { route: '/api/orders', status: 201, body: canary, member: canary, phone: { of: canary } },
    'answered',
  )
  expect(JSON.parse(written[0]!)).toMatchObject({
    level: 'info',
    route: '/api/orders',
    status: 201,
    msg: 'answered',
  })
  expect(written.join('')).not.toContain(canary)
})

it.each([
  [
    'as a field',
    (log: ReturnType<typeof openLog>['log'], error: Error) => log.error({ err: error }, 'failed'),
  ],
  ['by itself', (log: ReturnType<typeof openLog>['log'], error: Error) => log.error(error)],
  ['with a text', (log: ReturnType<typeof openLog>['log'], error: Error) => log.error(error, 'failed')],
])('logs the name and place of an error without its message: %s', (_name, write) => {
  const { written, log } = openLog()
  const cause = Object.assign(new Error(`duplicate ${canary}`), {
    code: '23505',
    constraint: 'member_phone_key',
  })
  write(log, new DrizzleQueryError(`insert into member values ('${canary}')`, [canary], cause))
  const { fault } = JSON.parse(written[0]!)
  expect(fault).toMatchObject({
    name: 'Error',
    code: '23505',
    table: 'member',
    cause: { code: '23505', constraint: 'member_phone_key' },
  })
  expect(fault.frames[0]).toContain('log.test.ts')
  expect(written.join('')).not.toContain(canary)
})

it.each([
  ['42703', 'column "phone" does not exist', true],
  ['22P02', `invalid input syntax for type integer: "${canary}"`, false],
  ['23001', `an order of member ${canary} without its stake`, false],
])('logs what PostgreSQL says where that names no values: %s', (code, message, isLogged) => {
  const { written, log } = openLog()
  const cause = Object.assign(new DatabaseError(message, 0, 'error'), { code })
  log.error(new DrizzleQueryError('select 1 from "balance" where id = $1', [canary], cause), 'failed')
  const { fault } = JSON.parse(written[0]!)
  expect(fault).toMatchObject({ code, table: 'balance', ...(isLogged && { message }) })
  expect(written.join('')).not.toContain(canary)
})

it('tells of a database in trouble once, without a stack, and has the details at level debug', () => {
  const lines: Record<string, unknown>[] = []
  const log = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const full = Object.assign(new DatabaseError('could not extend file', 0, 'error'), { code: '53100' })
  for (let n = 0; n < 3; n += 1) logError(log, 'placing failed', full)
  logError(log, 'another failure', new Error('of another kind'))
  expect(lines).toMatchObject([
    { level: 'error', msg: expect.stringContaining('has no space left on its disk (53100)') },
    { level: 'error', msg: 'another failure', fault: { name: 'Error' } },
  ])
  expect(lines[0]).not.toHaveProperty('fault')
})

it('logs of an error that repeats ever fewer, with their count', () => {
  const lines: Record<string, unknown>[] = []
  const log = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const full = Object.assign(new Error(canary), { code: 'ENOSPC' })
  for (let n = 0; n < 9; n += 1) logError(log, 'add to the public log: failed', full)
  logError(log, 'add to the public log: failed', new Error('for another reason'))
  expect(lines.map(({ count, fault }) => [count, (fault as { code?: string }).code])).toEqual([
    [undefined, 'ENOSPC'],
    [2, 'ENOSPC'],
    [4, 'ENOSPC'],
    [8, 'ENOSPC'],
    [undefined, undefined],
  ])
})
