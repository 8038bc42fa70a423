// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { paths } from '../../../src/paths.ts'
import { Shell } from '../../../src/shell/Shell.tsx'
import { openPage } from '../../support/openPage.tsx'

it.each([
  [paths.password, 'Settings'],
  [paths.security, 'Settings'],
  [paths.limits, 'Settings'],
  [paths.sessions, 'Settings'],
  [paths.ownData, 'Settings'],
  [paths.results, 'My orders'],
  [paths.alerts, 'Messages'],
  [paths.deposit, 'Account'],
])('the rail marks what the page %s belongs to: %s', async (path, item) => {
  await openPage(
    <Shell path={path} tab="user" tabBar={false} bare={false}>
      {null}
    </Shell>,
  )
  const marked = [...document.querySelectorAll('[aria-current=page]')].map((link) => link.textContent)
  expect(marked).toEqual([item])
})
