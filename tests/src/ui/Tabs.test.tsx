// @vitest-environment happy-dom
import { act, useState } from 'react'
import { describe, expect, it } from 'vitest'
import { Tabs } from '../../../src/ui/index.ts'
import { mount, one, press } from './mount.tsx'

const items = [
  { value: 'records', label: 'Records' },
  { value: 'positions', label: 'Positions' },
  { value: 'closed', label: 'Closed' },
] as const

function Orders() {
  const [tab, setTab] = useState<(typeof items)[number]['value']>('positions')
  return (
    <Tabs label="Orders" items={items} value={tab} onChange={setTab}>
      shows {tab}
    </Tabs>
  )
}

function current(): Element {
  return one('[role="tab"][aria-selected="true"]')
}

describe('Tabs', () => {
  it('has one tab stop and connects the panel to the current tab', async () => {
    await mount(<Orders />)
    expect(one('[role="tablist"]').getAttribute('aria-label')).toBe('Orders')
    const stops = [...document.querySelectorAll('[role="tab"]')].filter(
      (tab) => tab.getAttribute('tabindex') === '0',
    )
    expect(stops.map((tab) => tab.textContent)).toEqual(['Positions'])
    const panel = one('[role="tabpanel"]')
    expect(panel.textContent).toBe('shows positions')
    expect(panel.getAttribute('tabindex')).toBe('-1')
    expect(panel.getAttribute('aria-labelledby')).toBe(current().id)
  })

  it.each([
    ['ArrowRight', 'Closed'],
    ['ArrowLeft', 'Records'],
    ['Home', 'Records'],
    ['End', 'Closed'],
  ])('%s moves and selects', async (key, expected) => {
    await mount(<Orders />)
    await act(async () => one('[role="tab"][aria-selected="true"]').focus())
    await press(current(), key)
    expect(current().textContent).toBe(expected)
    expect(document.activeElement).toBe(current())
    expect(one('[role="tabpanel"]').textContent).toBe(`shows ${expected.toLowerCase()}`)
  })
})
