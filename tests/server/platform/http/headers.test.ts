import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { languages } from '../../../../contract/constants.ts'
import { clientBuildId, installStaticFiles } from '../../../../server/platform/http/staticFiles.ts'
import { isOwnOrigin } from '../../../../server/platform/http/origin.ts'
import { clearSid, setSid, sidOf } from '../../../../server/platform/http/sessionCookie.ts'
import { openHttpApp } from '../../../support/httpApp.ts'

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

  it('sends the office a policy of its own: no socket, form or foreign picture, and workers of its build alone', async () => {
    await open({ publicOrigin: 'https://venue.test' }, { imageBaseHost: 'https://img.test/base' })
    for (const url of ['/office', '/office/', '/office/assets/index.js']) {
      const { headers } = await app.inject(url)
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("img-src 'self' blob:;")
      expect(policy).toMatch(/connect-src 'self'(;|$)/)
      expect(policy).toContain("form-action 'none'")
      expect(policy).toContain("worker-src 'self';")
      expect(policy).toMatch(/trusted-types worker(;|$)/)
      expect(policy).not.toMatch(/unsafe|\*|manifest-src/)
    }
    const { headers } = await app.inject('/officer')
    expect(headers['content-security-policy']).toContain('wss://venue.test')
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

describe('a page at a node’s own port, where the venue has another public origin', () => {
  const local = { host: 'localhost:8080', origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }
  it.each([
    ['is this machine’s', local, 404],
    ['is of another port', { ...local, origin: 'http://localhost:3000' }, 403],
    ['is another site', { ...local, origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }, 403],
    ['is a name that leads here', { host: 'evil.test:8080', origin: 'http://evil.test:8080' }, 403],
    ['comes through a proxy', { ...local, 'x-forwarded-for': '203.0.113.7' }, 403],
  ])('that %s', async (_what, headers, status) => {
    await open({ publicOrigin: 'https://venue.test' })
    // There is no such route: past the check of the origin it is not found.
    expect((await app.inject({ method: 'POST', url: '/desk/nothing', headers })).statusCode).toBe(status)
  })
  it('calls for the office alone, not for members', async () => {
    await open({ publicOrigin: 'https://venue.test' })
    const { statusCode } = await app.inject({ method: 'POST', url: '/api/nothing', headers: local })
    expect(statusCode).toBe(403)
  })
})

describe('installStaticFiles', () => {
  let folder: string
  const write = (path: string, content: string) => writeFile(join(folder, path), content)
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'client-'))
    for (const language of languages) await write(`index.${language}.html`, `<html lang="${language}">`)
    await mkdir(join(folder, 'assets'))
    await write('assets/main-abc.js', 'let plain')
    await write('assets/main-abc.js.gz', 'packed')
    await mkdir(join(folder, 'office/assets'), { recursive: true })
    await write('office/index.html', '<html id="office">')
    await write('office/assets/index-abc.js', 'let office')
    await open()
    await installStaticFiles(app, folder, { deskRemote: false, brand: async () => new Map() })
  })
  afterEach(() => rm(folder, { recursive: true }))
  const pageFor = (headers: Record<string, string>, url = '/') => app.inject({ url, headers })

  it('serves hashed files as immutable, and precompressed files', async () => {
    const file = await app.inject('/assets/main-abc.js')
    expect(file.body).toBe('let plain')
    expect(file.headers['cache-control']).toContain('immutable')
    const packed = await app.inject({ url: '/assets/main-abc.js', headers: { 'accept-encoding': 'gzip' } })
    expect(packed).toMatchObject({ body: 'packed' })
    expect(packed.headers['content-encoding']).toBe('gzip')
  })

  it('redirects the address of an icon that browsers ask for by themselves', async () => {
    const answer = await app.inject('/favicon.ico')
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/icons/icon-192.png'])
  })

  it('serves the page only at /, and no file that is not of the build', async () => {
    expect((await pageFor({}, '/?source=pwa')).body).toBe('<html lang="zh-CN">')
    expect((await pageFor({}, '/index.html')).body).toBe('<html lang="zh-CN">')
    const other = ['/markets', '/assets/..%2f..%2fpackage.json', '/assets', '/assets/main-abc.js.gz']
    for (const url of [...other, '/index.de.html', '/index..html', '/index.de.html.br']) {
      expect((await app.inject(url)).json().error.code).toBe('NOT_FOUND')
    }
  })

  it('serves the office at /office/ only, and where its calls are: not to other machines', async () => {
    const page = await app.inject('/office/')
    expect(page).toMatchObject({ statusCode: 200, body: '<html id="office">' })
    expect(page.headers).toMatchObject({ 'cache-control': 'no-cache', 'x-robots-tag': 'noindex' })
    expect((await app.inject('/office')).headers.location).toBe('/office/')
    expect((await app.inject('/office/assets/index-abc.js')).headers['cache-control']).toContain('immutable')
    const proxied = { 'x-forwarded-for': '203.0.113.7' }
    for (const from of [
      { remoteAddress: '203.0.113.7' },
      { headers: { host: 'venue.test' } },
      { headers: proxied },
    ])
      for (const url of [
        '/office',
        '/office/',
        '/office/assets/index-abc.js',
        '/%6fffice/assets/index-abc.js',
      ])
        expect([url, (await app.inject({ url, ...from })).statusCode]).toEqual([url, 404])
    expect((await app.inject({ url: '/assets/main-abc.js', headers: proxied })).statusCode).toBe(200)
    expect((await app.inject('/office/index.html')).statusCode).toBe(404)
  })

  it('serves the page in the language of the cookie, else in Simplified Chinese whatever the browser prefers', async () => {
    const preferences = { 'accept-language': 'ja' }
    for (const language of languages) {
      const page = await pageFor({ ...preferences, cookie: `language=${language}` })
      expect(page).toMatchObject({ statusCode: 200, body: `<html lang="${language}">` })
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-language': language,
        'cache-control': 'no-cache',
        vary: 'Accept-Encoding, Cookie',
      })
    }
    expect((await pageFor(preferences)).body).toBe('<html lang="zh-CN">')
  })

  it('serves the page precompressed', async () => {
    await write('index.de.html.br', 'packed page')
    const page = await pageFor({ cookie: 'language=de', 'accept-encoding': 'gzip, br' })
    expect(page.body).toBe('packed page')
    expect(page.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/html; charset=utf-8',
    })
  })

  it('answers 304 only to the tag of the same page in the same language', async () => {
    const tags = await Promise.all(
      languages.map(async (language) => (await pageFor({ cookie: `language=${language}` })).headers.etag),
    )
    expect(new Set(tags).size).toBe(languages.length)
    const tag = String(tags[languages.indexOf('de')])
    const same = await pageFor({ cookie: 'language=de', 'if-none-match': tag })
    expect(same).toMatchObject({ statusCode: 304, body: '' })
    expect(same.headers).toMatchObject({ etag: tag, vary: 'Accept-Encoding, Cookie' })
    const other = await pageFor({ cookie: 'language=ko', 'if-none-match': tag })
    expect(other).toMatchObject({ statusCode: 200, body: '<html lang="ko">' })
  })

  it('the build’s id changes with each page, and is dev without a build', async () => {
    const id = clientBuildId(folder)
    expect(id).toMatch(/^[0-9a-f]{12}$/)
    await write('index.th.html', '<html lang="th" data-app="x">')
    expect(clientBuildId(folder)).not.toBe(id)
    expect(clientBuildId(join(folder, 'assets'))).toBe('dev')
  })
})
