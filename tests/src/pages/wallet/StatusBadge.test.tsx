// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest'
import { changeLanguage, startI18n } from '../../../../src/text/i18n.ts'
import { StatusBadge } from '../../../../src/pages/wallet/StatusBadge.tsx'
import { mount } from '../../ui/mount.tsx'

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})

it.each([
  ['under_review', null, 'Under Review'],
  ['successful', null, 'Successful'],
  ['failed', 'The name differs', 'Failed'],
  ['failed', 'CANCELLED', 'Failed'],
] as const)('shows the label of %s with the reason %s: %s', async (status, reason, label) => {
  const { container } = await mount(<StatusBadge status={status} reason={reason} />)
  expect(container.textContent).toBe(label)
})

it('is red only for a rejection, not for a cancellation', async () => {
  const rejected = await mount(<StatusBadge status="failed" reason="The name differs" />)
  const cancelled = await mount(<StatusBadge status="failed" reason="CANCELLED" />)
  const icons = [rejected, cancelled].map(({ container }) =>
    container.querySelector('use')?.getAttribute('href'),
  )
  expect(icons[0]).toBe(icons[1])
  const isRed = [rejected, cancelled].map(({ container }) =>
    /danger/.test(container.firstElementChild?.className ?? ''),
  )
  expect(isRed).toEqual([true, false])
})
