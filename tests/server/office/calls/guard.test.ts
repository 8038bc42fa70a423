import { afterEach, expect, it } from 'vitest'
import { guardCalls, type GuardParts } from '../../../../server/office/calls/guard.ts'
import { openHttpApp } from '../../../support/httpApp.ts'

const deskKey = 'desk-key-for-tests-alone'
const rightKey = { authorization: `Bearer ${deskKey}` }
const wrongKey = { authorization: 'Bearer desk-key-of-somebody-else' }

/** A venue without staff accounts. */
const noStaff: GuardParts['staff'] = {
  sessions: { find: async () => null, csrfMatches: () => false },
  accounts: { isLikeOne: async () => false, countActive: async () => ({ all: 0, admins: 0 }) },
}

type TestHttpApp = Awaited<ReturnType<typeof openHttpApp>>
const open: TestHttpApp[] = []
afterEach(async () => {
  for (const httpApp of open.splice(0)) await httpApp.app.close()
})

/** A route behind the guard that answers with the actor. */
async function openGuarded(parts: Partial<GuardParts> = {}) {
  const httpApp = await openHttpApp()
  open.push(httpApp)
  const { app, clock } = httpApp
  app.register(async (scope) => {
    guardCalls(scope, {
      clock,
      actLog: { refused: async () => undefined },
      deskKey,
      allowsRemote: false,
      mode: 'practice',
      requiresSecondFactor: false,
      staff: noStaff,
      ...parts,
    })
    const config = { office: { name: 'members.list' } } as const
    scope.get('/desk/who', { config }, async (request) => ({ actor: request.officeActor }))
  })
  const send = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') => {
    const answer = await app.inject({ url: '/desk/who', headers, remoteAddress })
    const { actor, error } = answer.json()
    return { status: answer.statusCode, actor, error, headers: answer.headers }
  }
  return { send, clock }
}

it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])(
  'accepts %s as this machine',
  async (address) => {
    const { send } = await openGuarded()
    expect(await send(rightKey, address)).toMatchObject({ status: 200, actor: 'desk' })
  },
)

it.each([
  ['another machine', rightKey, '203.0.113.9'],
  ['another machine of the network', rightKey, '192.168.1.7'],
  ['a proxy with X-Forwarded-For', { ...rightKey, 'x-forwarded-for': '127.0.0.1' }, '127.0.0.1'],
  ['a proxy with Forwarded', { ...rightKey, forwarded: 'for=127.0.0.1' }, '127.0.0.1'],
  ['a proxy with X-Real-IP', { ...rightKey, 'x-real-ip': '127.0.0.1' }, '127.0.0.1'],
  ['a proxy with Via', { ...rightKey, via: '1.1 proxy' }, '127.0.0.1'],
  ['a rebound DNS name', { ...rightKey, host: 'rebound.example' }, '127.0.0.1'],
  ['a page of another site', { ...rightKey, 'sec-fetch-site': 'cross-site' }, '127.0.0.1'],
  ['a page of another origin', { ...rightKey, origin: 'https://other.example' }, '127.0.0.1'],
])('answers 404 to %s', async (_who, headers, address) => {
  const { send } = await openGuarded()
  expect(await send(headers, address)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
  expect((await send({ ...headers, ...wrongKey }, address)).status).toBe(404)
  const { send: sendRemote } = await openGuarded({ allowsRemote: true })
  expect((await sendRemote(headers, address)).status).toBe(200)
  expect((await sendRemote(wrongKey, address)).status).toBe(401)
})

it.each([
  ['no key', {}],
  ['a wrongKey key', wrongKey],
  ['an empty key', { authorization: 'Bearer ' }],
  ['a prefix of the key', { authorization: `Bearer ${deskKey.slice(0, -1)}` }],
  ['the key with a suffix', { authorization: `Bearer ${deskKey}x` }],
  ['another scheme', { authorization: `Basic ${deskKey}` }],
  ["a member's cookie", { cookie: 'sid=live', 'x-csrf-token': 'token' }],
])('rejects %s', async (_what, headers) => {
  const { send } = await openGuarded()
  expect(await send(headers)).toMatchObject({ status: 401, error: { code: 'UNAUTHENTICATED' } })
})

it('ten failures a minute, then only the rightKey key is answered', async () => {
  const { send, clock } = await openGuarded({ allowsRemote: true })
  for (let i = 0; i < 10; i++) expect((await send(wrongKey)).status).toBe(401)
  const late = await send(wrongKey)
  expect(late).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED', params: { retryAfterMs: 6000 } } })
  expect(late.headers['retry-after']).toBe('6')
  expect((await send(rightKey)).status).toBe(200)
  // Failures are counted per address.
  expect((await send(wrongKey, '203.0.113.9')).status).toBe(401)
  await clock.advance(6000)
  expect((await send(wrongKey)).status).toBe(401)
  expect((await send(wrongKey)).status).toBe(429)
})

it.each(['localhost:8080', '127.0.0.1', '[::1]:8080', 'LOCALHOST'])(
  'accepts the host %s as this machine',
  async (host) => {
    const { send } = await openGuarded()
    expect((await send({ ...rightKey, host })).status).toBe(200)
  },
)

it('rightKey keys are not counted', async () => {
  const { send } = await openGuarded()
  for (let i = 0; i < 50; i++) expect((await send(rightKey)).status).toBe(200)
})

it.each([
  ['mei', 'mei'],
  [encodeURIComponent(' 客服 小美 '), '客服 小美'],
])('the actor %s is recorded as %s', async (header, actor) => {
  const { send } = await openGuarded({ mode: 'live' })
  expect(await send({ ...rightKey, 'desk-actor': header })).toMatchObject({ status: 200, actor })
})

it.each(['%E4', ' ', '%0A', 'x'.repeat(41)])('rejects the actor %j', async (header) => {
  const { send } = await openGuarded()
  expect(await send({ ...rightKey, 'desk-actor': header })).toMatchObject({
    status: 400,
    error: { fields: { as: 'INVALID' } },
  })
})

it('rejects requests without an actor if it is required', async () => {
  const { send } = await openGuarded({ mode: 'live' })
  expect(await send(rightKey)).toMatchObject({ status: 400, error: { fields: { as: 'REQUIRED' } } })
  expect((await send(wrongKey)).status).toBe(401)
})
