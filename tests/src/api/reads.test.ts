import { expect, it } from 'vitest'
import { contentRoutes } from '../../../contract/content.ts'
import { sessionRoutes } from '../../../contract/session.ts'
import type { Client } from '../../../src/api/client.ts'
import { countReads, isReading, watchReads } from '../../../src/api/reads.ts'

/** A client that answers when it is told to. */
function heldClient(): { client: Client; answer: () => void } {
  const waiting: (() => void)[] = []
  const client: Client = () =>
    new Promise((resolve) => {
      waiting.push(() => resolve({ ok: false, failure: { kind: 'offline' } }))
    })
  return { client, answer: () => waiting.splice(0).forEach((next) => next()) }
}

it('questions count while they run, and whoever watches hears of it', async () => {
  const { client, answer } = heldClient()
  const call = countReads(client)
  const seen: boolean[] = []
  const unwatch = watchReads(() => seen.push(isReading()))
  const asked = [call(sessionRoutes.assets, {}), call(sessionRoutes.assets, {})]
  expect(isReading()).toBe(true)
  answer()
  await Promise.all(asked)
  expect(isReading()).toBe(false)
  expect(seen).toEqual([true, true, true, false])
  unwatch()
})

it('what changes something does not count', async () => {
  const { client, answer } = heldClient()
  const asked = countReads(client)(contentRoutes.readMessages, { body: { all: true } })
  expect(isReading()).toBe(false)
  answer()
  await asked
})
