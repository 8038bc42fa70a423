import { DrizzleQueryError } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { createLogger } from '../../server/log.ts'

function lines() {
  const written: string[] = []
  return { written, log: createLogger('debug', { write: (line) => void written.push(line) }) }
}
const canary = '13800138000'

it('fields that are not listed never reach the log', () => {
  const { written, log } = lines()
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
  ['as a field', (log: ReturnType<typeof lines>['log'], error: Error) => log.error({ err: error }, 'failed')],
  ['by itself', (log: ReturnType<typeof lines>['log'], error: Error) => log.error(error)],
  ['with a text', (log: ReturnType<typeof lines>['log'], error: Error) => log.error(error, 'failed')],
])('a fault %s is named and placed without what its message holds', (_what, write) => {
  const { written, log } = lines()
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
