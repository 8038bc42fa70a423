// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { addSheetEntry, atPageEntry, startSheetEntries } from '../../../src/router/sheetEntries.ts'

const sheetsNow = (): number => (history.state as { sheets?: number } | null)?.sheets ?? 0
const opened: (() => void)[] = []

/** Opens a sheet that removes itself when it closes, as a component does. */
function openSheet(isLocked = (): boolean => false) {
  const close = vi.fn(() => {
    if (isLocked()) return false
    remove()
    return true
  })
  let isOpen = true
  const removeEntry = addSheetEntry(close)
  const remove = (): void => {
    if (isOpen) removeEntry()
    isOpen = false
  }
  opened.push(remove)
  return { close, remove }
}
const expectSheets = (count: number) => expect.poll(sheetsNow).toBe(count)

beforeEach(() => {
  history.pushState({ key: 'page' }, '', '#/page')
  startSheetEntries()
})
afterEach(async () => {
  for (const remove of opened.splice(0)) remove()
  await expectSheets(0)
})

it('Back closes the sheet on top, then the one below', async () => {
  const below = openSheet()
  await expectSheets(1)
  const top = openSheet()
  await expectSheets(2)
  expect(history.state).toMatchObject({ key: 'page' })
  history.back()
  await expectSheets(1)
  expect([below.close.mock.calls.length, top.close.mock.calls.length]).toEqual([0, 1])
  history.back()
  await expectSheets(0)
  expect(below.close).toHaveBeenCalledOnce()
})

it('another address does not close the sheet of the page that is left', async () => {
  const sheet = openSheet()
  await expectSheets(1)
  // As a browser does when its address is changed.
  history.pushState(null, '', '#/another')
  dispatchEvent(new PopStateEvent('popstate'))
  expect(sheet.close).not.toHaveBeenCalled()
  sheet.remove()
  await Promise.resolve()
  expect(location.hash).toBe('#/another')
})

it('a sheet that cannot be closed keeps its entry', async () => {
  let isLocked = true
  const sheet = openSheet(() => isLocked)
  await expectSheets(1)
  history.back()
  await expect.poll(() => sheet.close.mock.calls.length).toBe(1)
  await expectSheets(1)
  isLocked = false
  history.back()
  await expectSheets(0)
  expect(sheet.close).toHaveBeenCalledTimes(2)
})

it('sheets that are closed otherwise leave no entry, and one that follows another shares its entry', async () => {
  const pushed = vi.spyOn(history, 'pushState')
  const first = openSheet()
  await expectSheets(1)
  first.remove()
  openSheet()
  await Promise.resolve()
  await expectSheets(1)
  expect(pushed).toHaveBeenCalledOnce()
  const nested = openSheet()
  await expectSheets(2)
  nested.remove()
  opened[1]?.()
  await expectSheets(0)
  pushed.mockRestore()
})

it('an address is changed at the entry of the page', async () => {
  const sheet = openSheet()
  openSheet()
  await expectSheets(2)
  const order: string[] = []
  atPageEntry(() => order.push(`first at ${sheetsNow()}`))
  atPageEntry(() => order.push(`second at ${sheetsNow()}`))
  await expect.poll(() => order).toEqual(['first at 0', 'second at 0'])
  expect(sheet.close).not.toHaveBeenCalled()
})
