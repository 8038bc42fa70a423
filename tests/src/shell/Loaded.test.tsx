// @vitest-environment happy-dom
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { allOf } from '../../../src/hooks/useObservable.ts'
import { itemsOf } from '../../../src/hooks/useListState.ts'
import { changeLanguage, startI18n } from '../../../src/text/i18n.ts'
import { Loaded } from '../../../src/shell/Loaded.tsx'
import type { Failure, Loadable } from '../../../streams/index.ts'
import en from '../../../locales/en.json' with { type: 'json' }
import { click, mount, one } from '../ui/mount.tsx'

const offline: Failure = { kind: 'offline' }
const ready = <T,>(value: T): Loadable<T> => ({ state: 'ready', value, fresh: true })

let retries = 0
beforeAll(() => startI18n())
beforeEach(async () => {
  retries = 0
  await changeLanguage('en')
})

const show = async (of: Loadable<readonly string[]>, busy = false): Promise<string> => {
  const { container } = await mount(
    <Loaded
      of={of}
      failed="No fruit"
      retry={() => (retries += 1)}
      busy={busy}
      skeleton={<output>waiting</output>}
      empty={<p>none</p>}
    >
      {(fruit) => <p>{fruit.join(' ')}</p>}
    </Loaded>,
  )
  return container.innerHTML
}

it('shows the skeleton, the value, or that it is empty', async () => {
  expect(await show({ state: 'loading' })).toBe('<output>waiting</output>')
  expect(await show(ready(['fig', 'plum']))).toBe('<p>fig plum</p>')
  expect(await show(ready([]))).toBe('<p>none</p>')
})

it('says what failed and why, as an alert, and tries again', async () => {
  await show({ state: 'failed', failure: offline })
  const alert = one('[role=alert]')
  expect([one('h2').textContent, one('[role=alert] p').textContent]).toEqual(['No fruit', en.error.OFFLINE])
  await click(one('[role=alert] button'))
  expect([retries, alert.isConnected]).toEqual([1, true])
})

it('keeps a value that could not be renewed', async () => {
  expect(await show({ state: 'failed', failure: offline, value: ['fig'] })).toBe('<p>fig</p>')
})

it('does not say that a list is empty which could not be renewed', async () => {
  await show({ state: 'failed', failure: offline, value: [] })
  expect(one('h2').textContent).toBe('No fruit')
})

it('makes one loadable of several', () => {
  const failed: Loadable<string> = { state: 'failed', failure: offline }
  expect(allOf(ready(1), ready('a'))).toEqual(ready([1, 'a']))
  expect(allOf(ready(null), { state: 'loading' })).toEqual({ state: 'loading' })
  expect(allOf<[null, string, number]>(ready(null), failed, { state: 'loading' })).toEqual(failed)
  expect(allOf(ready(null), { ...failed, value: 'old' })).toEqual(ready([null, 'old']))
})

it('makes one loadable of a list, which has to be asked whether it is still empty', () => {
  const list = { items: [] as string[], cursor: null, loading: false, failure: undefined }
  expect(itemsOf(list)).toEqual(ready([]))
  expect(itemsOf({ ...list, loading: true })).toEqual({ state: 'loading' })
  expect(itemsOf({ ...list, loading: true, failure: offline })).toEqual({ state: 'failed', failure: offline })
  expect(itemsOf({ ...list, items: ['fig'], failure: offline })).toEqual(ready(['fig']))
})
