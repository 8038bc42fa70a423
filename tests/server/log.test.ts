import { DrizzleQueryError } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { createLogger } from '../../server/log.ts'

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
  expect(fault).toMatchObject({ name: 'Error', cause: { code: '23505', constraint: 'member_phone_key' } })
  expect(fault.frames[0]).toContain('log.test.ts')
  expect(written.join('')).not.toContain(canary)
})
