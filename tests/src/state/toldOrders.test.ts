import { describe, expect, it } from 'vitest'
import { createToldOrders, toldMax } from '../../../src/state/toldOrders.ts'
import { memoryKvStore } from '../../support/memoryKvStore.ts'

function setupDevice() {
  const kvStore = memoryKvStore()
  const state = { member: 'anna' as string | undefined }
  const openTab = () => createToldOrders({ kvStore, memberId: () => state.member, now: () => 1000 })
  return { state, openTab, kvStore }
}

describe('told orders', () => {
  it('are told in one tab only, and not again after a reload', async () => {
    const { openTab } = setupDevice()
    const [first, second] = [openTab(), openTab()]
    await first.sawOpen(['a', 'b'])
    const taken = await Promise.all([first.take(['a', 'b']), second.take(['a', 'b'])])
    expect(taken.flat()).toEqual(['a', 'b'])
    expect(await openTab().take(['a'])).toEqual([])
    expect(await openTab().untold()).toEqual([])
  })

  it('remembers what was seen open and not told, per member', async () => {
    const { state, openTab } = setupDevice()
    const tab = openTab()
    await tab.sawOpen(['a', 'b', 'c'])
    await tab.sawOpen(['a'])
    await tab.take(['b'])
    await tab.forget(['c'])
    // Seen open again by a list from before its end.
    await tab.sawOpen(['b'])
    expect(await openTab().untold()).toEqual(['a'])
    state.member = 'bob'
    expect(await openTab().untold()).toEqual([])
    expect(await openTab().take(['a'])).toEqual(['a'])
  })

  it('takes what was never seen open, once', async () => {
    const { openTab } = setupDevice()
    expect(await openTab().take(['a'])).toEqual(['a'])
    expect(await openTab().take(['a', 'b'])).toEqual(['b'])
  })

  it('takes everything if the browser stores nothing', async () => {
    const { kvStore } = setupDevice()
    const change = async (): Promise<void> => undefined
    const tab = createToldOrders({
      kvStore: { ...kvStore, change },
      memberId: () => 'anna',
      now: () => 1000,
    })
    expect(await tab.take(['a'])).toEqual(['a'])
  })

  it('keeps what is not told when it drops the oldest', async () => {
    const { openTab } = setupDevice()
    const tab = openTab()
    await tab.sawOpen(['open'])
    await tab.take(Array.from({ length: toldMax }, (_, i) => `${i}`))
    expect(await tab.untold()).toEqual(['open'])
    expect(await tab.take(['0', '1'])).toEqual(['0'])
  })
})
