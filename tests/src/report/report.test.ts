// @vitest-environment happy-dom
import { BehaviorSubject } from 'rxjs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { epochMs } from '../../../contract/units.ts'
import type { User } from '../../../contract/member.ts'
import { reportFailure } from '../../../src/start/reportFailure.ts'
import { previousPage, reportedPage, watchPages } from '../../../src/report/pages.ts'
import { createReport, type ReportStreams } from '../../../src/report/report.ts'
import { reportName } from '../../../src/report/reportFile.ts'
import { session } from '../../../src/state/session.ts'
import { readReport } from '../../../packages/uptick/src/cli/report.ts'

const venueNow = 1_700_000_000_000
const streams: ReportStreams = {
  clock: { now: () => venueNow, synced: true } as ReportStreams['clock'],
  connection$: new BehaviorSubject({
    state: 'online',
    stale: false,
    lastHeartbeatAt: venueNow - 5,
    attempt: 0,
  } as const),
  recentFrames: () => ({
    products: [{ id: 'A', priceDecimals: 2, sizeDecimals: 0 }],
    frames: [{ receivedAt: epochMs(venueNow), blocks: [{ id: 'A', seq0: 1, values: [venueNow, 100, 1] }] }],
  }),
  dropped: () => 3,
}

beforeEach(() => void vi.stubGlobal('fetch', async () => new Response(null, { status: 204 })))
afterEach(() => {
  vi.unstubAllGlobals()
  session.token = session.userInfo = null
  location.hash = ''
})

it('says what the app knows about itself, nothing of the member, and can be played', () => {
  session.token = 'personal-token'
  session.userInfo = { id: 'personal-id', account: 'personal-account' } as User
  location.hash = '#/pages/order/detail?id=personal-order'
  reportFailure('other', '/pages/order/order?id=personal-order')
  reportFailure('missing', 'locales')
  const report = createReport(streams)
  expect(report).toMatchObject({
    format: 'uptick-report',
    version: 1,
    savedAt: venueNow,
    page: '/pages/order/detail',
    connection: { state: 'online', stale: false, lastHeartbeatAt: venueNow - 5 },
    clock: { synced: true },
    dropped: 3,
    errors: [
      { kind: 'other', resource: '/pages/order/order' },
      { kind: 'missing', resource: 'locales' },
    ],
  })
  for (const { at } of report.errors) expect(Math.abs(at - venueNow)).toBeLessThan(60_000)
  expect(JSON.stringify(report)).not.toContain('personal')
  expect(readReport(JSON.stringify(report), 'F').products).toHaveLength(1)
})

it('can be made before the streams are loaded', () => {
  expect(createReport(null)).toMatchObject({
    connection: null,
    clock: { synced: false, offsetMs: null },
    wire: { products: [], frames: [] },
  })
})

it.each([
  ['#/pages/Detail/Detail?id=BTCUSDT', '/pages/Detail/Detail?id=BTCUSDT'],
  ['#/pages/Detail/Detail?id=<name of a person>', '/pages/Detail/Detail'],
  ['#/pages/order/detail?id=8f0e', '/pages/order/detail'],
  ['#/pages/order/order?tab=closed', '/pages/order/order'],
  ['#/somewhere/else', 'unknown'],
  ['', '/'],
])('an address %s is reported as %s', (hash, page) => expect(reportedPage(hash)).toBe(page))

it('names the page before, also if it is visited twice', async () => {
  location.hash = '#/pages/order/detail?id=personal'
  const unwatch = watchPages()
  expect(previousPage()).toBeNull()
  for (const hash of ['#/pages/Detail/Detail?id=A', '#/pages/set/set', '#/pages/set/set?tab=1']) {
    location.hash = hash
    dispatchEvent(new HashChangeEvent('hashchange'))
  }
  expect(previousPage()).toBe('/pages/Detail/Detail?id=A')
  unwatch()
})

it('is named after its instant', () =>
  expect(reportName(venueNow)).toBe('uptick-report-2023-11-14T22-13-20Z.json'))
