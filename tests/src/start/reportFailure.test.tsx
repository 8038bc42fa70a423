// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { contentRoutes } from '../../../contract/content.ts'
import { changeLanguage, startI18n } from '../../../src/text/i18n.ts'
import { ErrorBoundary } from '../../../src/shell/ErrorBoundary.tsx'
import { PageHost } from '../../../src/shell/PageHost.tsx'
import type { PageComponent } from '../../../src/shell/lazyPage.ts'
import { reportFailure } from '../../../src/start/reportFailure.ts'
import { createLazy } from '../../../src/start/lazy.ts'
import { click, mount, one } from '../ui/mount.tsx'

/** The requests to the venue, validated by the contract's schema. */
const sent: { address: string; body: unknown }[] = []

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})
beforeEach(() => {
  sent.length = 0
  vi.stubGlobal('fetch', async (address: string, { body }: { body: string }) => {
    sent.push({ address, body: contentRoutes.reportClientError.body.parse(JSON.parse(body)) })
    return new Response(null, { status: 204 })
  })
})
afterEach(() => void vi.unstubAllGlobals())

describe('reportFailure', () => {
  it('reports a resource once, with the build', () => {
    reportFailure('missing', 'x'.repeat(999), '/assets/index-a1b2.js')
    reportFailure('missing', 'x'.repeat(999), '/assets/index-a1b2.js')
    expect(sent).toEqual([
      {
        address: '/api/client-errors',
        body: { kind: 'missing', resource: 'x'.repeat(300), build: 'index-a1b2.js' },
      },
    ])
  })

  it('reports a failed resource by its name', async () => {
    const chart = createLazy(() => Promise.reject(new Error('no')), {
      name: 'chart-of-test',
      isGone: async () => true,
    })
    expect(await chart.get()).toEqual({ ok: false, failure: 'missing' })
    expect(sent).toMatchObject([{ body: { kind: 'missing', resource: 'chart-of-test' } }])
  })

  it('ignores an unreachable venue', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
    expect(() => reportFailure('other', 'unreachable')).not.toThrow()
    await Promise.resolve()
  })
})

describe('pages', () => {
  it('show a failure and report it if the page cannot be loaded', async () => {
    const page = createLazy<PageComponent>(() => Promise.reject(new Error('no')), {
      isGone: async () => false,
    })
    await mount(<PageHost name="/pages/lost" page={page} ground="market" />)
    await act(async () => undefined)
    expect(one('[role=alert]').textContent).toContain('We couldn’t show this page')
    expect(one('[role=alert]').textContent).toContain('Save a report')
    expect(sent).toMatchObject([{ body: { kind: 'other', resource: '/pages/lost' } }])
  })

  it('confine a render error, report it without its message, and render again on retry', async () => {
    const consoleError = vi.spyOn(console, 'error').mockReturnValue()
    let isBroken = true
    const Page = () => {
      if (isBroken) throw new Error('secret of a member')
      return <p>whole</p>
    }
    const Fallback = ({ retry }: { retry: () => void }) => (
      <button type="button" onClick={retry}>
        again
      </button>
    )
    await mount(
      <ErrorBoundary Fallback={Fallback} onError={() => reportFailure('other', '/pages/broken')}>
        <Page />
      </ErrorBoundary>,
    )
    expect(sent).toMatchObject([{ body: { kind: 'other', resource: '/pages/broken' } }])
    expect(JSON.stringify(sent)).not.toContain('secret')
    isBroken = false
    await click(one('button'))
    expect(one('p').textContent).toBe('whole')
    consoleError.mockRestore()
  })
})
