import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { languages } from '../../../../contract/constants.ts'
import { createListener, type Listener } from '../../../../server/platform/http/listener.ts'
import { pageTexts } from '../../../../server/platform/http/statusPageText.ts'
import { renderStatusPage } from '../../../../server/platform/http/statusPage.ts'
import { openHttpApp } from '../../../support/httpApp.ts'

const browserHeaders = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('before the venue serves', () => {
  let listener: Listener
  let url: string
  beforeEach(async () => {
    listener = createListener({ now: () => 1234 }, { gracePeriodMs: 200 })
    const { port } = await listener.listen(0, '127.0.0.1')
    url = `http://127.0.0.1:${port}`
  })
  afterEach(() => listener.close())

  it.each(['/', '/pages/money/money', '/?source=pwa'])('a browser gets a page at %s', async (path) => {
    const answer = await fetch(url + path, {
      headers: { ...browserHeaders, 'accept-language': 'de-AT,de;q=0.9' },
    })
    expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('server-time')]).toEqual([
      503,
      '1',
      '1234',
    ])
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const html = await answer.text()
    expect(html).toContain('<html lang="de"')
    expect(html).toContain(pageTexts.starting.de.title)
  })

  it.each([
    ['/api/config', browserHeaders],
    ['/healthz', browserHeaders],
    ['/desk/members', browserHeaders],
    ['/assets/app.js', { accept: '*/*' }],
    ['/', {}],
  ])('%s answers JSON', async (path, headers) => {
    const answer = await fetch(url + path, { headers })
    expect(answer.status).toBe(503)
    expect(await answer.json()).toEqual({ error: { code: 'UNAVAILABLE', requestId: expect.any(String) } })
  })
})

describe('while the venue serves', () => {
  it.each([
    ['/pages/money/money', '/#/pages/money/money'],
    ['/pages/Detail/Detail?id=BTCUSDT', '/#/pages/Detail/Detail?id=BTCUSDT'],
  ])('%s redirects to its hash route', async (address, location) => {
    const { app } = await openHttpApp()
    const answer = await app.inject({ url: address, headers: browserHeaders })
    expect([answer.statusCode, answer.headers.location]).toEqual([302, location])
    await app.close()
  })

  it('unknown addresses get a 404 page, but only for browsers', async () => {
    const { app } = await openHttpApp()
    const answer = await app.inject({
      url: '/nowhere',
      headers: { ...browserHeaders, 'accept-language': 'ja' },
    })
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['vary']).toBe('Accept, Cookie, Accept-Language')
    expect(answer.body).toContain(pageTexts.missing.ja.title)
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    const requests = [
      { url: '/nowhere', headers: {} },
      { url: '/api/nowhere', headers: browserHeaders },
      { url: '/pages/money/money', headers: {} },
      { url: '/pages/money/money', headers: browserHeaders, method: 'POST' as const },
      { url: '/pages//evil.test', headers: {} },
    ]
    for (const request of requests) {
      const answer = await app.inject(request)
      expect(answer.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
    }
    expect(
      (await app.inject({ url: '/pages//evil.test', headers: browserHeaders })).headers.location,
    ).toBeUndefined()
    await app.close()
  })
})

describe('renderStatusPage', () => {
  it.each(languages)('contains the text in %s', (language) => {
    for (const kind of ['starting', 'missing'] as const) {
      const { html } = renderStatusPage(kind, { 'accept-language': language })
      const { title, text, action } = pageTexts[kind][language]
      for (const part of [`<html lang="${language}"`, title, text, action]) expect(html).toContain(part)
    }
  })

  it('allows only its own script and style', () => {
    const { html, headers } = renderStatusPage('starting', {})
    const policy = headers['Content-Security-Policy'] ?? ''
    const hashOf = (source: string | undefined) =>
      `'sha256-${createHash('sha256')
        .update(source ?? '')
        .digest('base64')}'`
    expect(policy).toContain(`script-src ${hashOf(/<script>([^]*?)<\/script>/.exec(html)?.[1])}`)
    expect(policy).toContain(`style-src ${hashOf(/<style>([^]*?)<\/style>/.exec(html)?.[1])}`)
    expect(html).not.toMatch(/ (style|on\w+)=|https?:/)
  })
})
