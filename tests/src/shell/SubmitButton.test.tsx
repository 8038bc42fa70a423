// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import en from '../../../locales/en.json' with { type: 'json' }
import { changeLanguage, startI18n } from '../../../src/i18n.ts'
import { SubmitButton } from '../../../src/shell/SubmitButton.tsx'
import { mount, one } from '../ui/mount.tsx'

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})
afterEach(() => vi.restoreAllMocks())

const reason = (): string | undefined =>
  document.getElementById(one('button').getAttribute('aria-describedby') ?? '')?.textContent ?? undefined
const isOff = (): boolean => one('button').getAttribute('aria-disabled') === 'true'

async function lose(): Promise<void> {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await act(async () => void dispatchEvent(new Event('offline')))
}

it('says that the device is offline before a tap, and stays on', async () => {
  await mount(<SubmitButton note="Kept on this device.">Send</SubmitButton>)
  expect([isOff(), reason()]).toEqual([false, 'Kept on this device.'])
  await lose()
  expect([isOff(), reason()]).toEqual([false, en.connection.offlineForm])
})

it('says first why the form cannot be sent', async () => {
  await mount(<SubmitButton disabledReason="Bind an account first">Send</SubmitButton>)
  await lose()
  expect([isOff(), reason()]).toEqual([true, 'Bind an account first'])
})
