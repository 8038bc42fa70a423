// @vitest-environment happy-dom
import { NEVER, of } from 'rxjs'
import { act } from 'react'
import { beforeAll, expect, it } from 'vitest'
import type { WithdrawalAccount } from '../../../../contract/withdrawals.ts'
import { epochMs, minor } from '../../../../contract/units.ts'
import en from '../../../../locales/en.json' with { type: 'json' }
import { WithdrawForm } from '../../../../src/pages/wallet/WithdrawForm.tsx'
import { session } from '../../../../src/state/session.ts'
import { openPage } from '../../../support/openPage.tsx'
import { createTestClient, errorBody } from '../../../support/testClient.ts'
import { click, one, pollScreen } from '../../ui/mount.tsx'

const now = Date.UTC(2026, 10, 20)
const streams = {
  clock: { now: () => now, synced: true, second$: of(now) },
  connection$: NEVER,
  event$: () => NEVER,
  refresh: () => undefined,
  resource: () => ({ value$: NEVER, reload: () => undefined, put: () => undefined }),
}
const { call, answers } = createTestClient()
const account: WithdrawalAccount = {
  id: 'a1',
  type: 'bank',
  accountName: 'Lin Wei',
  nationality: 'CN',
  bank: 'CMB',
  cardNumber: '6214****4821',
  boundAt: epochMs(0),
}

beforeAll(async () => {
  session.token = 't'
  session.appInfo = {
    zone: 'UTC',
    currency: 'USD',
    businessOffsetMs: 0,
    mode: 'live',
  } as typeof session.appInfo
})

const show = async (available: number): Promise<string> => {
  await openPage(
    <WithdrawForm
      balance={minor(90_000)}
      available={minor(available)}
      account={null}
      rest={null}
      verification="verified"
      onRejected={() => undefined}
    />,
    { streams, call },
  )
  return document.body.textContent
}

it('says how much cannot be withdrawn yet, and why', async () => {
  const text = await show(50_000)
  expect(text).toContain('500.00')
  expect(text).toContain(en.withdraw.awaiting.replace('{{amount}}', '400.00'))
  expect(text).toContain(en.withdraw.awaitingWhy)
})

it('says nothing of it if all of the balance can be withdrawn', async () => {
  expect(await show(90_000)).not.toContain(en.withdraw.awaitingWhy)
})

it('goes on in the password field if the venue did not take the password', async () => {
  answers.set('/withdrawals', [422, errorBody('TRANSACTION_PASSWORD_WRONG')])
  await openPage(
    <WithdrawForm
      balance={minor(90_000)}
      available={minor(90_000)}
      account={account}
      rest={null}
      verification="verified"
      onRejected={() => undefined}
    />,
    { streams, call },
  )
  const fill = (field: string, text: string) =>
    act(async () => {
      const input = one(field)
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })
  await fill('form input', '5')
  await fill('input[name=transactionPassword]', '111222')
  one('button[type=submit]').focus()
  await act(async () => one('form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })))
  await click([...document.querySelectorAll('[role=dialog] button')].at(-1) as HTMLElement)
  await pollScreen(() => document.activeElement?.getAttribute('name')).toBe('transactionPassword')
})
