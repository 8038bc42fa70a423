import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../../contract/canonicalJson.ts'
import { createIdempotencyKeys } from '../../../../server/platform/idempotency/idempotencyKeys.ts'
import { testFence } from '../../../support/testFence.ts'
import { call } from '../../../support/apiCalls.ts'
import { withVenue } from '../../../support/withVenue.ts'

const venue = await withVenue()

const scopeFor = (memberId: string) => ({
  memberId,
  method: 'POST',
  path: '/api/x',
  key: venue.random.uuid(),
})
type Scope = ReturnType<typeof scopeFor>
const begin = ({ memberId, method, path, key }: Scope, body: unknown) =>
  venue.idempotencyKeys.begin(memberId, method, path, key, body)

async function lock(scope: Scope, body: unknown): Promise<() => void> {
  const result = await begin(scope, body)
  if (!('proceed' in result)) throw new Error('replayed')
  return result.release
}

describe('canonicalJson', () => {
  it.each([
    [{ b: 1, a: [2, { d: null, c: 'x' }] }, '{"a":[2,{"c":"x","d":null}],"b":1}'],
    [undefined, 'null'],
    ['text', '"text"'],
    [{ a: undefined }, '{}'],
  ])('formats %j', (value, text) => expect(canonicalJson(value)).toBe(text))
})

