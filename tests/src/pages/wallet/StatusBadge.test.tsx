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
  ['failed', 'CANCELLED', 'FailedCancelled by you'],
] as const)('%s because of %s reads %s', async (status, reason, words) => {
  const { container } = await mount(<StatusBadge status={status} reason={reason} />)
  expect(container.textContent).toBe(words)
})
