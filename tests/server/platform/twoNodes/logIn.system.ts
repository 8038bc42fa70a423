import { afterAll, beforeAll, expect, it } from 'vitest'
import { call } from '../../../support/apiCalls.ts'
import { solveCaptcha } from '../../../support/captcha.ts'
import { answerWork } from '../../../support/work.ts'
import { withPostgres } from '../../../support/postgres.ts'
import type { TestVenue } from '../../../support/testVenue.ts'
import { openTwoNodes } from '../../../support/twoNodes.ts'

const postgres = await withPostgres('two_nodes_log_in')

postgres.describe('log-in at two nodes on one database', () => {
  let a: TestVenue
  let b: TestVenue
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ a, b, close } = await openTwoNodes(postgres.database()))
  })
  afterAll(async () => {
    await close()
    expect([...a.reportedErrors, ...b.reportedErrors]).toEqual([])
  })

  type Answer = { captchaId: string; captcha: string }
  const logIn = async (node: TestVenue, account: string, ip: string, answer?: Answer) =>
    (await call(node.app, 'POST', '/auth/login', { body: { account, password: 'not it', ...answer }, ip }))
      .code
  const count = (codes: readonly unknown[], code: string): number =>
    codes.filter((one) => one === code).length

  it.each([['of an account'], ['of an account that does not exist']])(
    'both together accept three passwords %s without a captcha, however many arrive at once',
    async (whose) => {
      const account = whose === 'of an account' ? (await a.registerMember()).account : 'nobody_0001'
      const codes = await Promise.all(
        Array.from({ length: 24 }, (_, i) => logIn(i % 2 === 0 ? a : b, account, '10.20.0.1')),
      )
      expect([count(codes, 'BAD_CREDENTIALS'), count(codes, 'CAPTCHA_REQUIRED')]).toEqual([3, 21])
    },
  )

  it('work of one node is accepted at the other, exactly once', async () => {
    const account = 'nobody_0002'
    for (let i = 0; i < 4; i++) await logIn(i % 2 === 0 ? a : b, account, `10.20.1.${i}`)
    const ip = '10.20.0.2'
    const asked = await call(a.app, 'POST', '/auth/login', { body: { account, password: 'not it' }, ip })
    const work = answerWork(asked)
    const codes = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        const body = { account, password: 'not it', work }
        return (await call((i % 2 === 0 ? b : a).app, 'POST', '/auth/login', { body, ip })).code
      }),
    )
    expect([count(codes, 'BAD_CREDENTIALS'), count(codes, 'WORK_REQUIRED')]).toEqual([1, 7])
    expect(await logIn(b, account, ip)).toBe('WORK_REQUIRED')
  })

  it('a captcha of one node is accepted at the other, exactly once', async () => {
    const ip = '10.20.0.3'
    for (let i = 0; i < 3; i++) await logIn(a, 'nobody_0003', ip)
    const answer = await solveCaptcha(a)
    await a.clock.advance(30_000)
    const codes = await Promise.all(
      Array.from({ length: 8 }, (_, i) => logIn(i % 2 === 0 ? b : a, 'nobody_0003', ip, answer)),
    )
    expect([count(codes, 'BAD_CREDENTIALS'), count(codes, 'CAPTCHA_WRONG')]).toEqual([1, 7])
  })

  it('a captcha answered wrong at one node is worth nothing at the other', async () => {
    const ip = '10.20.0.4'
    for (let i = 0; i < 3; i++) await logIn(a, 'nobody_0004', ip)
    await a.clock.advance(30_000)
    const answer = await solveCaptcha(a)
    const wrong = { ...answer, captcha: answer.captcha === '0000' ? '1111' : '0000' }
    expect(await logIn(b, 'nobody_0004', ip, wrong)).toBe('CAPTCHA_WRONG')
    expect(await logIn(a, 'nobody_0004', ip, answer)).toBe('CAPTCHA_WRONG')
  })

  it('five wrong transaction passwords are the most that both together answer, and the right one is then locked too', async () => {
    const member = await a.createMember()
    const tries = await Promise.allSettled(
      Array.from({ length: 24 }, (_, i) =>
        (i % 2 === 0 ? a : b).guard.verify(member.id, 'transaction', 'no'),
      ),
    )
    const wrong = tries.filter((one) => one.status === 'fulfilled' && !one.value)
    const locked = tries.filter(
      (one) => one.status === 'rejected' && one.reason.code === 'TRANSACTION_PASSWORD_LOCKED',
    )
    expect([wrong.length, locked.length]).toEqual([5, 19])
    for (const node of [a, b])
      await expect(node.guard.verify(member.id, 'transaction', '482913')).rejects.toMatchObject({
        code: 'TRANSACTION_PASSWORD_LOCKED',
      })
  })

  it('right transaction passwords at both at once are all accepted', async () => {
    const member = await a.createMember()
    const tries = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        (i % 2 === 0 ? a : b).guard.verify(member.id, 'transaction', '482913'),
      ),
    )
    expect(tries).toEqual(Array.from({ length: 12 }, () => true))
  })

  it('a log-out at one node ends the session at the other within a second', async () => {
    const member = await a.createMember()
    const atB = b.clientOf(member)
    expect((await atB.get('/me')).status).toBe(200)
    expect((await member.send('POST', '/auth/logout')).status).toBe(204)
    await a.clock.advance(1000)
    expect((await atB.get('/me')).status).toBe(401)
  })
})
