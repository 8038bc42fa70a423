import { expect, it } from 'vitest'
import { paths } from '../../../src/paths.ts'
import { redirectOf } from '../../../src/router/redirect.ts'

const ordersOf = (search: string): string => `${paths.orders}${search === '' ? '' : `?${search}`}`
const loginTo = (next: string): string => `${paths.login}?${new URLSearchParams({ next })}`

it.each([
  ['a guest to log in, and back', paths.orders, 'tab=closed', false, loginTo(ordersOf('tab=closed'))],
  ['a member from the landing page to home', '/', '', true, paths.home],
  [
    'a member from log-in to where they wanted to go',
    paths.login,
    `next=${paths.orders}`,
    true,
    paths.orders,
  ],
  ['a member from log-in to home, if that is no page', paths.login, 'next=/nowhere', true, paths.home],
  ['nobody from a product', paths.product, 'id=A', false, undefined],
  ['no guest from the landing page', '/', '', false, undefined],
])('redirects %s', (_, path, search, isMember, to) => {
  expect(redirectOf({ path, search }, isMember)).toBe(to)
})