describe('an idempotency key', () => {
  it('is required and must be a UUID', async () => {
    const { sid, token } = await venue.createMember()
    const headers = { cookie: `sid=${sid}`, 'x-csrf-token': token }
    for (const extra of [{}, { 'idempotency-key': 'not-a-uuid' }]) {
      const reply = await call(venue.app, 'POST', '/practice/reset', { headers: { ...headers, ...extra } })
      expect([reply.status, reply.code]).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED'])
    }
  })

  it('replays the stored answer whatever the order of the body’s fields', async () => {
    const scope = scopeFor('m1')
    const release = await lock(scope, { a: 1, b: 2 })
    await venue.idempotencyKeys.save(venue.db, scope, { status: 201, body: { id: 'x' } })
    release()
    expect(await begin(scope, { b: 2, a: 1 })).toEqual({ replay: { status: 201, body: { id: 'x' } } })
  })

  it('rejects another body, whether the first is stored or in flight', async () => {
    const scope = scopeFor('m1')
    const release = await lock(scope, { a: 1 })
    const concurrent = expect(begin(scope, { a: 2 })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
    })
    await venue.idempotencyKeys.save(venue.db, scope, { status: 422, body: {} })
    release()
    await concurrent
    await expect(begin(scope, { a: 2 })).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' })
  })

  it('replays the answer of the first body while another body is in flight', async () => {
    const scope = scopeFor('m1')
    const release = await lock(scope, { a: 1 })
    await venue.idempotencyKeys.save(venue.db, scope, { status: 201, body: { id: 'x' } })
    release()
    const otherBody = begin(scope, { a: 2 })
    const again = begin(scope, { a: 1 })
    await expect(otherBody).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' })
    expect(await again).toEqual({ replay: { status: 201, body: { id: 'x' } } })
  })

  it('lets a request proceed after one with another body that stored nothing', async () => {
    const scope = scopeFor('m1')
    const release = await lock(scope, { a: 1 })
    const other = lock(scope, { a: 2 })
    release()
    const releaseOther = await other
    releaseOther()
  })

  it('replays an answer that another process stored while another body was in flight here', async () => {
    const scope = scopeFor('m1')
    const otherProcess = createIdempotencyKeys({
      ...venue,
      fence: testFence,
      secrets: venue.secrets,
      settings: { rateLimits: false },
    })
    const { memberId, method, path, key } = scope
    const release = await lock(scope, { a: 2 })
    const first = await otherProcess.begin(memberId, method, path, key, { a: 1 })
    const again = begin(scope, { a: 1 })
    await otherProcess.save(venue.db, scope, { status: 201, body: { id: 'x' } })
    if ('release' in first) first.release()
    await expect(venue.idempotencyKeys.save(venue.db, scope, { status: 201, body: {} })).rejects.toThrow()
    release()
    expect(await again).toEqual({ replay: { status: 201, body: { id: 'x' } } })
  })

  it.each([
    ['member', { memberId: 'm2' }],
    ['method', { method: 'PUT' }],
    ['path', { path: '/api/y' }],
  ])('belongs to one %s', async (_name, change) => {
    const scope = scopeFor('m1')
    const release = await lock(scope, 1)
    await venue.idempotencyKeys.save(venue.db, scope, { status: 201, body: {} })
    release()
    const releaseOther = await lock({ ...scope, ...change }, 2)
    releaseOther()
  })

  it('makes a concurrent duplicate wait for the first answer', async () => {
    const scope = scopeFor('m1')
    const release = await lock(scope, 1)
    const duplicate = begin(scope, 1)
    await venue.idempotencyKeys.save(venue.db, scope, { status: 201, body: { n: 1 } })
    release()
    expect(await duplicate).toEqual({ replay: { status: 201, body: { n: 1 } } })
  })

  it('lets a duplicate proceed if the first answer was not stored', async () => {
    const scope = scopeFor('m1')
    const release = await lock(scope, 1)
    const duplicate = begin(scope, 1)
    release()
    const result = await duplicate
    expect(result).toMatchObject({ proceed: true })
    if ('release' in result) result.release()
  })

  it('lets one of many waiting duplicates proceed at a time', async () => {
    const scope = scopeFor('m1')
    let holders = 0
    const release = await lock(scope, 1)
    const duplicates = Array.from({ length: 10 }, async () => {
      const releaseDuplicate = await lock(scope, 1)
      holders += 1
      expect(holders).toBe(1)
      expect(venue.idempotencyKeys.lockedFingerprint(scope)).toBeTruthy()
      await Promise.resolve()
      holders -= 1
      releaseDuplicate()
    })
    release()
    await Promise.all(duplicates)
  })

  it('rejects a duplicate that waited ten seconds', async () => {
    const scope = scopeFor('m1')
    const timers = venue.clock.pending()
    const release = await lock(scope, 1)
    const duplicate = begin(scope, 1)
    const rejection = expect(duplicate).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' })
    await venue.clock.advance(10_000)
    await rejection
    release()
    expect(venue.clock.pending()).toBe(timers)
  })

  it('is stored for at least seven days, then pruned, and cannot be deleted otherwise', async () => {
    const scope = scopeFor('m9')
    const release = await lock(scope, 1)
    await venue.idempotencyKeys.save(venue.db, scope, { status: 201, body: {} })
    release()
    venue.clock.leap(7 * 86_400_000)
    await venue.idempotencyKeys.prune(testFence)
    expect(await begin(scope, 1)).toHaveProperty('replay')
    await expect(venue.database.pool.query('DELETE FROM idempotency')).rejects.toThrow('denied')
    venue.clock.leap(2 * 86_400_000)
    expect(await venue.idempotencyKeys.prune(testFence)).toBeGreaterThan(0)
    expect(await begin(scope, 1)).toHaveProperty('proceed')
  })
})

it('limits a member’s stored errors: beyond the limit a rejection is 429 and stores no row', async () => {
  const { db, clock } = venue
  const keys = createIdempotencyKeys({
    ...venue,
    fence: testFence,
    secrets: venue.secrets,
    settings: { rateLimits: true },
  })
  const saveAnswer = async (memberId: string, status = 422): Promise<string> => {
    const scope = scopeFor(memberId)
    const result = await keys.begin(memberId, scope.method, scope.path, scope.key, {})
    if (!('proceed' in result)) throw new Error('replayed')
    try {
      await keys.save(db, scope, { status, body: {} })
      return 'stored'
    } catch (error) {
      return String(Reflect.get(Object(error), 'code'))
    } finally {
      result.release()
    }
  }
  for (let i = 0; i < 500; i++) expect(await saveAnswer('limited')).toBe('stored')
  expect(await saveAnswer('limited')).toBe('RATE_LIMITED')
  expect([await saveAnswer('limited', 201), await saveAnswer('another')]).toEqual(['stored', 'stored'])
  await clock.advance(3_600_000 / 50)
  expect([await saveAnswer('limited'), await saveAnswer('limited')]).toEqual(['stored', 'RATE_LIMITED'])
})
