// @vitest-environment happy-dom
import { act } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { china } from '../../../contract/phones.ts'
import { solveWork, workKey } from '../../../contract/solveWork.ts'
import type { VenueConfig } from '../../../contract/venueConfig.ts'
import type { Work } from '../../../contract/work.ts'
import { Login } from '../../../src/pages/login/Login.tsx'
import { Recover } from '../../../src/pages/login/Recover.tsx'
import { Register } from '../../../src/pages/login/Register.tsx'
import { RegisterCheck } from '../../../src/pages/login/RegisterCheck.tsx'
import { preferences } from '../../../src/state/preferences.ts'
import { resetSession, session } from '../../../src/state/session.ts'
import { currentToasts, toast } from '../../../src/ui/toastStore.ts'
import { openPage } from '../../support/openPage.tsx'
import { createTestClient, errorBody } from '../../support/testClient.ts'
import { one, pollScreen } from '../ui/mount.tsx'

const member = {
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
}
const step1 = {
  account: 'lin_wei88',
  phone: '13800138000',
  openingCode: 'UPTICK',
  registerToken: 'r-1',
  expiresAt: 9e12,
}

const { answers, requests, call } = createTestClient()

beforeEach(() => {
  requests.length = 0
  answers.clear()
  resetSession()
  preferences.riskNotice = 1
  history.replaceState(null, '', '#/pages/login/login')
})

