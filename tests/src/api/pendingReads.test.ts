import { expect, it } from 'vitest'
import { contentRoutes } from '../../../contract/content.ts'
import { ledgerRoutes } from '../../../contract/ledger.ts'
import type { Client } from '../../../src/api/client.ts'
import { trackPendingReads, hasPendingReads, watchPendingReads } from '../../../src/api/pendingReads.ts'

/** A client that answers when it is told to. */
function deferredClient(): { client: Client; answer: () => void } {
  const waiting: (() => void)[] = []
  const client: Client = () =>
    new Promise((resolve) => {
      waiting.push(() => resolve({ ok: false, failure: { kind: 'offline' } }))
    })
  return { client, answer: () => waiting.splice(0).forEach((next) => next()) }
}

it('questions count while they run, and whoever watches hears of it', async () => {
  const { client, answer } = deferredClient()
  const call = trackPendingReads(client)
  const seen: boolean[] = []
  const unwatch = watchPendingReads(() => seen.push(hasPendingReads()))
  const asked = [call(ledgerRoutes.assets, {}), call(ledgerRoutes.assets, {})]
  expect(hasPendingReads()).toBe(true)
  answer()
  await Promise.all(asked)
  expect(hasPendingReads()).toBe(false)
  expect(seen).toEqual([true, true, true, false])
  unwatch()
})

it('what changes something does not count', async () => {
  const { client, answer } = deferredClient()
  const asked = trackPendingReads(client)(contentRoutes.readMessages, { body: { all: true } })
  expect(hasPendingReads()).toBe(false)
  answer()
  await asked
})
