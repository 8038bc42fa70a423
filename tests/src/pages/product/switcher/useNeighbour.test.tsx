// @vitest-environment happy-dom
import { of, Subject } from 'rxjs'
import { act } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { useNeighbour } from '../../../../../src/pages/product/switcher/useNeighbour.ts'
import { navigate } from '../../../../../src/router/hashLocation.ts'
import type { Loadable, Product } from '../../../../../streams/index.ts'
import { openPage } from '../../../../support/openPage.tsx'
import { streamsSetup } from '../../../../support/streamsSetup.ts'
import { pollScreen } from '../../../ui/mount.tsx'

const address = (id: string): string => `/pages/Detail/Detail?id=${id}`
const products = ['a', 'b', 'c'].map((id) => ({ id }) as Product)

afterEach(() => navigate('/', { replace: true }))

function Next() {
  const open = useNeighbour('a')
  return <button onClick={() => open(1)}>Next</button>
}

const openNext = async () => {
  navigate(address('a'))
  const list = new Subject<Loadable<readonly Product[]>>()
  const { streams } = streamsSetup()
  await openPage(<Next />, {
    streams: { ...streams, catalog$: list, product$: () => of({ state: 'loading' as const }) },
  })
  document.querySelector('button')?.click()
  return () => list.next({ state: 'ready', value: products, fresh: true })
}

it('opens the next product once the list has come, if it was asked for before', async () => {
  const arrive = await openNext()
  arrive()
  await pollScreen(() => location.hash).toBe(`#${address('b')}`)
})

it.each([
  ['went elsewhere', () => navigate(address('c')), 'c'],
  ['pressed another key', () => document.dispatchEvent(new KeyboardEvent('keydown', { key: '1' })), 'a'],
])('stays if the member %s before the list came', async (_, then, stays) => {
  const opened = vi.spyOn(history, 'replaceState')
  const arrive = await openNext()
  then()
  opened.mockClear()
  arrive()
  // All promises that would open it.
  await act(() => new Promise<void>((done) => setTimeout(done)))
  expect(opened).not.toHaveBeenCalled()
  expect(location.hash).toBe(`#${address(stays)}`)
})
