// @vitest-environment happy-dom
import { act } from 'react'
import { expect, it } from 'vitest'
import { epochMs } from '../../../contract/units.ts'
import { contentRoutes } from '../../../contract/content.ts'
import type { Client } from '../../../src/api/client.ts'
import { useList, type ListSource } from '../../../src/hooks/useList.ts'
import { valueOf } from '../../../src/hooks/useObservable.ts'
import { useResource, type ResourceSource } from '../../../src/hooks/useResource.ts'
import type { ServiceMessage } from '../../../streams/index.ts'
import { flushAnswers } from '../../support/flushAnswers.ts'
import { openPage } from '../../support/openPage.tsx'
import { streamsSetup } from '../../support/streamsSetup.ts'
import { click, one } from '../ui/mount.tsx'

const messageOf = (id: string): ServiceMessage => ({
  id,
  from: 'desk',
  body: id,
  uploadId: null,
  at: epochMs(1),
  read: false,
})

/** A page over a fake wire, with a client that answers with `pages` by cursor. */
async function showPage(page: React.ReactNode, pages: Record<string, string>) {
  const { streams, transport } = streamsSetup()
  const call = (async (_route: unknown, input: { query?: { cursor?: string } }) => {
    const [ids = '', nextCursor = null] = (pages[input.query?.cursor ?? ''] ?? '').split(' > ')
    return { ok: true, value: { items: Array.from(ids, messageOf), nextCursor }, at: 1 }
  }) as unknown as Client
  await openPage(page, { streams, call })
  return { event: (id: string) => act(async () => transport.event('service', messageOf(id))) }
}
const shown = (): string => one('p').textContent

const threadSource: ListSource<ServiceMessage> = {
  load: (call, after, signal) => call(contentRoutes.service, { query: after }, { signal }),
  event$: ({ service$ }) => service$,
}

function Thread() {
  const { items, cursor, more, upsert } = useList(threadSource)
  return (
    <>
      <p>
        {items.map(({ id }) => id)} {cursor}
      </p>
      <button type="button" id="more" onClick={more}>
        more
      </button>
      <button type="button" id="upsert" onClick={() => upsert(messageOf('z'))}>
        upsert
      </button>
    </>
  )
}

it('shows a list with its pages, its events and what is put into it', async () => {
  const id = '00000000-0000-4000-8000-000000000000'
  const { event } = await showPage(<Thread />, { '': 'cb > b', b: 'a' })
  expect(shown()).toBe('cb b')
  await click(one('#more'))
  await flushAnswers()
  expect(shown()).toBe('cba ')
  await event(id)
  await click(one('#upsert'))
  expect(shown()).toBe(`z${id}cba `)
})

const countSource: ResourceSource<number> = {
  fetch: async (call, signal) => {
    const result = await call(contentRoutes.service, { query: {} }, { signal })
    return result.ok ? { ...result, value: result.value.items.length } : result
  },
  isNewer: (next, known) => next > known,
}

function Count() {
  const { loadable, put } = useResource(countSource)
  return (
    <>
      <p>{valueOf(loadable) ?? loadable.state}</p>
      <button type="button" id="newer" onClick={() => put(9)}>
        newer
      </button>
      <button type="button" id="older" onClick={() => put(1)}>
        older
      </button>
    </>
  )
}

it('shows a resource with what is put into it, unless it is older', async () => {
  await showPage(<Count />, { '': 'abc' })
  expect(shown()).toBe('3')
  await click(one('#older'))
  expect(shown()).toBe('3')
  await click(one('#newer'))
  expect(shown()).toBe('9')
})
