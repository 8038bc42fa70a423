// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import en from '../../../locales/en.json' with { type: 'json' }
import { changeLanguage, startI18n } from '../../../src/text/i18n.ts'
import { SubmitButton } from '../../../src/shell/SubmitButton.tsx'
import { mount, one } from '../ui/mount.tsx'

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})
afterEach(() => vi.restoreAllMocks())

const reason = (): string | undefined =>
  document.getElementById(one('button').getAttribute('aria-describedby') ?? '')?.textContent ?? undefined
const isDisabled = (): boolean => one('button').getAttribute('aria-disabled') === 'true'

async function goOffline(): Promise<void> {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await act(async () => void dispatchEvent(new Event('offline')))
}

it('shows that the device is offline and stays enabled', async () => {
  await mount(<SubmitButton note="Kept on this device.">Send</SubmitButton>)
  expect([isDisabled(), reason()]).toEqual([false, 'Kept on this device.'])
  await goOffline()
  expect([isDisabled(), reason()]).toEqual([false, en.connection.offlineForm])
})

it('shows the reason it is disabled before the offline hint', async () => {
  await mount(<SubmitButton disabledReason="Bind an account first">Send</SubmitButton>)
  await goOffline()
  expect([isDisabled(), reason()]).toEqual([true, 'Bind an account first'])
})
