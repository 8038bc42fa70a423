import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../server/idempotency/fingerprint.ts'
import { createIdempotencyKeys } from '../../../server/idempotency/idempotencyKeys.ts'
import { openMemoryDatabase } from '../../../server/db/open.ts'
import type { Database } from '../../../server/db/open.ts'
import { call, openTestVenue } from '../../support/testVenue.ts'
import type { TestVenue } from '../../support/testVenue.ts'
import { testFence } from '../../support/testFence.ts'

let database: Database
let venue: TestVenue
beforeAll(async () => {
  database = await openMemoryDatabase()
  venue = await openTestVenue(database)
})
afterAll(async () => {
  await venue.close()
  await database.close()
})

const scopeFor = (memberId: string) => ({
  memberId,
  method: 'POST',
  path: '/api/x',
  key: venue.random.uuid(),
})
type Scope = ReturnType<typeof scopeFor>
const begin = ({ memberId, method, path, key }: Scope, body: unknown) =>
  venue.keys.begin(memberId, method, path, key, body)

async function lock(scope: Scope, body: unknown): Promise<() => void> {
  const begun = await begin(scope, body)
  if (!('proceed' in begun)) throw new Error('replayed')
  return begun.release
}

describe('canonical JSON', () => {
  it.each([
    [{ b: 1, a: [2, { d: null, c: 'x' }] }, '{"a":[2,{"c":"x","d":null}],"b":1}'],
    [undefined, 'null'],
    ['text', '"text"'],
    [{ a: undefined }, '{}'],
  ])('%j', (value, text) => expect(canonicalJson(value)).toBe(text))
})