async function type(name: string, text: string): Promise<void> {
  const input = one(`input[name=${name}]`) as HTMLInputElement
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
async function send(): Promise<void> {
  await act(async () => one('form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })))
  await pollScreen(() => one('button[type=submit]').ariaBusy).not.toBe('true')
}
const errorOf = (name: string): string => {
  const input = one(`input[name=${name}]`)
  return input.getAttribute('aria-invalid') === 'true'
    ? (document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent ?? '')
    : ''
}
const alert = (): string => one('[role=alert]').textContent
const show = (page: React.ReactNode) => openPage(page, { call })

describe('Login', () => {
  it('shows errors for empty fields and sends no request', async () => {
    await show(<Login />)
    await send()
    expect([errorOf('account'), errorOf('password')]).toEqual([
      'Please enter your username',
      'Please enter your password',
    ])
    expect(requests).toEqual([])
  })

  it('starts the session', async () => {
    answers.set('/auth/login', [200, { token: 'csrf', expiresAt: 1, user: member }])
    await show(<Login />)
    await type('account', 'lin_wei88')
    await type('password', 'correct horse 9')
    await send()
    expect([session.token, session.userInfo?.id]).toEqual(['csrf', 'm1'])
    expect(JSON.stringify(localStorage)).not.toContain('correct horse')
  })

  it('asks for cookies where the browser keeps none, and sends nothing', async () => {
    const enabled = vi.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(false)
    try {
      await show(<Login />)
      await type('account', 'lin_wei88')
      await type('password', 'correct horse 9')
      await send()
      expect(document.body.textContent).toContain('Logging in needs cookies')
      expect(requests).toEqual([])
    } finally {
      enabled.mockRestore()
    }
  })

  it('links a guest who forgot the password to the page that resets it', async () => {
    await show(<Login />)
    const help = document.getElementById(one('input[name=password]').getAttribute('aria-describedby') ?? '')
    expect(help?.textContent).toBe('Forgotten your password?')
    expect(help?.querySelector('a')?.getAttribute('href')).toBe('#/pages/login/recover')
  })

  it('shows the text of a rejection, which no toast covers', async () => {
    answers.set('/auth/login', [401, errorBody('BAD_CREDENTIALS')])
    await show(<Login />)
    toast({ kind: 'success', text: 'Registration Successful' })
    await type('account', 'lin_wei88')
    await type('password', 'wrong')
    await send()
    expect(alert()).toBe('Incorrect username or password')
    expect(currentToasts()).toEqual([])
  })

  describe('where the venue asks for work', () => {
    const salt = '00112233445566778899aabbccddeeff'
    const easy = { salt, cost: 2, blockSize: 1 }
    const asked = {
      ...easy,
      id: 'w-1',
      expiresAt: 9e12,
      algorithm: 'scrypt',
      target: workKey(easy, 5).slice(0, 32),
      tries: 16,
    }
    const answer = { id: 'w-1', key: workKey(easy, 5).slice(32) }
    const status = (): string => one('[role=status]').textContent
    /** The venue asks for work, and accepts the login with its answer. */
    const askForWork = (): void =>
      void answers.set('/auth/login', (body) =>
        (body as { work?: unknown } | undefined)?.work === undefined
          ? [422, errorBody('WORK_REQUIRED', { params: { work: asked } })]
          : [200, { token: 'csrf', expiresAt: 1, user: member }],
      )
    const logIn = async (): Promise<void> => {
      await show(<Login />)
      await type('account', 'lin_wei88')
      await type('password', 'correct horse 9')
      await act(async () =>
        one('form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })),
      )
    }

    it('does it in a worker, says so, and sends the log-in again with the answer', async () => {
      const done: (() => void)[] = []
      class FakeWorker extends EventTarget {
        postMessage(work: Work): void {
          done.push(() => this.dispatchEvent(new MessageEvent('message', { data: solveWork(work) })))
        }
        terminate(): void {}
      }
      vi.stubGlobal('Worker', FakeWorker)
      try {
        askForWork()
        await logIn()
        await pollScreen(status).toBe('This device is doing a short security check. It takes a few seconds.')
        expect(requests).toHaveLength(1)
        await act(async () => done[0]!())
        await pollScreen(() => session.token).toBe('csrf')
        expect(requests[1]?.body).toEqual({ account: 'lin_wei88', password: 'correct horse 9', work: answer })
      } finally {
        vi.unstubAllGlobals()
      }
    })

    it('does it in a browser that starts no worker', async () => {
      askForWork()
      await logIn()
      await pollScreen(() => session.token).toBe('csrf')
      expect(requests[1]?.body).toMatchObject({ work: answer })
    })

    it('tries again a few times at most', async () => {
      answers.set('/auth/login', [422, errorBody('WORK_REQUIRED', { params: { work: asked } })])
      await logIn()
      await pollScreen(alert).toBe('The security check didn’t work. Please try again.')
      expect(requests).toHaveLength(4)
    })

    it('does it for a registration too', async () => {
      answers.set('/auth/register/check', (body) =>
        (body as { work?: unknown } | undefined)?.work === undefined
          ? [422, errorBody('WORK_REQUIRED', { params: { work: asked } })]
          : [200, { registerToken: 'r-1', expiresAt: 9e12 }],
      )
      await show(<RegisterCheck />)
      await type('account', step1.account)
      await type('phone', step1.phone)
      await type('openingCode', step1.openingCode)
      await send()
      await pollScreen(() => session.registerInfo?.registerToken).toBe('r-1')
      expect(requests[1]?.body).toMatchObject({ work: answer })
    })
  })

  it('counts a wait down, sends nothing meanwhile, and retains the input', async () => {
    answers.set('/auth/login', [422, errorBody('CAPTCHA_REQUIRED')])
    answers.set('/captcha', [200, { captchaId: 'c-1', svg: '<svg xmlns="http://www.w3.org/2000/svg"/>' }])
    await show(<Login />)
    await type('account', 'lin_wei88')
    await type('password', 'wrong')
    await send()
    await type('captcha', '1234')
    answers.set('/auth/login', [429, errorBody('RATE_LIMITED', { params: { retryAfterMs: 2000 } })])
    vi.useFakeTimers()
    try {
      const submit = () =>
        act(async () => one('form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })))
      const reason = (): string | undefined => {
        const id = one('button[type=submit]').getAttribute('aria-describedby')
        return id === null ? undefined : (document.getElementById(id)?.textContent ?? '')
      }
      const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
      await submit()
      await advance(0)
      expect([alert(), reason()]).toEqual(['Too many attempts', 'Try again in 2 seconds'])
      expect(one('button[type=submit]').getAttribute('aria-disabled')).toBe('true')
      const requestCount = requests.length
      await submit()
      expect(requests).toHaveLength(requestCount)
      await advance(1000)
      expect(reason()).toBe('Try again in 1 second')
      await advance(1000)
      expect([alert(), reason()]).toEqual(['', undefined])
      answers.set('/auth/login', [401, errorBody('BAD_CREDENTIALS')])
      await submit()
      expect(requests.findLast(({ path }) => path === '/auth/login')?.body).toMatchObject({
        captchaId: 'c-1',
        captcha: '1234',
      })
    } finally {
      vi.useRealTimers()
    }
  })

  it('ends the wait if another account is entered', async () => {
    answers.set('/auth/login', [423, errorBody('LOCKED', { params: { retryAfterMs: 300_000 } })])
    await show(<Login />)
    await type('account', 'lin_wei88')
    await type('password', 'wrong')
    await send()
    const submit = one('button[type=submit]')
    expect([alert(), submit.getAttribute('aria-disabled')]).toEqual(['Too many attempts', 'true'])
    await type('account', 'lin_wei89')
    expect([alert(), one('button[type=submit]').getAttribute('aria-disabled')]).toEqual(['', null])
  })

  it('shows the captcha once it is required, and sends the answer', async () => {
    answers.set('/auth/login', [422, errorBody('CAPTCHA_REQUIRED')])
    answers.set('/captcha', [200, { captchaId: 'c-1', svg: '<svg xmlns="http://www.w3.org/2000/svg"/>' }])
    await show(<Login />)
    await type('account', 'lin_wei88')
    await type('password', 'wrong')
    await send()
    await pollScreen(() => document.querySelector('img')).not.toBeNull()
    expect(one('img').getAttribute('src')).toMatch(/^data:image\/svg\+xml,/)
    await type('captcha', '12')
    await send()
    expect(errorOf('captcha')).toBe('Enter the 4 digits shown in the image')
    answers.set('/auth/login', [422, errorBody('CAPTCHA_WRONG')])
    await type('captcha', '１２３４')
    await send()
    expect(requests.findLast(({ path }) => path === '/auth/login')?.body).toMatchObject({
      captchaId: 'c-1',
      captcha: '1234',
    })
    expect(errorOf('captcha')).toBe('That code didn’t match. Enter the new one.')
    expect(requests.filter(({ path }) => path === '/captcha').length).toBeGreaterThan(1)
  })
})

describe('a forgotten password', () => {
  it('is asked for, and the heading of what follows takes the focus, which the button had', async () => {
    history.replaceState(null, '', '#/pages/login/recover')
    answers.set('/auth/recoveries', [202, { status: 'received' }])
    await show(<Recover />)
    await type('account', step1.account)
    await type('phone', step1.phone)
    one('button[type=submit]').focus()
    await act(async () => one('form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })))
    await pollScreen(() => document.body.textContent).toContain('Request received')
    expect(document.activeElement?.tagName).toBe('H1')
  })
})

describe('the link for a new password, approved by two persons', () => {
  const open = async (): Promise<void> => {
    history.replaceState(null, '', '#/pages/login/recover?code=c-1&kind=login&calls=2')
    await show(<Recover />)
    await type('newPassword', 'battery staple 9')
    await type('confirmPassword', 'battery staple 9')
  }

  it.each(['', '1234 567'])(
    'says that it needs all eight digits of the call, and sends nothing: %j',
    async (typed) => {
      await open()
      await type('firstCode', typed)
      await send()
      expect(errorOf('firstCode')).toBe('The 8 digits that customer service read to you')
      expect(requests).toEqual([])
    },
  )

  it.each(['1234 5678', '１２３４　５６７８', '๑๒๓๔-๕๖๗๘'])(
    'takes them as they are typed: %s',
    async (typed) => {
      answers.set('/auth/recoveries/complete', [200, { kind: 'login' }])
      await open()
      await type('firstCode', typed)
      await send()
      expect(requests.at(-1)?.body).toMatchObject({ code: 'c-1', firstCode: '12345678' })
    },
  )
})

it('a link that was used leads to where a new one is asked for', async () => {
  history.replaceState(null, '', '#/pages/login/recover?code=c-1&kind=transaction')
  answers.set('/auth/recoveries/complete', [410, errorBody('RECOVERY_CODE_INVALID')])
  await show(<Recover />)
  for (const name of ['newPassword', 'confirmPassword']) await type(name, '135790')
  await send()
  expect(alert()).toBe('This link has been used or has expired. Ask for a new one.')
  expect(one('form p a').getAttribute('href')).toBe('#/pages/login/recover?kind=transaction')
})

describe('registration', () => {
  it('validates the fields of step 1 by the rules of the contract', async () => {
    await show(<RegisterCheck />)
    await send()
    expect(['account', 'phone', 'openingCode'].map(errorOf)).toEqual([
      'Please enter a username',
      'Please enter your phone number',
      'Please enter the account-opening code',
    ])
    await type('account', 'abc')
    await type('phone', '12600138000')
    expect(errorOf('account')).toBe('Use 6 to 12 letters, numbers or underscores')
    expect(errorOf('phone')).toMatch(/^Enter an 11-digit mobile number/)
    expect(requests).toEqual([])
  })

  it('shows a rejection at its field', async () => {
    answers.set('/auth/register/check', [422, errorBody('OPENING_CODE_INVALID')])
    await show(<RegisterCheck />)
    for (const name of ['account', 'phone', 'openingCode'] as const) await type(name, step1[name])
    await send()
    expect(errorOf('openingCode')).toMatch(/^This account-opening code isn’t valid/)
    await type('openingCode', 'OTHER')
    expect(errorOf('openingCode')).toBe('')
  })

  it('stores step 1 and navigates to step 2; a phone number may contain spaces', async () => {
    answers.set('/auth/register/check', [200, { registerToken: 'r-1', expiresAt: 5 }])
    await show(<RegisterCheck />)
    await type('account', step1.account)
    await type('phone', '１３８　0013 8000')
    await type('openingCode', ' UPTICK ')
    await send()
    expect(session.registerInfo).toEqual({ ...step1, expiresAt: 5 })
    expect(location.hash).toBe('#/pages/login/register')
  })

  it('shows no country select for a single country', async () => {
    session.appInfo = { phoneRules: [china] } as VenueConfig
    await show(<RegisterCheck />)
    expect(document.querySelector('select[name=country]')).toBeNull()
  })

  it('validates a number by the selected country', async () => {
    answers.set('/auth/register/check', [200, { registerToken: 'r-1', expiresAt: 5 }])
    const singapore = { country: 'SG', dialCode: '65', pattern: '[89]\\d{7}' }
    session.appInfo = { phoneRules: [china, singapore] } as VenueConfig
    await show(<RegisterCheck />)
    const country = one('select[name=country]') as HTMLSelectElement
    expect(Array.from(country.options, ({ text, value }) => [value, text])).toEqual([
      ['CN', 'China'],
      ['SG', 'Singapore'],
    ])
    await type('account', step1.account)
    await type('phone', step1.phone)
    await type('openingCode', step1.openingCode)
    await act(async () => {
      country.value = 'SG'
      country.dispatchEvent(new Event('change', { bubbles: true }))
    })
    await send()
    expect([errorOf('phone'), requests]).toEqual(['Enter a valid mobile number', []])
    await type('phone', '8123 4567')
    await send()
    expect(requests.at(-1)?.body).toMatchObject({ phone: '81234567', country: 'SG' })
    expect(session.registerInfo).toMatchObject({ country: 'SG' })
  })

  it('requires the risk notice first', async () => {
    preferences.riskNotice = 0
    await show(<RegisterCheck />)
    for (const name of ['account', 'phone', 'openingCode'] as const) await type(name, step1[name])
    await send()
    expect(one('[role=dialog]').textContent).toContain('Risk warning')
    expect(requests.map(({ path }) => path)).toEqual(['/pages/risk?lang=en'])
  })

  it.each([
    [
      'is shown',
      [200, { id: 'risk', title: 'R', body: 'All can be lost.', lang: 'en', publishedAt: 0, version: 1 }],
    ],
    ['could not be loaded', [404, errorBody('NOT_FOUND')]],
  ] as const)('lets the risk warning be accepted only after its text: %s', async (_what, [status, body]) => {
    preferences.riskNotice = 0
    answers.set('/pages/risk?lang=en', [status, body])
    await show(<RegisterCheck />)
    for (const name of ['account', 'phone', 'openingCode'] as const) await type(name, step1[name])
    await send()
    const accept = [...document.querySelectorAll('[role=dialog] button')].at(-1)
    expect(one('[role=dialog]').textContent.includes('All can be lost.')).toBe(status === 200)
    expect(accept?.getAttribute('aria-disabled')).toBe(status === 200 ? null : 'true')
  })

  it('redirects to step 1 if that is missing', async () => {
    await show(<Register />)
    expect(location.hash).toBe('#/pages/login/registerCheck')
  })

  it('requires both password pairs to match', async () => {
    session.registerInfo = { ...step1 }
    await show(<Register />)
    await type('password', 'correct horse 9')
    await type('confirmPassword', 'correct horse 8')
    await type('transactionPassword', '135790')
    await type('confirmTransactionPassword', '135791')
    await send()
    expect([errorOf('confirmPassword'), errorOf('confirmTransactionPassword')]).toEqual([
      'Passwords do not match',
      'Transaction passwords do not match',
    ])
    expect(requests).toEqual([])
  })

  it('ends at the login page and stores nothing', async () => {
    session.registerInfo = { ...step1 }
    answers.set('/auth/register', [201, { memberId: 'm1' }])
    await show(<Register />)
    for (const name of ['password', 'confirmPassword']) await type(name, 'correct horse 9')
    for (const name of ['transactionPassword', 'confirmTransactionPassword']) await type(name, '135790')
    await act(async () => one('form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })))
    await pollScreen(() => location.hash).toContain('/pages/login/login')
    expect(session.registerInfo).toBeNull()
    expect(requests.at(-1)?.body).toEqual({
      registerToken: 'r-1',
      password: 'correct horse 9',
      confirmPassword: 'correct horse 9',
      transactionPassword: '135790',
      confirmTransactionPassword: '135790',
    })
  })
})
