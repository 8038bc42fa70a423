import { TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hourMs, minuteMs, secondMs } from '../../../../contract/time.ts'
import type { DbTransaction } from '../../../../server/platform/db/database.ts'
import { memberFactors } from '../../../../server/members/schema.ts'
import { createFactorCore, type FactorCore } from '../../../../server/members/secondFactor/factorCore.ts'
import { withPostgres } from '../../../support/postgres.ts'
import { softAuthenticator } from '../../../support/softAuthenticator.ts'
import { testFence } from '../../../support/testFence.ts'
import { openTestVenue, type TestVenue } from '../../../support/testVenue.ts'

/** The core that members and staff share, on PostgreSQL, where calls run at the same time. */
const postgres = await withPostgres('second factors')
const party = { id: 'localhost', origin: 'http://localhost', name: 'Uptick' }

postgres.describe('the core of second factors', () => {
  let venue: TestVenue
  let core: FactorCore
  beforeAll(async () => {
    venue = await openTestVenue(postgres.database(), { asRoles: true })
    core = createFactorCore({ ...venue, tables: memberFactors })
  })
  afterAll(() => venue.close())

  const nothing = async (): Promise<void> => undefined
  /** A code of a device that is not known. */
  const from = (code: string, ip = '10.30.0.1') => ({ code, from: { ip } })
  const accept = <T>(checked: { accept: (tx: DbTransaction) => Promise<T> }): Promise<T> =>
    venue.db.transaction((tx) => checked.accept(tx))
  const addPasskey = async (ownerId: string, authenticator = softAuthenticator()) => {
    const owner = { id: ownerId, account: 'guest001', displayName: 'Guest' }
    const { challengeId, options } = await core.passkeys.registration.begin(party, owner, 'here')
    const response = authenticator.create(options)
    const answer = { challengeId, response, name: 'Phone' }
    await accept(await core.passkeys.registration.check(party, ownerId, 'here', answer))
    return { authenticator, answer }
  }
  const addApp = async (ownerId: string): Promise<TOTP> => {
    const { secret } = core.totp.newSetup('Uptick', 'guest001')
    const app = new TOTP({ secret })
    const step = core.totp.stepOf(secret, app.generate({ timestamp: venue.clock.now() })) ?? -1
    await venue.db.transaction((tx) => core.totp.add(tx, ownerId, secret, step))
    return app
  }
  const outcomes = async (all: Promise<unknown>[]): Promise<string[]> =>
    (await Promise.allSettled(all))
      .map((result) => (result.status === 'fulfilled' ? 'done' : String(result.reason.code)))
      .sort()

  it('accepts one of many uses of an assertion at once', async () => {
    const { id } = await venue.createMember()
    const { authenticator } = await addPasskey(id, softAuthenticator('http://localhost', { counts: false }))
    const { challengeId, options } = await core.passkeys.assertion.begin(party, 'log-in', null)
    const answer = { challengeId, response: authenticator.get(options) }
    const use = async (): Promise<void> =>
      accept(await core.passkeys.assertion.check(party, 'log-in', null, answer))
    expect(await outcomes(Array.from({ length: 6 }, use))).toEqual([
      ...Array.from({ length: 5 }, () => 'CHALLENGE_EXPIRED'),
      'done',
    ])
  })

  it('accepts one of two assertions with the same count of signatures', async () => {
    const { id } = await venue.createMember()
    const { authenticator } = await addPasskey(id)
    const check = async (counter: number) => {
      const { challengeId, options } = await core.passkeys.assertion.begin(party, 'log-in', null)
      const response = authenticator.get(options, { counter })
      return core.passkeys.assertion.check(party, 'log-in', null, { challengeId, response })
    }
    const both = [await check(1), await check(1)]
    expect(await outcomes(both.map(accept))).toEqual(['PASSKEY_INVALID', 'done'])
    await expect(check(1)).rejects.toMatchObject({ code: 'PASSKEY_INVALID' })
    await accept(await check(2))
  })

  it('adds one passkey by one registration, for its owner and scope only', async () => {
    const { id } = await venue.createMember()
    const other = await venue.createMember()
    const { answer } = await addPasskey(id)
    const again = async (ownerId: string, scope: string) =>
      accept(await core.passkeys.registration.check(party, ownerId, scope, answer))
    for (const [ownerId, scope] of [
      [id, 'here'],
      [id, 'elsewhere'],
      [other.id, 'here'],
    ] as const)
      await expect(again(ownerId, scope)).rejects.toMatchObject({ code: 'CHALLENGE_EXPIRED' })
    expect(await core.passkeys.list(other.id)).toEqual([])
    expect(await core.passkeys.list(id)).toHaveLength(1)
  })

  it('accepts a challenge for its purpose, until it expires', async () => {
    const { id } = await venue.createMember()
    const { authenticator } = await addPasskey(id)
    const { challengeId, options } = await core.passkeys.assertion.begin(party, 'withdrawal', id)
    const answer = { challengeId, response: authenticator.get(options) }
    for (const [purpose, owner] of [
      ['log-in', null],
      ['withdrawal', null],
      ['security', id],
    ] as const)
      await expect(core.passkeys.assertion.check(party, purpose, owner, answer)).rejects.toMatchObject({
        code: 'CHALLENGE_EXPIRED',
      })
    venue.clock.leap(5 * minuteMs + 1)
    await expect(core.passkeys.assertion.check(party, 'withdrawal', id, answer)).rejects.toMatchObject({
      code: 'CHALLENGE_EXPIRED',
    })
  })

  it('uses a recovery code once, however many log-ins send it at the same time', async () => {
    const { id } = await venue.createMember()
    const codes = await venue.db.transaction((tx) => core.recoveryCodes.replace(tx, id))
    expect(new Set(codes).size).toBe(10)
    const typed = ` ${codes[0]?.toLowerCase().replace('-', ' ')}`
    const use = () => core.codes.use(id, from(typed), async (_tx, kind) => expect(kind).toBe('recovery'))
    expect(await outcomes([use(), use(), use()])).toEqual([
      'SECOND_FACTOR_WRONG',
      'SECOND_FACTOR_WRONG',
      'done',
    ])
    expect(await core.recoveryCodes.left(venue.db, id)).toBe(9)
    const { rows } = await postgres.database().pool.query('SELECT * FROM member_recovery_code')
    for (const code of codes) expect(JSON.stringify(rows)).not.toContain(code)
  })

  it('replaces all recovery codes with new ones', async () => {
    const { id } = await venue.createMember()
    const [old = ''] = await venue.db.transaction((tx) => core.recoveryCodes.replace(tx, id))
    const codes = await venue.db.transaction((tx) => core.recoveryCodes.replace(tx, id))
    const [fresh = ''] = codes
    // Ten letters of 32: 50 bits.
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
    expect(new Set([old, ...codes]).size).toBe(11)
    await expect(core.codes.use(id, from(old), nothing)).rejects.toMatchObject({
      code: 'SECOND_FACTOR_WRONG',
    })
    await core.codes.use(id, from(fresh), nothing)
  })

  it('uses a code of the app once, and no older one after it', async () => {
    const { id } = await venue.createMember()
    const app = await addApp(id)
    const codeAt = (ms: number): string => app.generate({ timestamp: venue.clock.now() + ms })
    const use = (code: string) => core.codes.use(id, from(code), nothing)
    // The code that added the app is used too.
    await expect(use(codeAt(0))).rejects.toMatchObject({ code: 'SECOND_FACTOR_WRONG' })
    const next = codeAt(30 * secondMs)
    expect(await outcomes([use(next), use(next), use(next)])).toEqual([
      'SECOND_FACTOR_WRONG',
      'SECOND_FACTOR_WRONG',
      'done',
    ])
    await expect(use(codeAt(0))).rejects.toMatchObject({ code: 'SECOND_FACTOR_WRONG' })
    venue.clock.leap(2 * minuteMs)
    await use(codeAt(0).replace(/^.../, '$& '))
  })

  it('does not store the secret of an app as text', async () => {
    const { id } = await venue.createMember()
    const app = await addApp(id)
    const { rows } = await postgres.database().pool.query('SELECT secret_sealed FROM member_totp')
    for (const { secret_sealed: sealed } of rows as { secret_sealed: Buffer }[]) {
      expect(sealed.includes(app.secret.base32)).toBe(false)
      expect(sealed.includes(Buffer.from(app.secret.buffer))).toBe(false)
    }
  })

  it('checks five of many codes sent at once, then none for an hour, then again', async () => {
    const { id } = await venue.createMember()
    const app = await addApp(id)
    const use = (code: string) => core.codes.use(id, from(code), nothing)
    const right = (): string => app.generate({ timestamp: venue.clock.now() })
    const wrong = (): string => String((Number(right()) + 500_000) % 1_000_000).padStart(6, '0')
    const guesses = await outcomes(Array.from({ length: 20 }, () => use(wrong())))
    expect(guesses.filter((code) => code === 'SECOND_FACTOR_WRONG')).toHaveLength(5)
    expect(guesses.filter((code) => code === 'LOCKED')).toHaveLength(15)
    venue.clock.leap(hourMs - minuteMs)
    await expect(use(right())).rejects.toMatchObject({
      code: 'LOCKED',
      params: { retryAfterMs: minuteMs },
    })
    venue.clock.leap(minuteMs)
    await expect(use(wrong())).rejects.toMatchObject({ code: 'SECOND_FACTOR_WRONG' })
    await use(right())
  })

  it('limits whoever guesses: another address, a known device and a recovery code are not locked', async () => {
    const { id } = await venue.createMember()
    const app = await addApp(id)
    const codes = await venue.db.transaction((tx) => core.recoveryCodes.replace(tx, id))
    const right = (): string => app.generate({ timestamp: venue.clock.now() })
    const wrong = (): string => String((Number(right()) + 500_000) % 1_000_000).padStart(6, '0')
    const guess = (ip: string) => core.codes.use(id, from(wrong(), ip), nothing)
    for (let i = 0; i < 5; i += 1)
      await expect(guess('10.30.1.1')).rejects.toMatchObject({ code: 'SECOND_FACTOR_WRONG' })
    await expect(guess('10.30.1.1')).rejects.toMatchObject({ code: 'LOCKED' })
    venue.clock.leap(minuteMs)
    await core.codes.use(id, from(right(), '10.30.1.2'), nothing)
    venue.clock.leap(minuteMs)
    await core.codes.use(id, { code: right(), from: { known: 'device' } }, nothing)
    for (let i = 0; i < 8; i += 1)
      await expect(core.codes.use(id, from('00000-00000', '10.30.1.1'), nothing)).rejects.toMatchObject({
        code: 'SECOND_FACTOR_WRONG',
      })
    await core.codes.use(id, from(codes[0] ?? '', '10.30.1.1'), nothing)
  })

  it('checks five codes of one log-in, wherever they come from', async () => {
    const { id } = await venue.createMember()
    const app = await addApp(id)
    const wrong = String((Number(app.generate({ timestamp: venue.clock.now() })) + 500_000) % 1_000_000)
    const guess = (i: number) =>
      core.codes.use(
        id,
        { code: wrong.padStart(6, '0'), from: { ip: `10.30.2.${i}`, attempt: 'one' } },
        nothing,
      )
    const guesses = await outcomes(Array.from({ length: 8 }, (_, i) => guess(i)))
    expect(guesses.filter((code) => code === 'SECOND_FACTOR_WRONG')).toHaveLength(5)
    expect(guesses.filter((code) => code === 'CHALLENGE_EXPIRED')).toHaveLength(3)
  })

  it('checks a hundred codes a day of all unknown devices, and those of known ones too', async () => {
    const { id } = await venue.createMember()
    const app = await addApp(id)
    const codes = await venue.db.transaction((tx) => core.recoveryCodes.replace(tx, id))
    const right = (): string => app.generate({ timestamp: venue.clock.now() })
    const wrong = String((Number(right()) + 500_000) % 1_000_000).padStart(6, '0')
    const guesses = await outcomes(
      Array.from({ length: 110 }, (_, i) => core.codes.use(id, from(wrong, `10.31.0.${i}`), nothing)),
    )
    expect(guesses.filter((code) => code === 'SECOND_FACTOR_WRONG')).toHaveLength(100)
    expect(guesses.filter((code) => code === 'LOCKED')).toHaveLength(10)
    venue.clock.leap(minuteMs)
    await core.codes.use(id, { code: right(), from: { known: 'device' } }, nothing)
    await core.codes.use(id, from(codes[0] ?? '', '10.31.1.1'), nothing)
    venue.clock.leap(minuteMs)
    await expect(core.codes.use(id, from(right(), '10.31.1.1'), nothing)).rejects.toMatchObject({
      code: 'LOCKED',
      params: { retryAfterMs: 24 * hourMs - 2 * minuteMs },
    })
    venue.clock.leap(24 * hourMs)
    await core.codes.use(id, from(right(), '10.31.1.1'), nothing)
  })

  it('forgets wrong codes after a day', async () => {
    const { id } = await venue.createMember()
    await addApp(id)
    await expect(core.codes.use(id, from('000000', '10.32.0.1'), nothing)).rejects.toMatchObject({
      code: 'SECOND_FACTOR_WRONG',
    })
    venue.clock.leap(24 * hourMs + 1)
    await core.codes.prune(testFence)
    const { rows } = await postgres.database().pool.query('SELECT 1 FROM member_code_failure')
    expect(rows).toEqual([])
  })

  it('does not count a try if the work after the right code fails', async () => {
    const { id } = await venue.createMember()
    const app = await addApp(id)
    for (let i = 0; i < 6; i += 1) {
      venue.clock.leap(minuteMs)
      const code = app.generate({ timestamp: venue.clock.now() })
      const fails = core.codes.use(id, from(code), () => Promise.reject(new Error('no session')))
      await expect(fails).rejects.toThrow('no session')
      await core.codes.use(id, from(code), nothing)
    }
  })
})
