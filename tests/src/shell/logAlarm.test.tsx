// @vitest-environment happy-dom
import { act } from 'react'
import { beforeAll, expect, it, vi } from 'vitest'
import { changeLanguage, startI18n } from '../../../src/text/i18n.ts'
import { AlarmBanner } from '../../../src/shell/AlarmBanner.tsx'
import { receiptKeys } from '../../../src/proof/venueLogKeys.ts'
import { session } from '../../../src/state/session.ts'
import { followLogMemory, logMemoryKey, readLogMemory, writeLogMemory } from '../../../src/state/logMemory.ts'
import { mount, one } from '../ui/mount.tsx'

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})

const before = { note: 'before', logKey: 'key' }
const now = { note: 'now', logKey: 'key' }

it('says that the public log was changed, saves what proves it, and follows the log once it is read', async () => {
  await mount(<AlarmBanner />)
  expect(document.querySelector('[role=alert]')).toBeNull()
  await act(async () =>
    writeLogMemory({
      newest: before,
      alarm: { kind: 'fork', before, now, at: 5, tiles: { 'tile/0/000': 'AA==' } },
    }),
  )
  expect(one('[role=alert]').textContent).toContain('Past entries were changed.')
  expect(JSON.parse(localStorage.getItem(logMemoryKey)!)).toMatchObject({ v: 1, alarm: { kind: 'fork' } })
  const files: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    files.push(file as Blob)
    return 'blob:x'
  })
  const [download, close] = [...document.querySelectorAll<HTMLButtonElement>('[role=alert] button')]
  await act(async () => download!.click())
  expect(JSON.parse(await files[0]!.text())).toEqual({
    format: 'uptick-log-evidence',
    version: 1,
    kind: 'fork',
    before,
    now,
    at: 5,
    tiles: { 'tile/0/000': 'AA==' },
  })
  await act(async () => close!.click())
  expect(document.querySelector('[role=alert]')).toBeNull()
  expect(readLogMemory()).toEqual({ newest: now, alarm: null, formerKeys: [] })
})

it('still knows the key of a log that another one has replaced: receipts of that time are signed with it', async () => {
  await mount(<AlarmBanner />)
  const replaced = { ...now, logKey: 'another key' }
  await act(async () =>
    writeLogMemory({ newest: before, alarm: { kind: 'replaced', before, now: replaced, at: 5, tiles: {} } }),
  )
  session.appInfo = { logKey: 'a third key' } as typeof session.appInfo
  // Until it is read, receipts of the new log are no alarm of their own.
  expect(receiptKeys()).toEqual([
    { key: 'key', from: 'device' },
    { key: 'another key', from: 'venue' },
  ])
  const close = [...document.querySelectorAll<HTMLButtonElement>('[role=alert] button')].at(-1)
  await act(async () => close!.click())
  expect(readLogMemory()).toEqual({ newest: replaced, alarm: null, formerKeys: ['key'] })
  // What the venue states beside the log that this device has seen it may state for one receipt alone.
  expect(receiptKeys().map(({ key }) => key)).toEqual(['another key', 'key'])
})

it('shows the alarm of another tab, until it is read in either', async () => {
  const unfollow = followLogMemory()
  await mount(<AlarmBanner />)
  const storeElsewhere = (memory: object) =>
    act(async () => {
      localStorage.setItem(logMemoryKey, JSON.stringify({ v: 1, ...memory }))
      dispatchEvent(new StorageEvent('storage', { key: logMemoryKey }))
    })
  await storeElsewhere({ newest: before, alarm: { kind: 'fork', before, now, at: 5, tiles: {} } })
  expect(one('[role=alert]').textContent).toContain('Past entries were changed.')
  await storeElsewhere({ newest: now, alarm: null })
  expect(document.querySelector('[role=alert]')).toBeNull()
  expect(readLogMemory()).toEqual({ newest: now, alarm: null, formerKeys: [] })
  unfollow()
})
