import { afterEach, expect, it } from 'vitest'
import { dismissToastsWithSession } from '../../../src/shell/dismissToastsWithSession.ts'
import { beginSession, endSession, resetSession, session } from '../../../src/state/session.ts'
import { currentToasts, dismissToast, toast } from '../../../src/ui/toastStore.ts'

const user = {
  id: 'm1',
  account: 'lin_wei88',
  nickname: 'lin_wei88',
  phoneMasked: '138****8000',
  contactEmail: null,
  level: 1,
  creditScore: 100,
  verification: 'none',
  openingCode: 'K7Q2MX00',
  hasWithdrawalAccount: false,
} as const

afterEach(() => {
  resetSession()
  dismissToast()
})

it('removes what was said before a login and to a member before the logout, and nothing else', () => {
  const stop = dismissToastsWithSession()
  const texts = () => currentToasts().map(({ text }) => text)
  toast({ text: 'Account opened' })
  beginSession({ token: 't', expiresAt: 9e12, user: { ...user } } as Parameters<typeof beginSession>[0])
  expect(texts()).toEqual([])
  toast({ text: 'BTC/USDT · Won 80.00' })
  Object.assign(session, { userInfo: { ...user, nickname: 'Lin' } })
  expect(texts()).toEqual(['BTC/USDT · Won 80.00'])
  endSession()
  toast({ text: 'Account closed' })
  expect(texts()).toEqual(['Account closed'])
  stop()
})
