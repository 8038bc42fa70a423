// @vitest-environment happy-dom
import { of } from 'rxjs'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { Router } from 'wouter'
import { StreamsProvider } from '../../../../src/hooks/useStreams.ts'
import { startI18n } from '../../../../src/i18n.ts'
import { Product } from '../../../../src/pages/product/Product.tsx'
import { navigate, useHashPath, useHashSearch } from '../../../../src/router/hashLocation.ts'
import type { Streams } from '../../../../streams/index.ts'
import { setup } from '../../../support/streamsSetup.ts'
import { mount } from '../../ui/mount.tsx'

beforeAll(() => startI18n())
afterEach(() => navigate('/', { replace: true }))

it.each([
  ['', []],
  ['?id=BTCUSDT', ['BTCUSDT']],
])('requests a product only if the address names one: %s', async (search, expected) => {
  navigate(`/pages/Detail/Detail${search}`)
  const requested: string[] = []
  const streams = {
    ...setup().streams,
    product$: (id: string) => {
      requested.push(id)
      return of({ state: 'loading' })
    },
  }
  await mount(
    <StreamsProvider value={streams as unknown as Streams}>
      <Router hook={useHashPath} searchHook={useHashSearch}>
        <Product />
      </Router>
    </StreamsProvider>,
  )
  expect(requested).toEqual(expected)
})
