// @vitest-environment happy-dom
import { of } from 'rxjs'
import { afterEach, expect, it } from 'vitest'
import { changeLanguage } from '../../../../src/text/i18n.ts'
import { Product } from '../../../../src/pages/product/Product.tsx'
import { navigate } from '../../../../src/router/hashLocation.ts'
import { openPage } from '../../../support/openPage.tsx'
import { streamsSetup } from '../../../support/streamsSetup.ts'
import { pollScreen } from '../../ui/mount.tsx'

afterEach(() => navigate('/', { replace: true }))

it.each([
  ['', []],
  ['?id=BTCUSDT', ['BTCUSDT']],
])('requests a product only if the address names one: %s', async (search, expected) => {
  navigate(`/pages/Detail/Detail${search}`)
  const requested: string[] = []
  const streams = {
    ...streamsSetup().streams,
    product$: (id: string) => {
      requested.push(id)
      return of({ state: 'loading' })
    },
  }
  await openPage(<Product />, { streams })
  expect(requested).toEqual(expected)
})

it('says that the device is offline, below the line about the prices, if a product cannot be loaded', async () => {
  navigate('/pages/Detail/Detail?id=BTCUSDT')
  await changeLanguage('en')
  const { streams } = streamsSetup()
  const failed = { state: 'failed', failure: { kind: 'offline' } }
  const offline = { state: 'offline', stale: true, lastHeartbeatAt: undefined, attempt: 3 }
  const parts = { ...streams, product$: () => of(failed), connection$: of(offline) }
  await openPage(<Product />, { streams: parts })
  await pollScreen(() => document.body.textContent).toContain('You’re offline.')
  await pollScreen(() => document.body.textContent).toContain('Connecting…')
})
