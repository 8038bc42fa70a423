// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { contentRoutes } from '../../../contract/content.ts'
import { changeLanguage, startI18n } from '../../../src/i18n.ts'
import { ErrorBoundary } from '../../../src/shell/ErrorBoundary.tsx'
import { PageHost } from '../../../src/shell/PageHost.tsx'
import type { PageComponent } from '../../../src/shell/lazyPage.ts'
import { reportFailure } from '../../../src/shell/reportFailure.ts'
import { createResource } from '../../../src/shell/resource.ts'
import { click, mount, one } from '../ui/mount.tsx'

/** What the venue was sent, checked against its own schema. */
const sent: { address: string; body: unknown }[] = []

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})
beforeEach(() => {
  sent.length = 0
  vi.stubGlobal('fetch', async (address: string, { body }: { body: string }) => {
    sent.push({ address, body: contentRoutes.clientError.body.parse(JSON.parse(body)) })
    return new Response(null, { status: 204 })
  })
})
afterEach(() => void vi.unstubAllGlobals())

describe('a resource that would not load', () => {
  it('is told once, with the build it was missed in', () => {
    reportFailure('missing', 'x'.repeat(999), '/assets/index-a1b2.js')
    reportFailure('missing', 'x'.repeat(999), '/assets/index-a1b2.js')
    expect(sent).toEqual([
      {
        address: '/api/client-errors',
        body: { kind: 'missing', resource: 'x'.repeat(300), build: 'index-a1b2.js' },
      },
    ])
  })

  it('tells by its name', async () => {
    const chart = createResource(() => Promise.reject(new Error('no')), {
      name: 'chart-of-test',
      isGone: async () => true,
    })
    expect(await chart.get()).toEqual({ ok: false, failure: 'missing' })
    expect(sent).toMatchObject([{ body: { kind: 'missing', resource: 'chart-of-test' } }])
  })

  it('does not mind a venue that cannot be reached', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
    expect(() => reportFailure('other', 'nobody hears')).not.toThrow()
    await Promise.resolve()
  })
})

describe('a page', () => {
  it('that would not load shows a way on, and is told', async () => {
    const page = createResource<PageComponent>(() => Promise.reject(new Error('no')), {
      isGone: async () => false,
    })
    await mount(<PageHost name="/pages/lost" page={page} ground="market" />)
    await act(async () => undefined)
    expect(one('[role=alert]').textContent).toContain('We couldn’t show this page')
    expect(sent).toMatchObject([{ body: { kind: 'other', resource: '/pages/lost' } }])
  })

  it('that breaks is kept apart, told without its fault, and tried again', async () => {
    const quiet = vi.spyOn(console, 'error').mockReturnValue()
    let broken = true
    const Page = () => {
      if (broken) throw new Error('secret of a member')
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
    broken = false
    await click(one('button'))
    expect(one('p').textContent).toBe('whole')
    quiet.mockRestore()
  })
})
