// @vitest-environment happy-dom
import { act } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { StaffRole } from '../../../../contract/office/staff.ts'
import { allNav } from '../../../../office/nav.ts'
import { endSession } from '../../../../office/state/endSession.ts'
import { staffSession } from '../../../support/openScreen.tsx'
import {
  address,
  alerts,
  buttons,
  click,
  enter,
  field,
  lost,
  now,
  openOffice,
  press,
  refused,
  settle,
  text,
  toasts,
  type OfficeAnswers,
} from '../../../support/officeSetup.tsx'

const session = staffSession('finance')
const ownPages = (role: StaffRole): string[] =>
  allNav
    .filter(({ calls }) => calls.some((call) => staffSession(role).calls.includes(call)))
    .map(({ path }) => path)
const factors = { passkeys: [], totp: null, recoveryCodesLeft: 0 }
const setup = {
  setupId: 'setup-1',
  expiresAt: now + 600_000,
  secret: 'JBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/uptick:lin?secret=JBSWY3DPEHPK3PXP',
}
const usable = () => {
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('PublicKeyCredential', Object)
}

describe('the log-in', () => {
  const open = (answers: OfficeAnswers = {}) => openOffice('/deposits', answers, { isLoggedIn: false })
  const fill = async () => {
    await enter('Name', ' lin ')
    await enter('Password', 'long enough to be one 9')
  }
  const sent = { name: 'lin', password: 'long enough to be one 9' }

  it('begins in the field of the name', async () => {
    await openOffice('/', {}, { isLoggedIn: false })
    expect(document.activeElement).toBe(field('Name'))
  })

  it('leads to the page of the address', async () => {
    const desk = await open({ 'session.logIn': session })
    expect(text('h1')).toBe('Log in to the office')
    await fill()
    await click('Log in')
    expect(desk.acts()).toEqual([['session.logIn', sent]])
    expect(text('h1')).toBe('Deposits')
    expect(address()).toBe('/deposits')
  })

  const homes: [StaffRole, string, string][] = [
    ['support', '/password-requests', 'Password requests'],
    ['compliance', '/verifications', 'Verifications'],
    ['finance', '/deposits', 'Deposits'],
    ['content', '/articles', 'News and pages'],
    ['admin', '/proposals', 'Approvals'],
  ]
  /** Where the one before has worked: the address stays in the browser. */
  const left = ['/', '/deposits', '/audit', '/articles', '/verifications']
  it.each(homes.flatMap((home) => left.map((at) => [...home, at] as const)))(
    'leads %s to %s (%s), or stays at its own page, from %s, without an error',
    async (role, home, title, at) => {
      const whole = staffSession(role)
      const none = { items: [], nextCursor: null }
      const answers = {
        'session.logIn': whole,
        'content.news': none,
        'proposals.list': none,
        'audit.list': none,
      }
      await openOffice(at, answers, { role, isLoggedIn: false })
      await fill()
      await click('Log in')
      expect(alerts()).toEqual([])
      const own = ownPages(role)
      expect(address()).toBe(own.includes(at) ? at : home)
      if (!own.includes(at)) expect(text('h1')).toBe(title)
    },
  )

  it('asks for the code of the app, and sends all again with it', async () => {
    const desk = await open({
      'session.logIn': refused(401, 'SECOND_FACTOR_REQUIRED', { params: { totp: true } }),
    })
    await fill()
    await click('Log in')
    expect(document.activeElement).toBe(field('Authenticator code or recovery code'))
    desk.answers['session.logIn'] = ({ body }) =>
      body.code === '123456' ? session : refused(401, 'SECOND_FACTOR_WRONG')
    await enter('Authenticator code or recovery code', '000000')
    await press('Enter')
    expect(alerts()).toEqual(['That code is wrong or has been used. Enter a new one.'])
    await enter('Authenticator code or recovery code', '　１２３　４５６ ')
    await press('Enter')
    expect(desk.acts().at(-1)).toEqual(['session.logIn', { ...sent, code: '123456' }])
    expect(text('h1')).toBe('Deposits')
  })

  it('goes back from the code to another account', async () => {
    await open({ 'session.logIn': refused(401, 'SECOND_FACTOR_REQUIRED', { params: { totp: true } }) })
    await fill()
    await click('Log in')
    await click('Use another account')
    expect(field('Name').value).toBe(' lin ')
  })

  it.each([
    ['the password is wrong', refused(401, 'BAD_CREDENTIALS'), 'Incorrect username or password'],
    [
      'the account has a passkey alone',
      refused(401, 'SECOND_FACTOR_REQUIRED', { params: { totp: false } }),
      'This account logs in with its passkey.',
    ],
    [
      'there were too many tries',
      refused(429, 'RATE_LIMITED', { params: { retryAfterMs: 60_000 } }),
      'Too many requests. Try again in 60 seconds.',
    ],
    ['the network is lost', lost, 'You’re offline. Check your connection and try again.'],
  ])('says why not if %s, and keeps what was typed', async (_, answer, said) => {
    await open({ 'session.logIn': answer })
    await fill()
    await click('Log in')
    expect(alerts()).toEqual([said])
    expect(field('Password').value).toBe(sent.password)
  })

  it('offers a passkey where the browser has them, and says if it was not used', async () => {
    usable()
    const options = {
      rpId: 'localhost',
      challenge: 'AAAA',
      timeout: 60_000,
      userVerification: 'required' as const,
    }
    vi.spyOn(navigator, 'credentials', 'get').mockReturnValue({ get: async () => null } as never)
    await open({
      'session.beginPasskeyLogIn': { challengeId: 'c1', expiresAt: now + 60_000, options } as never,
    })
    await click('Log in with a passkey')
    expect(alerts()).toEqual(['The passkey wasn’t used. Try again.'])
  })

  it('can be read in the other language', async () => {
    await open()
    await click('切换到中文')
    expect(text('h1')).toBe('登录后台')
  })
})

