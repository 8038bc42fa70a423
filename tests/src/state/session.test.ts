// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

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

/** The module reads storage when it is first loaded; each test is a new visit. */
async function visit() {
  vi.resetModules()
  return import('../../../src/state/session.ts')
}
const settled = () => Promise.resolve().then(() => undefined)

beforeEach(() => localStorage.clear())
afterEach(() => vi.restoreAllMocks())

describe('session', () => {
  it('is kept under its name, in the form that was agreed', async () => {
    const { beginSession, persistSession } = await visit()
    const stop = persistSession()
    beginSession({ token: 'csrf', expiresAt: 1, user })
    await settled()
    expect(JSON.parse(localStorage.getItem('session') ?? '')).toEqual({
      v: 1,
      token: 'csrf',
      userInfo: user,
      appInfo: null,
      registerInfo: null,
    })
    stop()
    const again = await visit()
    expect(again.session.token).toBe('csrf')
    expect(again.isLoggedIn()).toBe(true)
  })

  it.each([
    ['nonsense', '{'],
    ['another version', JSON.stringify({ v: 2, token: 'x', userInfo: user })],
    ['no object', '"x"'],
    ['a token without a member', JSON.stringify({ v: 1, token: 'x' })],
    ['a member that does not fit', JSON.stringify({ v: 1, token: 'x', userInfo: { id: 1 } })],
  ])('starts logged out from %s', async (_, text) => {
    localStorage.setItem('session', text)
    const { isLoggedIn: isMember } = await visit()
    expect(isMember()).toBe(false)
  })

  it('runs where storage is blocked', async () => {
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    const { beginSession, persistSession, isLoggedIn: isMember } = await visit()
    const stop = persistSession()
    beginSession({ token: 'csrf', expiresAt: 1, user })
    await settled()
    expect(isMember()).toBe(true)
    stop()
  })

  it('follows another tab that logs out', async () => {
    const { beginSession, persistSession, isLoggedIn: isMember } = await visit()
    const stop = persistSession()
    beginSession({ token: 'csrf', expiresAt: 1, user })
    await settled()
    localStorage.setItem('session', JSON.stringify({ v: 1, token: null, userInfo: null }))
    dispatchEvent(new StorageEvent('storage', { key: 'session' }))
    expect(isMember()).toBe(false)
    stop()
  })

  it.each([
    ['here', (end: () => void) => end()],
    [
      'in another tab',
      () => {
        localStorage.setItem('session', JSON.stringify({ v: 1, token: null, userInfo: null }))
        dispatchEvent(new StorageEvent('storage', { key: 'session' }))
      },
    ],
  ])('a session that ends %s leaves no draft in the tab', async (_, end) => {
    const { beginSession, endSession, persistSession } = await visit()
    const stop = persistSession()
    beginSession({ token: 'csrf', expiresAt: 1, user })
    await settled()
    sessionStorage.setItem('verifyDraft', '{"name":"Lin Wei"}')
    end(endSession)
    await settled()
    expect(sessionStorage.length).toBe(0)
    stop()
  })

  it('forgets step 1 of the registration once a session begins, and keeps what it knows of the venue at its end', async () => {
    const { beginSession, endSession, session } = await visit()
    session.registerInfo = { account: 'a', phone: '1', openingCode: 'c', registerToken: 't', expiresAt: 1 }
    beginSession({ token: 'csrf', expiresAt: 1, user })
    expect(session.registerInfo).toBeNull()
    endSession()
    expect([session.token, session.userInfo]).toEqual([null, null])
  })
})
