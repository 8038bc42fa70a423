// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { watchAttention } from '../../office/state/attention.ts'
import { click, openOffice, press, settle } from '../support/officeSetup.tsx'

const cleanUps: (() => void)[] = []
afterEach(() => cleanUps.splice(0).forEach((clean) => clean()))

/** Opens a queue; `sent` is whether each request since the last look says that nobody is at the page. */
async function openQueue() {
  cleanUps.push(watchAttention())
  await openOffice('/deposits', { 'queues.show': { items: [], nextCursor: null } })
  const inner = fetch
  const marks: boolean[] = []
  vi.stubGlobal('fetch', (...[address, init]: Parameters<typeof fetch>) => {
    marks.push(new Headers(init?.headers).has('X-Unattended'))
    return inner(address, init)
  })
  return { sent: () => marks.splice(0) }
}

it('tells the venue which requests only a timer makes', async () => {
  const { sent } = await openQueue()
  await settle(20_000)
  sent()
  await settle(10_000)
  expect(sent()).toEqual([true, true])
})

it.each([
  ['a key', () => press('n')],
  ['a click', () => click('Next')],
])('counts what follows %s as the work of a person', async (_, work) => {
  const { sent } = await openQueue()
  await settle(20_000)
  sent()
  await work()
  await settle(4000)
  const followed = sent()
  expect(followed.length).toBeGreaterThan(0)
  expect(followed).not.toContain(true)
})
