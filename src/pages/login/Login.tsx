import { useTranslation } from 'react-i18next'
import { useFormat } from '../../hooks/useFormat.ts'
import { useQuery } from '../../router/useQuery.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { Field, TextLink } from '../../ui/index.ts'
import { CaptchaField } from './CaptchaField.tsx'
import { FormPage } from './FormPage.tsx'
import { PasskeyButton } from './PasskeyButton.tsx'
import { SecondStep } from './SecondStep.tsx'
import { useLogin, type LoginFormState } from './useLogin.ts'
import { usePasskeyLogin } from './usePasskeyLogin.ts'

/** Log in, with a second step for members who set one up. The shell redirects once there is a session. */
export function Login() {
  const [query] = useQuery()
  const login = useLogin(query.get('account') ?? '')
  return login.loginId === undefined ? (
    <PasswordStep login={login} />
  ) : (
    <SecondStep loginId={login.loginId} onBack={login.backToPassword} />
  )
}

function PasswordStep({ login }: { login: LoginFormState }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { fields, send, busy, isWorking, problem, clearProblem, waitMs, endWait, captcha } = login
  const passkey = usePasskeyLogin()
  const account = fields.bind('account')
  const logInByPasskey = (): void => {
    clearProblem()
    passkey.logIn()
  }
  // The session's cookie would not be kept, and the member would come back to an empty form.
  const withoutCookies = navigator.cookieEnabled ? undefined : t('login.cookies')
  return (
    <FormPage
      title={t('login.title')}
      submitLabel={t('login.submit')}
      busy={busy}
      isWorking={isWorking}
      problem={waitMs > 0 ? t('login.tooManyTries') : (problem ?? passkey.problem)}
      off={waitMs > 0 ? t('login.waitLeft', { wait: format.wait(waitMs) }) : withoutCookies}
      onSubmit={(form) => {
        passkey.clearProblem()
        if (withoutCookies === undefined) send(form)
      }}
      alternative={<PasskeyButton busy={passkey.busy} onClick={logInByPasskey} />}
      foot={
        <>
          {t('login.noAccount')}{' '}
          <TextLink size={15} strong href={hrefTo(paths.registerCheck)}>
            {t('login.register')}
          </TextLink>
        </>
      }
    >
      <Field
        {...account}
        onChange={(event) => {
          endWait()
          account.onChange(event)
        }}
        label={t('login.account')}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <Field
        {...fields.bind('password')}
        type="password"
        label={t('login.password')}
        autoComplete="current-password"
        hint={<TextLink href={hrefTo(paths.recover)}>{t('login.forgot')}</TextLink>}
        reveal={{ show: t('common.showPassword'), hide: t('common.hidePassword') }}
      />
      {captcha && (
        <CaptchaField
          key={captcha.picture}
          binding={fields.bindValue('captcha')}
          onPicture={captcha.setCaptchaId}
          onRenew={captcha.renewPicture}
        />
      )}
    </FormPage>
  )
}
