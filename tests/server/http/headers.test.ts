import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientBuildId, installStaticFiles } from '../../../server/http/staticFiles.ts'
import { isOwnOrigin } from '../../../server/http/origin.ts'
import { clearSid, setSid, sidOf } from '../../../server/http/sessionCookie.ts'
import { openHttpApp } from '../../support/httpApp.ts'

let app: FastifyInstance
afterEach(() => app.close())

const open = async (...parts: Parameters<typeof openHttpApp>): Promise<FastifyInstance> => {
  app = (await openHttpApp(...parts)).app
  app.get('/in', async (request, reply) => {
    setSid(request, reply, 'fresh', 2_592_000_000)
    return { sid: sidOf(request) ?? null }
  })
  app.get('/out', async (request, reply) => {
    clearSid(request, reply)
    return {}
  })
  return app
}

describe('installHeaders', () => {
  it('sends a strict content security policy', async () => {
    await open()
    const { headers } = await app.inject('/anything')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("object-src 'none'")
    expect(policy).toContain("base-uri 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).toMatch(/trusted-types worker(;|$)/)
    expect(policy).toContain("worker-src 'self'")
    expect(policy).toContain("manifest-src 'self'")
    expect(policy).toContain("img-src 'self' data: blob:")
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    expect(headers['permissions-policy']).toContain('camera=()')
    expect(headers).not.toHaveProperty('strict-transport-security')
  })

  it('sends HSTS over HTTPS, and allows the socket and the picture host', async () => {
    await open({ publicOrigin: 'https://venue.test' }, { imageBaseHost: 'https://img.test/base' })
    const { headers } = await app.inject('/anything')
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
    expect(headers['content-security-policy']).toContain("connect-src 'self' wss://venue.test")
    expect(headers['content-security-policy']).toContain("img-src 'self' data: blob: https://img.test;")
  })
})

describe('the session cookie', () => {
  it.each([
    ['plain HTTP', {}, {}, {}, 'sid', false],
    ['an https address', { publicOrigin: 'https://venue.test' }, {}, {}, '__Host-sid', true],
    ['a trusted proxy', {}, { trustProxy: 1 }, { 'x-forwarded-proto': 'https' }, '__Host-sid', true],
    ['an untrusted proxy', {}, {}, { 'x-forwarded-proto': 'https' }, 'sid', false],
  ] as const)('matches %s', async (_what, context, parts, headers, name, secure) => {
    await open(context, parts)
    const answer = await app.inject({ url: '/in', headers, cookies: { [name]: 'old' } })
    expect(answer.json()).toEqual({ sid: 'old' })
    const [cookie] = answer.cookies
    expect(cookie).toMatchObject({
      name,
      value: 'fresh',
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
      maxAge: 2_592_000,
    })
    expect(cookie?.secure ?? false).toBe(secure)
    expect(cookie).not.toHaveProperty('domain')
    const out = await app.inject({ url: '/out', headers })
    expect(out.cookies[0]).toMatchObject({ name, value: '', path: '/' })
    expect(out.cookies[0]?.expires?.getTime()).toBe(0)
  })
})

it.each([
  [undefined, null, 'a.test', true],
  ['http://a.test', null, 'a.test', true],
  ['https://a.test:8443', null, 'A.test:8443', true],
  ['http://a.test:81', null, 'a.test', false],
  ['http://b.test', null, 'a.test', false],
  ['null', null, 'a.test', false],
  ['file://a.test', null, 'a.test', false],
  ['http://a.test', null, undefined, false],
  ['https://p.test', 'https://p.test', 'a.test', true],
  ['http://p.test', 'https://p.test', 'p.test', false],
  ['http://a.test', 'https://p.test', 'a.test', false],
])('isOwnOrigin(%s, %s, %s) is %s', async (origin, publicOrigin, host, own) => {
  await open()
  expect(isOwnOrigin(origin, publicOrigin, host)).toBe(own)
})

describe('installStaticFiles', () => {
  it('serves the page only at /, hashed files as immutable, and precompressed files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'client-'))
    await mkdir(join(folder, 'assets'))
    await writeFile(join(folder, 'index.html'), '<!doctype html>')
    await writeFile(join(folder, 'assets/main-abc.js'), 'let plain')
    await writeFile(join(folder, 'assets/main-abc.js.gz'), 'packed')
    await open()
    await installStaticFiles(app, folder)
    const page = await app.inject('/')
    expect(page).toMatchObject({ statusCode: 200, body: '<!doctype html>' })
    expect(page.headers['cache-control']).toBe('no-cache')
    const file = await app.inject('/assets/main-abc.js')
    expect(file.body).toBe('let plain')
    expect(file.headers['cache-control']).toContain('immutable')
    const packed = await app.inject({ url: '/assets/main-abc.js', headers: { 'accept-encoding': 'gzip' } })
    expect(packed).toMatchObject({ body: 'packed' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    for (const url of ['/markets', '/assets/..%2f..%2fpackage.json', '/assets', '/assets/main-abc.js.gz']) {
      expect((await app.inject(url)).json().error.code).toBe('NOT_FOUND')
    }
    expect(clientBuildId(folder)).toMatch(/^[0-9a-f]{12}$/)
    await rm(folder, { recursive: true })
    expect(clientBuildId(folder)).toBe('dev')
  })
})