describe('a session', () => {
  it('that has ended leads back to the log-in, and nothing of it is left for the next person', async () => {
    const desk = await openOffice(
      '/audit',
      { 'audit.list': { items: [], nextCursor: null } },
      { role: 'compliance', isWhole: true },
    )
    const { queryClient } = await import('../../../../office/data/queryClient.ts')
    expect(queryClient.getQueryCache().getAll()).not.toEqual([])
    desk.answers['queues.list'] = refused(401, 'UNAUTHENTICATED')
    await settle(5000)
    expect(text('h1')).toBe('Log in to the office')
    expect(queryClient.getQueryCache().getAll()).toEqual([])
  })

  it('is ended by the person', async () => {
    const desk = await openOffice('/deposits', { 'session.logOut': undefined }, { isWhole: true })
    await click('Log out')
    expect(desk.acts()).toEqual([['session.logOut']])
    expect(text('h1')).toBe('Log in to the office')
  })

  it('stays if the venue could not be told that it ends', async () => {
    await openOffice('/deposits', { 'session.logOut': lost }, { isWhole: true })
    await click('Log out')
    expect(text('h1')).toBe('Deposits')
    expect(toasts()).toEqual(['You’re offline. Check your connection and try again.'])
  })
})

describe('a second factor that is still missing', () => {
  const missing = { needsSecondFactor: true }

  it('is set up before anything else', async () => {
    const desk = await openOffice(
      '/deposits',
      {
        'session.factors': factors,
        'session.beginTotp': setup,
        'session.addTotp': { recoveryCodes: ['aaaa-1111', 'bbbb-2222'] },
      },
      { session: missing, isWhole: true },
    )
    expect(text('h1')).toBe('Set up a second factor')
    await enter('Current password, to confirm', 'long enough to be one 9')
    await click('Set up an app')
    expect(text('main')).toContain('Key JBSWY3DPEHPK3PXP')
    await enter('Authenticator code', '　１２３　４５６ ')
    await press('Enter')
    expect(text('main')).toContain('aaaa-1111')
    desk.answers['session.show'] = session
    await click('I’ve saved them')
    expect(desk.acts()).toEqual([
      ['session.beginTotp', { password: 'long enough to be one 9' }],
      ['session.addTotp', { setupId: 'setup-1', code: '123456' }],
    ])
    expect(text('h1')).toBe('Deposits')
  })

  it('can be left by logging out', async () => {
    await openOffice(
      '/deposits',
      { 'session.factors': factors, 'session.logOut': undefined },
      { session: missing, isWhole: true },
    )
    await click('Log out')
    expect(text('h1')).toBe('Log in to the office')
  })
})

