// @vitest-environment happy-dom
import { NEVER, of } from 'rxjs'
import { beforeAll, expect, it } from 'vitest'
import { minor } from '../../../../contract/units.ts'
import en from '../../../../locales/en.json' with { type: 'json' }
import { WithdrawForm } from '../../../../src/pages/wallet/WithdrawForm.tsx'
import { session } from '../../../../src/state/session.ts'
import { openPage } from '../../../support/openPage.tsx'
import { createTestClient } from '../../../support/testClient.ts'

const now = Date.UTC(2026, 10, 20)
const streams = {
  clock: { now: () => now, synced: true, second$: of(now) },
  connection$: NEVER,
  event$: () => NEVER,
  refresh: () => undefined,
  resource: () => ({ value$: NEVER, reload: () => undefined, put: () => undefined }),
}
const { call } = createTestClient()

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
