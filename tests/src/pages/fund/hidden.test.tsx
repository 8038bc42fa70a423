// @vitest-environment happy-dom
import { act } from 'react'
import { NEVER, of } from 'rxjs'
import { beforeEach, expect, it } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import type { Fund } from '../../../../contract/fund.ts'
import { ShareCard } from '../../../../src/pages/fund/ShareCard.tsx'
import { preferences, resetPreferences } from '../../../../src/state/preferences.ts'
import { session } from '../../../../src/state/session.ts'
import { openPage } from '../../../support/openPage.tsx'
import { one } from '../../ui/mount.tsx'

const streams = {
  clock: { now: () => 0, synced: true, second$: of(0) },
  connection$: NEVER,
  event$: () => NEVER,
}

const fund: Fund = {
  total: '901.11',
  confirmed: '802.22',
  pending: '103.33',
  yesterdayEarnings: '4.44',
  totalEarnings: '55.55',
  per10k: '0.4818',
  rate7dBp: 178,
  depositsLeft: 4,
  withdrawalsLeft: 2,
  fastLeft: '300.00',
  cutoffAt: epochMs(0),
  resetAt: epochMs(0),
  nextConfirmOn: '2026-11-23',
  nextEarningOn: '2026-11-23',
  nextCreditOn: '2026-11-24',
  version: 3,
}
const amounts = ['901.11', '802.22', '103.33', '4.44', '55.55']

beforeEach(() => {
  resetPreferences()
  session.appInfo = { currency: 'USD', mode: 'practice' } as typeof session.appInfo
})

it('hides every amount in the fund, also in accessible names, and shows them again', async () => {
  const { container } = await openPage(<ShareCard fund={fund} />, { streams })
  const html = (): string => container.outerHTML
  expect(amounts.filter((amount) => !html().includes(amount))).toEqual([])
  const tap = (label: string) => act(async () => one(`button[aria-label="${label}"]`).click())
  await tap('Hide amounts')
  expect(preferences.amountsHidden).toBe(true)
  expect(amounts.filter((amount) => html().includes(amount))).toEqual([])
  expect(html()).toContain('••••••')
  await tap('Show amounts')
  expect(amounts.filter((amount) => !html().includes(amount))).toEqual([])
})
