// @vitest-environment happy-dom
import { act, type ReactNode } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { Login } from '../../../src/pages/login/Login.tsx'
import { Recover } from '../../../src/pages/login/Recover.tsx'
import { RegisterCheck } from '../../../src/pages/login/RegisterCheck.tsx'
import { SecondStep } from '../../../src/pages/login/SecondStep.tsx'
import { PasswordForm } from '../../../src/pages/password/PasswordForm.tsx'
import { SetUpApp } from '../../../src/pages/security/SetUpApp.tsx'
import { preferences } from '../../../src/state/preferences.ts'
import { resetSession } from '../../../src/state/session.ts'
import { openPage } from '../../support/openPage.tsx'
import { errorBody, type TestAnswer } from '../../support/testClient.ts'
import { click, one, pollScreen } from '../ui/mount.tsx'

beforeEach(() => {
  resetSession()
  preferences.riskNotice = 1
})

const nothing = (): void => undefined
const input = (name: string) => one(`input[name=${name}]`) as HTMLInputElement

async function put(name: string, text: string): Promise<void> {
  const field = input(name)
  // As the browser does with what is pasted.
  const kept = field.maxLength >= 0 ? text.slice(0, field.maxLength) : text
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, kept)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
const send = (name: string) =>
  act(async () => input(name).form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })))

const password = 'battery staple 9'
const factors = { passkeys: [], totp: { addedAt: 1 }, recoveryCodesLeft: 10 }
const setup = {
  setupId: 's-1',
  secret: 'JBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/uptick:lin?secret=JBSWY3DPEHPK3PXP',
  expiresAt: 9e12,
}
const wrong: TestAnswer = [422, errorBody('SECOND_FACTOR_WRONG')]

type CodeForm = {
  form: string
  page: ReactNode
  hash?: string
  answers: Record<string, TestAnswer>
  /** What comes before the code. */
  before?: () => Promise<void>
  field: string
  pasted: string
  /** To what it is sent, and what of it the code is. */
  sent: [path: string, body: object]
}

const secondStep = {
  page: <SecondStep loginId="l-1" onBack={nothing} />,
  answers: { '/auth/login/second-factor': wrong },
  field: 'code',
}
const forms: CodeForm[] = [
  {
    form: 'the captcha',
    page: <Login />,
    answers: {
      '/auth/login': [422, errorBody('CAPTCHA_REQUIRED')],
      '/captcha': [200, { captchaId: 'c-1', svg: '<svg xmlns="http://www.w3.org/2000/svg"/>' }],
    },
    before: async () => {
      await put('account', 'lin_wei88')
      await put('password', password)
      await send('password')
      await pollScreen(() => document.querySelector('img')).not.toBeNull()
    },
    field: 'captcha',
    pasted: '　１２ ３４',
    sent: ['/auth/login', { captcha: '1234' }],
  },
  {
    ...secondStep,
    form: 'a login’s second step',
    pasted: '　１２３　４５６ ',
    sent: ['/auth/login/second-factor', { code: '123456' }],
  },
  {
    ...secondStep,
    form: 'a recovery code',
    before: () => click(one('form button[type=button]')),
    pasted: '　ＡＢＣＤＥ　１２３４５ ',
    sent: ['/auth/login/second-factor', { code: 'ABCDE12345' }],
  },
  {
    form: 'the first code of a recovery',
    page: <Recover />,
    hash: '#/pages/login/recover?code=c-1&kind=login&calls=2',
    answers: { '/auth/recoveries/complete': [410, errorBody('RECOVERY_CODE_INVALID')] },
    before: async () => {
      await put('newPassword', password)
      await put('confirmPassword', password)
    },
    field: 'firstCode',
    pasted: '　１２３４　５６７８ ',
    sent: ['/auth/recoveries/complete', { firstCode: '12345678' }],
  },
  {
    form: 'the account-opening code',
    page: <RegisterCheck />,
    answers: { '/auth/register/check': [422, errorBody('OPENING_CODE_INVALID')] },
    before: async () => {
      await put('account', 'lin_wei88')
      await put('phone', '13800138000')
    },
    field: 'openingCode',
    pasted: '　Ｋ７Ｑ２　ＭＸ００ ',
    sent: ['/auth/register/check', { openingCode: 'K7Q2MX00' }],
  },
  {
    form: 'a new authenticator app',
    page: <SetUpApp open hasPasskey={false} onClose={nothing} onAdded={nothing} />,
    answers: { '/auth/totp/setup': [200, setup], '/auth/totp': wrong },
    before: async () => {
      await put('password', password)
      await send('password')
      await pollScreen(() => document.querySelector('input[name=code]')).not.toBeNull()
    },
    field: 'code',
    pasted: '　１２３　４５６ ',
    sent: ['/auth/totp', { code: '123456' }],
  },
  {
    form: 'a new password',
    page: (
      <PasswordForm kind="login" title="" account="lin_wei88" onRequested={nothing} onPending={nothing} />
    ),
    answers: { '/auth/second-factors': [200, factors], '/auth/password-requests': wrong },
    before: async () => {
      await click(one('form span button[type=button]'))
      await put('newPassword', password)
      await put('confirmPassword', password)
    },
    field: 'oldPassword',
    pasted: '　１２３　４５６ ',
    sent: ['/auth/password-requests', { code: '123456' }],
  },
]

it.each(forms)(
  '$form is sent in plain signs, however it is pasted',
  async ({ page, hash = '#/', answers, before, field, pasted, sent: [path, body] }) => {
    const { requests } = await openPage(page, { hash, answers })
    await before?.()
    await put(field, pasted)
    await send(field)
    expect(requests.findLast((request) => request.path === path)?.body).toMatchObject(body)
  },
)
