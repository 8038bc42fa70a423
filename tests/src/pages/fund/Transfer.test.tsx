// @vitest-environment happy-dom
import { act, type ReactNode } from 'react'
import { NEVER, of } from 'rxjs'
import { beforeEach, describe, expect, it } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import type { Fund, FundRules } from '../../../../contract/fund.ts'
import { startOfDay } from '../../../../contract/time.ts'
import { TransferIn } from '../../../../src/pages/fund/TransferIn.tsx'
import { TransferOut } from '../../../../src/pages/fund/TransferOut.tsx'
import { session } from '../../../../src/state/session.ts'
import { currentToasts } from '../../../../src/ui/toastStore.ts'
import { openPage } from '../../../support/openPage.tsx'
import { createTestClient, errorBody } from '../../../support/testClient.ts'
import { one } from '../../ui/mount.tsx'

const zone = 'Asia/Shanghai'
/** Friday noon. */
const now = startOfDay('2026-11-20', zone) + 12 * 3_600_000
const streams = {
  clock: { now: () => now, synced: true, second$: of(now) },
  connection$: NEVER,
  event$: () => NEVER,
  refresh: () => undefined,
  resource: () => ({ value$: NEVER, reload: () => undefined, put: () => undefined }),
}

const fund: Fund = {
  total: '900.00',
  confirmed: '800.00',
  pending: '100.00',
  yesterdayEarnings: '0.03',
  totalEarnings: '0.10',
  per10k: '0.4818',
  rate7dBp: 178,
  depositsLeft: 4,
  withdrawalsLeft: 2,
  fastLeft: '300.00',
  cutoffAt: epochMs(startOfDay('2026-11-20', zone) + 15 * 3_600_000),
  resetAt: epochMs(startOfDay('2026-11-21', zone)),
  nextConfirmOn: '2026-11-23',
  nextEarningOn: '2026-11-23',
  nextCreditOn: '2026-11-24',
  version: 3,
}
const rules: FundRules = {
  zone,
  cutoffHour: 15,
  depositsPerDay: 5,
  withdrawalsPerDay: 3,
  fastCapPerDay: '10000.00',
  minDeposit: '1.00',
  holidays: [],
  practice: true,
}

const { answers, requests, call } = createTestClient()

beforeEach(() => {
  requests.length = 0
  answers.clear()
  session.token = 't'
  session.appInfo = { zone, currency: 'USD', businessOffsetMs: 0, mode: 'practice' } as typeof session.appInfo
  history.replaceState(null, '', '#/pages/transfer/transfer')
})

const show = (page: ReactNode) => openPage(page, { streams, call })
async function type(name: string, text: string): Promise<void> {
  const input = one(`input[name=${name}]`) as HTMLInputElement
  await act(async () => {
    Reflect.set(HTMLInputElement.prototype, 'value', text, input)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
const submit = () =>
  act(async () => {
    one('form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  })
const text = (): string => document.body.textContent ?? ''
const button = (): string => one('button[type=submit]').textContent ?? ''

describe('TransferIn', () => {
  it('shows every date, the estimate and the remaining transfers before it is sent', async () => {
    await show(<TransferIn fund={fund} rules={rules} available="10240.50" />)
    await type('amount', '1000')
    expect(button()).toBe('Transfer in 1,000.00')
    expect(text()).toMatch(/Fri,? 20 Nov/)
    expect(text()).toMatch(/Mon,? 23 Nov/)
    expect(text()).toMatch(/Tue,? 24 Nov/)
    for (const part of ['Before 15:00, so it counts for today', 'About 0.04 a day', '4 of 5', '9,240.50']) {
      expect(text()).toContain(part)
    }
    expect(requests).toEqual([])
  })

  it('sends one request with a key and navigates to the fund', async () => {
    const answer = { id: 'd', amount: '1000.00', status: 'pending_review', confirmOn: '2026-11-23' }
    const dates = { firstEarningOn: '2026-11-23', firstCreditOn: '2026-11-24' }
    answers.set('/fund/deposits', [201, { ...answer, ...dates }])
    await show(<TransferIn fund={fund} rules={rules} available="10240.50" />)
    await type('amount', '1000')
    await submit()
    expect(requests).toMatchObject([{ path: '/fund/deposits', body: { amount: '1000.00' } }])
    expect(requests[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
    expect(location.hash).toBe('#/pages/money/money')
    expect(currentToasts().at(-1)?.text).toMatch(/confirmed on Mon,? 23 Nov/)
  })

  it('does not send more than is available, nor by the gesture that capped the amount', async () => {
    await show(<TransferIn fund={fund} rules={rules} available="100.00" />)
    await type('amount', '100.01')
    expect(text()).toContain('You only have 100.00 available')
    await submit()
    expect(requests).toEqual([])
    expect((one('input[name=amount]') as HTMLInputElement).value).toBe('100.00')
  })

  it('shows why it is disabled', async () => {
    await show(<TransferIn fund={{ ...fund, depositsLeft: 0 }} rules={rules} available="100.00" />)
    expect(text()).toContain('No transfers left today. Available again from 21 Nov 2026, 00:00')
    await type('amount', '10')
    await submit()
    expect(requests).toEqual([])
  })

  it('shows a rejection and uses a new key for the next attempt', async () => {
    answers.set('/fund/deposits', [422, errorBody('FUND_TIMES_USED')])
    await show(<TransferIn fund={fund} rules={rules} available="100.00" />)
    await type('amount', '10')
    await submit()
    expect(text()).toContain('You’ve used all your fund transfers for today')
    await submit()
    expect(new Set(requests.map(({ key }) => key)).size).toBe(2)
  })
})

describe('TransferOut', () => {
  const fill = async (amount: string, password: string) => {
    await type('amount', amount)
    await type('transactionPassword', password)
  }

  it('arrives at once in fast mode, up to the rest of the cap', async () => {
    await show(<TransferOut fund={fund} rules={rules} />)
    await type('amount', '300.01')
    expect(text()).toContain('up to 300.00 with Fast today')
    await type('amount', '300')
    expect(text()).toContain('Added to your balanceNow')
    expect(text()).toContain('500.00')
  })

  it('is paid on the next trading day in standard mode', async () => {
    answers.set('/fund/withdrawals', [
      201,
      {
        id: 'w',
        at: now,
        kind: 'withdrawal',
        madeOn: '2026-11-20',
        mode: 'standard',
        amount: '800.00',
        status: 'under_review',
        onDay: '2026-11-23',
      },
    ])
    await show(<TransferOut fund={fund} rules={rules} />)
    await act(async () => [...document.querySelectorAll<HTMLElement>('input[type=radio]')].at(-1)?.click())
    await fill('800', '159753')
    expect(text()).toMatch(/Added to your balanceAt 00:00Mon,? 23 Nov/)
    await submit()
    expect(requests).toMatchObject([
      {
        path: '/fund/withdrawals',
        body: { amount: '800.00', mode: 'standard', transactionPassword: '159753' },
      },
    ])
    expect(location.hash).toBe('#/pages/money/money')
  })

  it('requires the transaction password and shows at its field that it is wrong', async () => {
    answers.set('/fund/withdrawals', [422, errorBody('TRANSACTION_PASSWORD_WRONG')])
    await show(<TransferOut fund={fund} rules={rules} />)
    await type('amount', '10')
    await submit()
    expect(requests).toEqual([])
    expect(text()).toContain('Please enter your transaction password')
    await fill('10', '111222')
    await submit()
    const field = one('input[name=transactionPassword]')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(text().match(/Incorrect transaction password/g)).toHaveLength(1)
  })
})