describe('the link for a new member of staff', () => {
  const invited = { name: 'chen', role: 'finance' as const, expiresAt: now + 86_400_000 }
  const open = (answers: OfficeAnswers = {}) =>
    openOffice('/enrol/code%2F1', { 'session.checkEnrolment': invited, ...answers }, { isLoggedIn: false })
  const fill = async (again = 'long enough to be one 9') => {
    await enter('Password', 'long enough to be one 9')
    await enter('Confirm password', again)
    await click('Set up and log in')
  }

  it('sets a password and logs in', async () => {
    const desk = await open({ 'session.enrol': session })
    expect(text('main')).toContain('chen, role: Finance')
    expect(document.activeElement).toBe(field('Password'))
    await fill()
    expect(desk.acts().slice(1)).toEqual([
      ['session.enrol', { code: 'code/1', password: 'long enough to be one 9' }],
    ])
    expect(text('h1')).toBe('Deposits')
  })

  it('has nothing between its fields, and one eye that shows both', async () => {
    await open()
    const stops = [...document.querySelectorAll('form input:not([hidden]), form button')]
    const eye = document.querySelector('[aria-label="Show password"]')
    expect(stops.slice(0, 3)).toEqual([field('Password'), field('Confirm password'), eye])
    const types = () => [field('Password').type, field('Confirm password').type]
    await click('Show password')
    expect(types()).toEqual(['text', 'text'])
    await click('Hide password')
    expect(types()).toEqual(['password', 'password'])
  })

  it('keeps what is typed when the session of another person ends', async () => {
    await openOffice('/enrol/code%2F1', { 'session.checkEnrolment': invited }, { isWhole: true })
    await enter('Password', 'long enough to be one 9')
    await act(async () => endSession())
    await settle()
    expect(field('Password').value).toBe('long enough to be one 9')
  })

  it('sends nothing while the passwords differ', async () => {
    const desk = await open()
    await fill('another one 9')
    expect(text('main')).toContain('The passwords don’t match.')
    expect(desk.acts()).toHaveLength(1)
  })

  it('says what is wrong with the password', async () => {
    await open({ 'session.enrol': refused(400, 'VALIDATION', { fields: { password: 'PASSWORD_WEAK' } }) })
    await fill()
    expect(field('Password').getAttribute('aria-invalid')).toBe('true')
  })

  it.each([
    [
      'has been used',
      refused(404, 'NOT_FOUND'),
      'This link has been used or has expired. Ask an administrator for a new one.',
    ],
    ['cannot be checked', lost, 'You’re offline. Check your connection and try again.'],
  ])('says so if it %s', async (_, answer, said) => {
    await open({ 'session.checkEnrolment': answer })
    await settle(3000)
    expect(alerts()).toEqual([said])
    expect(buttons()).not.toContain('Set up and log in')
  })
})

describe('the own account', () => {
  const open = (answers: OfficeAnswers = {}) =>
    openOffice('/account', { 'session.factors': factors, ...answers })
  const change = async () => {
    await enter('Current password', 'the old one 12')
    await enter('New password', 'the new one 12')
    await click('Change')
  }

  it('changes the password', async () => {
    const desk = await open({ 'session.password': undefined })
    await change()
    expect(desk.acts()).toEqual([
      ['session.password', { oldPassword: 'the old one 12', newPassword: 'the new one 12' }],
    ])
    expect(toasts()).toEqual(['Password changed. Other devices are logged out.'])
    expect(field('New password').value).toBe('')
  })

  it.each([
    [
      'the old one is wrong',
      refused(400, 'OLD_PASSWORD_WRONG'),
      'Your current password is incorrect. Please try again.',
    ],
    ['the network is lost', lost, 'You’re offline. Check your connection and try again.'],
  ])('says why the password stays if %s, and keeps what was typed', async (_, answer, said) => {
    await open({ 'session.password': answer })
    await change()
    expect(alerts()).toEqual([said])
    expect(field('New password').value).toBe('the new one 12')
  })

  it('removes factors only with the password', async () => {
    const two = {
      passkeys: [{ id: 'k1', name: 'Laptop', createdAt: now, lastUsedAt: null }],
      totp: { addedAt: now },
      recoveryCodesLeft: 7,
    }
    const desk = await open({ 'session.factors': two as never, 'session.removeTotp': undefined })
    expect(text('main')).toContain('Recovery codes left 7')
    expect(text('main')).toContain('Laptop · 24 Nov 2026, 12:00:00')
    await click('Remove')
    expect(desk.acts()).toEqual([])
    await enter('Current password, to confirm', 'the old one 12')
    await click('Remove')
    expect(desk.acts()).toEqual([['session.removeTotp', { password: 'the old one 12' }]])
    expect(toasts()).toEqual(['Saved. Other devices are logged out.'])
  })

  it('does not look as if there were no factors if they cannot be read', async () => {
    await open({ 'session.factors': lost })
    await settle(3000)
    expect(alerts()).toEqual(['You’re offline. Check your connection and try again.'])
    expect(buttons()).not.toContain('Set up an app')
  })

  it.each([
    [
      'the password is wrong',
      refused(400, 'OLD_PASSWORD_WRONG'),
      'Your current password is incorrect. Please try again.',
    ],
    ['the network is lost', lost, 'You’re offline. Check your connection and try again.'],
  ])('says why no app is set up if %s', async (_, answer, said) => {
    await open({ 'session.beginTotp': answer })
    await enter('Current password, to confirm', 'x')
    await click('Set up an app')
    expect(alerts()).toEqual([said])
  })

  it('keeps language, theme and sound', async () => {
    await open()
    await enter('Theme', 'Dark')
    await click('Sound when new work arrives')
    await enter('Language', '简体中文')
    expect(text('h1')).toBe('我的账号')
  })
})
