// @vitest-environment happy-dom
import { act, useEffect } from 'react'
import { beforeAll, expect, it } from 'vitest'
import type { DepositMethod } from '../../../../contract/deposits.ts'
import { changeLanguage, startI18n } from '../../../../src/text/i18n.ts'
import { useDeposit, type DepositState } from '../../../../src/pages/wallet/useDeposit.ts'
import { mount } from '../../ui/mount.tsx'

const method = { id: 'practice', kind: 'practice', min: '10.00', max: '5000.00' } as DepositMethod
let form: DepositState

function Probe() {
  const state = useDeposit(method)
  useEffect(() => {
    form = state
  })
  return null
}

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})

it.each([
  ['a quick amount', () => form.amount.put('100.00')],
  ['typing', () => form.amount.bind.onValue('100.00')],
  ['composing', () => endComposing('100.00')],
])('clears the error "Empty Value" on %s', async (_, fill) => {
  await mount(<Probe />)
  await act(async () => form.submit())
  expect(form.amountError).toBe('Empty Value')
  await act(async () => fill())
  expect([form.amount.text, form.amountError]).toEqual(['100.00', undefined])
})

function endComposing(text: string): void {
  const currentTarget = document.createElement('input')
  currentTarget.value = text
  form.amount.bind.onCompositionEnd({ currentTarget })
}
