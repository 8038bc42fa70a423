import { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call } from '../../../support/apiCalls.ts'
import { countLockWaits, withPostgres } from '../../../support/postgres.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'

const postgres = await withPostgres('login_crowd')

postgres.describe('a crowd of log-ins with one name', () => {
  let venue: TestVenue
  beforeAll(async () => {
    venue = await openTestVenue(postgres.database())
  })
  afterAll(() => venue.close())

  const logIn = () =>
    call(venue.app, 'POST', '/auth/login', { body: { account: 'nobody_01', password: 'not it' } })

  it('leaves connections to everybody else, while each of them waits for the one before', async () => {
    const member = await venue.createMember()
    await logIn()
    // Those of the venue are what may run out.
    const pool = new Pool({ connectionString: postgres.url() })
    const slow = await pool.connect()
    try {
      await slow.query('BEGIN; SELECT * FROM login_failure FOR UPDATE')
      const crowd = Promise.all(Array.from({ length: 64 }, logIn))
      await expect.poll(() => countLockWaits({ pool })).toBeGreaterThan(1)
      for (let i = 0; i < 20; i++) expect((await member.get('/me/assets')).status).toBe(200)
      await slow.query('COMMIT')
      const codes = new Set((await crowd).map(({ code }) => code))
      expect(codes).toEqual(new Set(['BAD_CREDENTIALS', 'CAPTCHA_REQUIRED']))
    } finally {
      slow.release()
      await pool.end()
    }
  })
})
