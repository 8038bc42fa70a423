// @vitest-environment happy-dom
import { beforeAll, expect, it, vi } from 'vitest'
import { changeLanguage, startI18n } from '../../../../src/text/i18n.ts'
import type { FilterQuery } from '../../../../src/pages/order/filters.ts'
import { OrderFilterBar } from '../../../../src/pages/order/OrderFilterBar.tsx'
import { mount, one } from '../../ui/mount.tsx'

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})

it('scrolls to an active filter on mount, does not scroll on a change, and scrolls back when cleared', async () => {
  const rect = vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (
    this: Element,
  ) {
    return this.tagName === 'FIELDSET' ? new DOMRect(0, 0, 300, 40) : new DOMRect(400, 0, 80, 40)
  })
  const row = (product: string, span: FilterQuery['span']) => (
    <>
      <style>{'fieldset { padding-left: 16px }'}</style>
      <OrderFilterBar
        tab="closed"
        query={{ product, direction: '', result: '', span }}
        products={[]}
        onQuery={() => undefined}
      />
    </>
  )
  const { render } = await mount(row('', 'today'))
  const scrolled = () => one('fieldset').scrollLeft
  expect(scrolled()).toBeGreaterThan(0)
  one('fieldset').scrollLeft = 5
  await render(row('A', 'today'))
  expect(scrolled()).toBe(5)
  await render(row('', ''))
  expect(scrolled()).toBe(0)
  rect.mockRestore()
})
