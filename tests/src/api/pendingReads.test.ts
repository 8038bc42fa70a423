import { expect, it } from 'vitest'
import { contentRoutes } from '../../../contract/content.ts'
import { ledgerRoutes } from '../../../contract/ledger.ts'
import type { Client } from '../../../src/api/client.ts'
import { trackPendingReads, hasPendingReads, watchPendingReads } from '../../../src/api/pendingReads.ts'

/** A client that answers on request. */
function deferredClient(): { client: Client; answer: () => void } {
  const pending: (() => void)[] = []
  const client: Client = () =>
    new Promise((resolve) => {
      pending.push(() => resolve({ ok: false, failure: { kind: 'offline' } }))
    })
  return { client, answer: () => pending.splice(0).forEach((resolve) => resolve()) }
}

it('counts GET requests while they are pending, and notifies watchers', async () => {
  const { client, answer } = deferredClient()
  const call = trackPendingReads(client)
  const seen: boolean[] = []
  const unwatch = watchPendingReads(() => seen.push(hasPendingReads()))
  const requests = [call(ledgerRoutes.assets, {}), call(ledgerRoutes.assets, {})]
  expect(hasPendingReads()).toBe(true)
  answer()
  await Promise.all(requests)
  expect(hasPendingReads()).toBe(false)
  expect(seen).toEqual([true, true, true, false])
  unwatch()
})

it('does not count requests that change something', async () => {
  const { client, answer } = deferredClient()
  const request = trackPendingReads(client)(contentRoutes.readMessages, { body: { all: true } })
  expect(hasPendingReads()).toBe(false)
  answer()
  await request
})
