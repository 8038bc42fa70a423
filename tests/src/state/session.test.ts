// @vitest-environment happy-dom
import { epochMs } from '../../../contract/units.ts'
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
const flushMicrotasks = () => Promise.resolve().then(() => undefined)

beforeEach(() => localStorage.clear())
afterEach(() => vi.restoreAllMocks())

describe('session', () => {
  it('is stored under its key, in the specified form', async () => {
    const { beginSession, persistSession } = await visit()
    const stop = persistSession()
    beginSession({ token: 'csrf', expiresAt: epochMs(1), user })
    await flushMicrotasks()
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

  it('tells of another member at once, but not of a log-out or of the same one', async () => {
    const { beginSession, endSession, watchMemberChange } = await visit()
    const changed = vi.fn()
    const stop = watchMemberChange(changed)
    const logIn = (id: string) => beginSession({ token: id, expiresAt: epochMs(1), user: { ...user, id } })
    logIn('m1')
    endSession()
    logIn('m1')
    expect(changed).not.toHaveBeenCalled()
    logIn('m2')
    expect(changed).toHaveBeenCalledOnce()
    endSession()
    logIn('m1')
    expect(changed).toHaveBeenCalledTimes(2)
    stop()
  })

  it.each([
    ['nonsense', '{'],
    ['another version', JSON.stringify({ v: 2, token: 'x', userInfo: user })],
    ['a text', '"x"'],
    ['a token without a member', JSON.stringify({ v: 1, token: 'x' })],
    ['an invalid member', JSON.stringify({ v: 1, token: 'x', userInfo: { id: 1 } })],
  ])('starts logged out from %s', async (_, text) => {
    localStorage.setItem('session', text)
    const { isLoggedIn: isMember } = await visit()
    expect(isMember()).toBe(false)
  })

  it('works if storage is blocked', async () => {
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    const { beginSession, persistSession, isLoggedIn: isMember } = await visit()
    const stop = persistSession()
    beginSession({ token: 'csrf', expiresAt: epochMs(1), user })
    await flushMicrotasks()
    expect(isMember()).toBe(true)
    stop()
  })

  it('follows another tab that logs out', async () => {
    const { beginSession, persistSession, isLoggedIn: isMember } = await visit()
    const stop = persistSession()
    beginSession({ token: 'csrf', expiresAt: epochMs(1), user })
    await flushMicrotasks()
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
  ])('that ends %s leaves no draft in the tab', async (_, end) => {
    const { beginSession, endSession, persistSession } = await visit()
    const stop = persistSession()
    beginSession({ token: 'csrf', expiresAt: epochMs(1), user })
    await flushMicrotasks()
    sessionStorage.setItem('verifyDraft', '{"name":"Lin Wei"}')
    end(endSession)
    await flushMicrotasks()
    expect(sessionStorage.length).toBe(0)
    stop()
  })

  it('clears step 1 of the registration when it begins, and token and member when it ends', async () => {
    const { beginSession, endSession, session } = await visit()
    session.registerInfo = { account: 'a', phone: '1', openingCode: 'c', registerToken: 't', expiresAt: 1 }
    beginSession({ token: 'csrf', expiresAt: epochMs(1), user })
    expect(session.registerInfo).toBeNull()
    endSession()
    expect([session.token, session.userInfo]).toEqual([null, null])
  })
})
