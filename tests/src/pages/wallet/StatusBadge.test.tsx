// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest'
import { changeLanguage, startI18n } from '../../../../src/i18n.ts'
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
] as const)('%s because of %s reads %s', async (status, reason, words) => {
  const { container } = await mount(<StatusBadge status={status} reason={reason} />)
  expect(container.textContent).toBe(words)
})

it('wears the colour of a refusal only where somebody refused', async () => {
  const refused = await mount(<StatusBadge status="failed" reason="The name differs" />)
  const cancelled = await mount(<StatusBadge status="failed" reason="CANCELLED" />)
  const drawn = [refused, cancelled].map(({ container }) =>
    container.querySelector('use')?.getAttribute('href'),
  )
  expect(drawn[0]).toBe(drawn[1])
  const red = [refused, cancelled].map(({ container }) =>
    /danger/.test(container.firstElementChild?.className ?? ''),
  )
  expect(red).toEqual([true, false])
})