describe('a key', () => {
  it('must be there and be a UUID', async () => {
    const { sid, token } = await venue.createMember()
    const headers = { cookie: `sid=${sid}`, 'x-csrf-token': token }
    for (const extra of [{}, { 'idempotency-key': 'not-a-uuid' }]) {
      const reply = await call(venue.app, 'POST', '/practice/reset', { headers: { ...headers, ...extra } })
      expect([reply.status, reply.code]).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED'])
    }
  })

  it('gives the stored answer again, whatever the order of the body’s fields', async () => {
    const scope = scopeFor('m1')
    const release = await lock(scope, { a: 1, b: 2 })
    await venue.keys.save(venue.db, scope, { status: 201, body: { id: 'x' } })
    release()
    expect(await begin(scope, { b: 2, a: 1 })).toEqual({ replay: { status: 201, body: { id: 'x' } } })
  })

  it('with another body is a mismatch, stored or in flight', async () => {
    const scope = scopeFor('m1')
    const release = await lock(scope, { a: 1 })
    const beside = expect(begin(scope, { a: 2 })).rejects.toMatchObject({
      status: 422,
      code: 'IDEMPOTENCY_MISMATCH',
    })
    await venue.keys.save(venue.db, scope, { status: 422, body: {} })
    release()
    await beside
    await expect(begin(scope, { a: 2 })).rejects.toMatchObject({ status: 422, code: 'IDEMPOTENCY_MISMATCH' })
  })

  it('with another body in flight, the first body still finds its stored answer', async () => {
    const scope = scopeFor('m1')
    const release = await lock(scope, { a: 1 })
    await venue.keys.save(venue.db, scope, { status: 201, body: { id: 'x' } })
    release()
    const altered = begin(scope, { a: 2 })
    const again = begin(scope, { a: 1 })
    await expect(altered).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' })
    expect(await again).toEqual({ replay: { status: 201, body: { id: 'x' } } })
  })

  it('with another body in flight that stores nothing, goes on with its own', async () => {
    const scope = scopeFor('m1')
    const release = await lock(scope, { a: 1 })
    const other = lock(scope, { a: 2 })
    release()
    const free = await other
    free()
  })

  it('with another body in flight here, a body that is stored by another process gets its answer', async () => {
    const scope = scopeFor('m1')
    const elsewhere = createIdempotencyKeys({ db: venue.db, clock: venue.clock, secret: venue.secret })
    const { memberId, method, path, key } = scope
    const release = await lock(scope, { a: 2 })
    const first = await elsewhere.begin(memberId, method, path, key, { a: 1 })
    const again = begin(scope, { a: 1 })
    await elsewhere.save(venue.db, scope, { status: 201, body: { id: 'x' } })
    if ('release' in first) first.release()
    await expect(venue.keys.save(venue.db, scope, { status: 201, body: {} })).rejects.toThrow()
    release()
    expect(await again).toEqual({ replay: { status: 201, body: { id: 'x' } } })
  })

  it.each([
    ['member', { memberId: 'm2' }],
    ['method', { method: 'PUT' }],
    ['path', { path: '/api/y' }],
  ])('belongs to one %s', async (_what, change) => {
    const scope = scopeFor('m1')
    const release = await lock(scope, 1)
    await venue.keys.save(venue.db, scope, { status: 201, body: {} })
    release()
    const other = await lock({ ...scope, ...change }, 2)
    other()
  })

  it('a twin waits for the first answer', async () => {
    const scope = scopeFor('m1')
    const release = await lock(scope, 1)
    const twin = begin(scope, 1)
    await venue.keys.save(venue.db, scope, { status: 201, body: { n: 1 } })
    release()
    expect(await twin).toEqual({ replay: { status: 201, body: { n: 1 } } })
  })

  it('a twin goes on itself where the first answer was not stored', async () => {
    const scope = scopeFor('m1')
    const release = await lock(scope, 1)
    const twin = begin(scope, 1)
    release()
    const begun = await twin
    expect(begun).toMatchObject({ proceed: true })
    if ('release' in begun) begun.release()
  })

  it('of many twins that wait, one goes on at a time', async () => {
    const scope = scopeFor('m1')
    let holders = 0
    const release = await lock(scope, 1)
    const twins = Array.from({ length: 10 }, async () => {
      const free = await lock(scope, 1)
      holders += 1
      expect(holders).toBe(1)
      expect(venue.keys.lockedFingerprint(scope)).toBeTruthy()
      await Promise.resolve()
      holders -= 1
      free()
    })
    release()
    await Promise.all(twins)
  })

  it('a twin gives up after ten seconds', async () => {
    const scope = scopeFor('m1')
    const release = await lock(scope, 1)
    const twin = begin(scope, 1)
    const refused = expect(twin).rejects.toMatchObject({ status: 409, code: 'IDEMPOTENCY_IN_FLIGHT' })
    await venue.clock.advance(10_000)
    await refused
    release()
    expect(venue.clock.pending()).toBe(0)
  })

  it('is kept for seven days at least, then pruned, and no other way', async () => {
    const scope = scopeFor('m9')
    const release = await lock(scope, 1)
    await venue.keys.save(venue.db, scope, { status: 201, body: {} })
    release()
    await venue.clock.advance(7 * 86_400_000)
    await venue.keys.prune(testFence)
    expect(await begin(scope, 1)).toHaveProperty('replay')
    await expect(database.pool.query('DELETE FROM idempotency')).rejects.toThrow('denied')
    await venue.clock.advance(2 * 86_400_000)
    expect(await venue.keys.prune(testFence)).toBeGreaterThan(0)
    expect(await begin(scope, 1)).toHaveProperty('proceed')
  })
})

it('a member’s stored refusals are bounded: beyond them a refusal is 429 and leaves no row', async () => {
  const { db, clock, secret } = venue
  const keys = createIdempotencyKeys({ db, clock, secret, limitStoredErrors: true })
  const refuse = async (memberId: string, status = 422): Promise<string> => {
    const scope = scopeFor(memberId)
    const begun = await keys.begin(memberId, scope.method, scope.path, scope.key, {})
    if (!('proceed' in begun)) throw new Error('replayed')
    try {
      await keys.save(db, scope, { status, body: {} })
      return 'stored'
    } catch (error) {
      return String(Reflect.get(Object(error), 'code'))
    } finally {
      begun.release()
    }
  }
  for (let i = 0; i < 500; i++) expect(await refuse('refused')).toBe('stored')
  expect(await refuse('refused')).toBe('RATE_LIMITED')
  expect([await refuse('refused', 201), await refuse('another')]).toEqual(['stored', 'stored'])
  await clock.advance(3_600_000 / 50)
  expect([await refuse('refused'), await refuse('refused')]).toEqual(['stored', 'RATE_LIMITED'])
})
