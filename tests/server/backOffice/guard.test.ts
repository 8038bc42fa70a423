import { afterEach, expect, it } from 'vitest'
import { guardBackOffice } from '../../../server/backOffice/guard.ts'
import type { GuardParts } from '../../../server/backOffice/guard.ts'
import { openHttpApp } from '../../support/httpApp.ts'

const backOfficeKey = 'desk-key-for-tests-alone'
const right = { authorization: `Bearer ${backOfficeKey}` }
const wrong = { authorization: 'Bearer desk-key-of-somebody-else' }

type Shell = Awaited<ReturnType<typeof openHttpApp>>
const open: Shell[] = []
afterEach(async () => {
  for (const shell of open.splice(0)) await shell.app.close()
})

/** One call behind the guard, which answers with who makes it. */
async function guarded(parts: Partial<GuardParts> = {}) {
  const shell = await openHttpApp()
  open.push(shell)
  const { app, clock } = shell
  app.register(async (scope) => {
    guardBackOffice(scope, {
      clock,
      backOfficeKey,
      allowsRemote: false,
      requiresActor: false,
      ...parts,
    })
    scope.get('/desk/who', async (request) => ({ actor: request.backOfficeActor }))
  })
  const ask = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') => {
    const answer = await app.inject({ url: '/desk/who', headers, remoteAddress })
    const { actor, error } = answer.json()
    return { status: answer.statusCode, actor, error, headers: answer.headers }
  }
  return { ask, clock }
}

it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('%s is this machine', async (address) => {
  const { ask } = await guarded()
  expect(await ask(right, address)).toMatchObject({ status: 200, actor: 'desk' })
})

it.each([
  ['another machine', right, '203.0.113.9'],
  ['another machine of the network', right, '192.168.1.7'],
  ['what a proxy passed on', { ...right, 'x-forwarded-for': '127.0.0.1' }, '127.0.0.1'],
  ['what another proxy passed on', { ...right, forwarded: 'for=127.0.0.1' }, '127.0.0.1'],
  ['what a third one passed on', { ...right, 'x-real-ip': '127.0.0.1' }, '127.0.0.1'],
  ['what a proxy passed on under its name alone', { ...right, via: '1.1 proxy' }, '127.0.0.1'],
  ['a name that was rebound to this machine', { ...right, host: 'rebound.example' }, '127.0.0.1'],
  ['a page of another site', { ...right, 'sec-fetch-site': 'cross-site' }, '127.0.0.1'],
  ['a page of another origin', { ...right, origin: 'https://other.example' }, '127.0.0.1'],
])('to %s the desk is not there, right key or not', async (_who, headers, address) => {
  const { ask } = await guarded()
  expect(await ask(headers, address)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
  expect((await ask({ ...headers, ...wrong }, address)).status).toBe(404)
  const { ask: askRemote } = await guarded({ allowsRemote: true })
  expect((await askRemote(headers, address)).status).toBe(200)
  expect((await askRemote(wrong, address)).status).toBe(401)
})

it.each([
  ['no key', {}],
  ['a wrong key', wrong],
  ['an empty one', { authorization: 'Bearer ' }],
  ['the beginning of it', { authorization: `Bearer ${backOfficeKey.slice(0, -1)}` }],
  ['more than it', { authorization: `Bearer ${backOfficeKey}x` }],
  ['another scheme', { authorization: `Basic ${backOfficeKey}` }],
  ["a member's cookie", { cookie: 'sid=live', 'x-csrf-token': 'token' }],
])('%s opens nothing', async (_what, headers) => {
  const { ask } = await guarded()
  expect(await ask(headers)).toMatchObject({ status: 401, error: { code: 'UNAUTHENTICATED' } })
})

it('ten failures a minute, then only the right key is answered', async () => {
  const { ask, clock } = await guarded({ allowsRemote: true })
  for (let i = 0; i < 10; i++) expect((await ask(wrong)).status).toBe(401)
  const late = await ask(wrong)
  expect(late).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED', params: { retryAfterMs: 6000 } } })
  expect(late.headers['retry-after']).toBe('6')
  expect((await ask(right)).status).toBe(200)
  // Somebody else's failures are not counted against this address.
  expect((await ask(wrong, '203.0.113.9')).status).toBe(401)
  await clock.advance(6000)
  expect((await ask(wrong)).status).toBe(401)
  expect((await ask(wrong)).status).toBe(429)
})

it.each(['localhost:8080', '127.0.0.1', '[::1]:8080', 'LOCALHOST'])(
  '%s is a name of this machine',
  async (host) => {
    const { ask } = await guarded()
    expect((await ask({ ...right, host })).status).toBe(200)
  },
)

it('right keys are not counted', async () => {
  const { ask } = await guarded()
  for (let i = 0; i < 50; i++) expect((await ask(right)).status).toBe(200)
})

it.each([
  ['mei', 'mei'],
  [encodeURIComponent(' 客服 小美 '), '客服 小美'],
])('the name %s is kept as %s', async (header, actor) => {
  const { ask } = await guarded({ requiresActor: true })
  expect(await ask({ ...right, 'desk-actor': header })).toMatchObject({ status: 200, actor })
})

it.each(['%E4', ' ', '%0A', 'x'.repeat(41)])('%j is no name', async (header) => {
  const { ask } = await guarded()
  expect(await ask({ ...right, 'desk-actor': header })).toMatchObject({
    status: 400,
    error: { fields: { as: 'INVALID' } },
  })
})

it('where a name is required, there is no act without', async () => {
  const { ask } = await guarded({ requiresActor: true })
  expect(await ask(right)).toMatchObject({ status: 400, error: { fields: { as: 'REQUIRED' } } })
  expect((await ask(wrong)).status).toBe(401)
})
